/**
 * What the creations of a killed run left, where no later run makes these resources: found by our record of its id, or by the
 * marker under the name that the state tells of, and by nothing else. A state that has forgotten the interruption could
 * never find it again.
 */
import { nameOf as urnName } from "../../engine/index.ts";
import type { LostCreation, SoughtCreation } from "../../provider/reconcile/creation-record.ts";
import { identityFor, ownIn } from "../../provider/reconcile/identity.ts";
import { noticeText } from "../../provider/messages/notices.ts";
import type { KeptCreations } from "../engines/kept-creations.ts";
import type { StateResource } from "../engines/recorded.ts";
import type { Report } from "../report/model.ts";
import { removal } from "../env/sweep.ts";
import {
  isLongAgo,
  leftBy,
  leftByLost,
  leftBySought,
  PATIENCE_MS,
  recordedOf,
  type Left,
  type Looking,
  onceEach,
} from "./left-by-killed.ts";
import { questionText } from "./left-words.ts";
import { AccountReader } from "./account-reader.ts";
import type { StackSession } from "./session.ts";

export class Interrupted {
  readonly #reader: AccountReader;
  readonly #left: readonly Left[];
  /** What can't be looked for, in words. */
  readonly warnings: readonly string[];

  readonly #kept: KeptCreations;
  readonly #sought: Sought;

  private constructor(
    reader: AccountReader,
    { left, warnings }: { left: readonly Left[]; warnings: readonly string[] },
    kept: KeptCreations,
    sought: Sought,
  ) {
    this.#reader = reader;
    this.#left = left;
    this.warnings = warnings;
    this.#kept = kept;
    this.#sought = sought;
  }

  /** `creations`: what the state knew to be under way, before a run that may have forgotten it. Reads alone. */
  static async find(
    session: StackSession,
    creations: readonly StateResource[],
    { known, patienceMs = PATIENCE_MS, taken = new Set(), soughtBefore, signal, ...given }: Looking = {},
  ): Promise<Interrupted> {
    const reader = await AccountReader.open(session, {});
    try {
      const kept = await session.engine.creations();
      const { lost = kept.lost, sought = kept.sought, questions = kept.questions } = given;
      const around = { reader, patienceMs, signal };
      const looking = { ...around, known: known ?? recordedOf(kept, creations), taken, kept };
      // Each may wait for lists that lag behind: together they wait once.
      const [[left, warnings], [found, unfound], { late, asked, unasked }] = await Promise.all([
        leftBy(session, creations, looking),
        leftByLost(session, lost, { ...around, patienceMs: PATIENCE_MS }),
        leftBySought(session, { sought, before: soughtBefore }, around),
      ]);
      const told = [...warnings, ...unfound, ...unasked, ...questions.map(questionText)];
      const owns = creations.map(({ urn }) => ownIn(identityFor(urn)));
      // What a later run was making as well may have been found twice.
      const all = { left: onceEach([...late, ...found, ...left]), warnings: told };
      return new Interrupted(reader, all, kept, { lost: [...lost, ...questions], owns, asked });
    } catch (error) {
      await reader.close();
      throw error;
    }
  }

  has(kind: string, id: string): boolean {
    return this.#left.some((one) => one.definition.kind === kind && one.id === id);
  }

  /** A sentence each, before it happens. */
  planned(which: Which): string[] {
    return this.#chosen(which).map(
      (one) =>
        `${titleOf(one)}, which a ${one.lost ? "failed" : "killed"} run made, is in no state: it is removed as well.`,
    );
  }

  /** What was finished is somebody's page by now, as far as visitors know: it goes only where all goes, or where another one is in its place. */
  get finished(): string[] {
    return this.#left
      .filter((one) => !isUnfinished(one))
      .map(
        (one) =>
          `${titleOf(one)} was made by a run that was killed, is in no state, and the code no longer declares it: it stays in the account. Delete it in the app, or declare it with adoptId: ${one.id}.`,
      );
  }

  /** A sentence each; `kept`: of what nobody can delete by the API, `failed`: of what else is still there. */
  async remove(which: Which): Promise<{ removed: string[]; kept: string[]; failed: string[] }> {
    const removed: string[] = [];
    const kept: string[] = [];
    const failed: string[] = [];
    const gone: Left[] = [];
    for (const one of this.#chosen(which)) {
      const end = await removal(one.run, one);
      if (typeof end === "string" || end.stays) gone.push(one);
      if (end === "removed") removed.push(removedText(one));
      else if (end !== "gone" && end.stays) kept.push(end.why);
      else if (end !== "gone")
        failed.push(`${titleOf(one)}, which an interrupted run had left behind, is still there: ${end.why}`);
    }
    const isAll = failed.length === 0;
    const lost = isAll ? this.#sought.lost : [];
    const noted = this.#kept.unwanted.map(({ own }) => own).filter((own) => this.#sought.owns.includes(own));
    const ended = isAll ? [...new Set(noted)] : [];
    const sought = this.#endedSearches(gone);
    if (lost.length + gone.length + ended.length + sought.length > 0)
      await this.#kept.forget({ lost, gone, removed: ended, sought });
    return { removed, kept, failed };
  }

  #endedSearches(gone: readonly Left[]): string[] {
    const isFound = ({ own }: SoughtCreation): boolean => gone.some((one) => one.own === own);
    return this.#sought.asked.filter((one) => isLongAgo(one) || isFound(one)).map(({ own }) => own);
  }

  #chosen(which: Which): readonly Left[] {
    return which === "all" ? this.#left : this.#left.filter(isUnfinished);
  }

  close(): Promise<void> {
    return this.#reader.close();
  }
}

/** What was looked for. */
interface Sought {
  readonly lost: readonly Pick<LostCreation, "own">[];
  readonly owns: readonly string[];
  readonly asked: readonly SoughtCreation[];
}

type Which = "unfinished" | "all";

function isUnfinished({ marked: isMarked, superseded }: Left): boolean {
  return isMarked || superseded === true;
}

export function withLeftovers(report: Report, leftovers: { count: number; removed: boolean }): Report {
  return leftovers.count === 0 ? report : { ...report, leftovers };
}

/** What may be left in the account fails the run, whatever else of it was done. */
export function notCleaned(report: Report, messages: readonly string[]): Report {
  const failures = messages.map((message) => ({ message, cause: "operation" as const }));
  return { ...report, result: "failed", failures: [...report.failures, ...failures] };
}

export function notLookedFor(creations: readonly StateResource[], error: unknown): string {
  const names = creations.map(({ urn }) => urnName(urn)).join(", ");
  const why = error instanceof Error ? error.message : String(error);
  return `A killed run was creating ${names}, and what it left could not be looked for: ${why} Look in the app for names that end in "[lf-…]", and delete those.`;
}

function removedText({ definition: { kind }, id, name }: Left): string {
  return noticeText({ code: "removed-leftover", kind, id, name });
}

function titleOf({ definition, id, name }: Left): string {
  return `${definition.kind} ${id}${name === "" ? "" : ` ("${name}")`}`;
}
