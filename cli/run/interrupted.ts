/**
 * What the creations of a killed run left, where no later run makes these resources: found by our record of its id, or by the
 * marker under the name that the state tells of, and by nothing else. A state that has forgotten the interruption could
 * never find it again.
 */
import { nameOf as urnName } from "../../engine/index.ts";
import type { AnyDefinition } from "../../provider/define.ts";
import type { JsonMap } from "../../provider/json.ts";
import type { LostCreation } from "../../provider/lifecycle/creation-record.ts";
import { identityFor, markerIn, ownIn, stackIn } from "../../provider/lifecycle/identity.ts";
import { isUnfindable } from "../../provider/lifecycle/leftovers.ts";
import { isAsNamed, markedBy, nameOf } from "../../provider/lifecycle/marked-objects.ts";
import { ObjectState } from "../../provider/lifecycle/object-state.ts";
import { patientLook } from "../../provider/lifecycle/patience.ts";
import type { RunContext } from "../../provider/lifecycle/run-context.ts";
import { noticeText } from "../../provider/notices.ts";
import { definitionOf, registry, type Kind } from "../../provider/registry.ts";
import type { KeptCreations } from "../engines/kept-creations.ts";
import type { StateResource } from "../engines/recorded.ts";
import type { Report } from "../report/model.ts";
import { removal } from "../env/sweep.ts";
import { Lookers } from "./lookers.ts";
import type { StackSession } from "./session.ts";

const PATIENCE_MS = Number(process.env["LANDFORM_PATIENCE_MS"] ?? 15_000);

interface Left {
  readonly definition: AnyDefinition;
  readonly run: RunContext;
  readonly id: string;
  readonly name: string;
  /** It still bears the marker: never finished. */
  readonly marked: boolean;
  /** Its run went on, and failed. */
  readonly lost?: true;
}

export class Interrupted {
  readonly #lookers: Lookers;
  readonly #left: readonly Left[];
  /** What can't be looked for, in words. */
  readonly warnings: readonly string[];

  readonly #settle: () => Promise<void>;

  private constructor(
    lookers: Lookers,
    left: readonly Left[],
    warnings: readonly string[],
    settle: () => Promise<void>,
  ) {
    this.#lookers = lookers;
    this.#left = left;
    this.warnings = warnings;
    this.#settle = settle;
  }

  /** `creations`: what the state knew to be under way, before a run that may have forgotten it. Reads alone. */
  static async find(session: StackSession, creations: readonly StateResource[]): Promise<Interrupted> {
    const lookers = await Lookers.open(session, {});
    try {
      const kept = await session.engine.creations();
      const [left, warnings] = await leftBy(session, { creations, kept }, lookers);
      const [found, unfound] = await leftByLost(session, kept.lost, lookers);
      return new Interrupted(lookers, [...left, ...found], [...warnings, ...unfound], () => kept.forget(kept.lost));
    } catch (error) {
      await lookers.close();
      throw error;
    }
  }

  has(id: string): boolean {
    return this.#left.some((one) => one.id === id);
  }

  get isEmpty(): boolean {
    return this.#left.length === 0;
  }

  /** A sentence each, before it happens. */
  get planned(): string[] {
    return this.#left.map(
      (one) =>
        `${titleOf(one)}, which a ${one.lost ? "failed" : "killed"} run made, is in no state: it is removed as well.`,
    );
  }

  /** What was finished is somebody's page by now, as far as visitors know: it goes only where all goes. */
  get finished(): string[] {
    return this.#left
      .filter((one) => !one.marked)
      .map(
        (one) =>
          `${titleOf(one)} was made by a run that was killed, is in no state, and the code no longer declares it: it stays in the account. Delete it in the app, or declare it with adoptId: ${one.id}.`,
      );
  }

  /** A sentence each; `failed`: of what is still there. */
  async remove(which: "unfinished" | "all"): Promise<{ removed: string[]; failed: string[] }> {
    const removed: string[] = [];
    const failed: string[] = [];
    for (const one of this.#left.filter(({ marked: isMarked }) => isMarked || which === "all")) {
      const end = await removal(one.run, one);
      if (end === "removed") removed.push(removedText(one));
      else if (end !== "gone")
        failed.push(`${titleOf(one)}, which an interrupted run had left behind, is still there: ${end.why}`);
    }
    if (failed.length === 0) await this.#settle();
    return { removed, failed };
  }

  close(): Promise<void> {
    return this.#lookers.close();
  }
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

/** And what can't be looked for, in words. */
async function leftBy(
  session: StackSession,
  { creations, kept }: { creations: readonly StateResource[]; kept: KeptCreations },
  lookers: Lookers,
): Promise<[Left[], string[]]> {
  const held = new Set((await session.engine.records())?.map(({ id }) => id));
  const left: Left[] = [];
  const warnings: string[] = [];
  for (const creation of creations) {
    const definition = definitionOf(creation.type);
    if (definition === undefined || definition.leaves === "in place") continue;
    const { name } = creation.inputs ?? {};
    const called = typeof name === "string" ? [name] : [];
    const own = ownIn(identityFor(creation.urn));
    const look = { own, called, definition, run: lookers.of(creation.provider, creation.urn), held };
    const { ours, others } = await marked(look);
    const found = [...(await recorded(kept, look)), ...ours];
    warnings.push(...others);
    left.push(...new Map(found.map((one) => [one.id, one])).values());
    if (found.length === 0 && isUnfindable({ definition })) warnings.push(perhapsOrphaned(definition, creation));
  }
  return [left, warnings];
}

interface Look {
  readonly own: string;
  /** The names that it was begun under. */
  readonly called: readonly string[];
  readonly definition: AnyDefinition;
  readonly run: RunContext;
  /** Ids that the state holds. */
  readonly held: ReadonlySet<string | undefined>;
}

/** Ours by its id, whatever it is called by now. */
async function recorded({ made }: KeptCreations, { own, definition, run, held }: Look): Promise<Left[]> {
  const known = made.find((one) => one.own === own);
  if (known === undefined || known.kind !== definition.kind || held.has(known.id)) return [];
  const answer = isUnfindable({ definition }) ? {} : await read(run, definition, known.id);
  return answer === undefined ? [] : [{ definition, run, id: known.id, name: nameOf(answer) ?? "", marked: false }];
}

function read(run: RunContext, definition: AnyDefinition, id: string): Promise<JsonMap | undefined> {
  return definition.read(run, id, new ObjectState(definition, id));
}

/** Lists may be behind what such a run has made. `others`: what may be somebody's copy, in words. */
async function marked({ own, called, definition, run, held }: Look): Promise<{ ours: Left[]; others: string[] }> {
  if (!definition.marked || definition.search === undefined) return { ours: [], others: [] };
  const marker = { stack: stackIn(own), own, full: own };
  let others: string[] = [];
  const look = async (): Promise<Left[] | undefined> => {
    run.looks.clear();
    const rows = (await markedBy(definition, run, marker)).filter(({ id }) => !held.has(id));
    const answers = await Promise.all(rows.map(async ({ id }) => ({ id, answer: await read(run, definition, id) })));
    const there = answers.flatMap(({ id, answer }): (Left & { isOurs: boolean })[] => {
      const name = answer && nameOf(answer);
      if (name === undefined || markerIn(name)?.startsWith(own) !== true) return [];
      // The marker goes before anything is public: what is public with it is somebody's.
      const isOurs = isAsNamed(name, called) && answer?.["status"] !== "published";
      return [{ definition, run, id, name, marked: true, isOurs }];
    });
    others = there.filter(({ isOurs }) => !isOurs).map(perhapsACopy);
    const ours = there.filter(({ isOurs }) => isOurs);
    return ours.length === 0 ? undefined : ours;
  };
  const ours = (await patientLook(look, PATIENCE_MS)) ?? [];
  return { ours, others };
}

function perhapsACopy({ definition: { kind }, id, name }: Left): string {
  return noticeText({ code: "perhaps-a-copy", kind, id, name });
}

/** What was made, and what stays unknown, in words. */
async function leftByLost(
  session: StackSession,
  lost: readonly LostCreation[],
  lookers: Lookers,
): Promise<[Left[], string[]]> {
  if (lost.length === 0) return [[], []];
  const held = new Set((await session.engine.records())?.map(({ id }) => id));
  const run = lookers.of(undefined, "");
  const looks = lost.map(async (creation) => {
    const { own, kind, called } = creation;
    const definition = kind in registry ? registry[kind as Kind] : undefined;
    const isHere = creation.account === undefined || (await run.account()) === creation.account;
    const { ours, others } =
      definition && isHere ? await marked({ own, called: [called], definition, run, held }) : NOTHING;
    return {
      ours: ours.map((one) => ({ ...one, lost: true as const })),
      said: ours.length === 0 ? [...others, unfound(creation)] : others,
    };
  });
  const ends = await Promise.all(looks);
  return [ends.flatMap(({ ours }) => ours), ends.flatMap(({ said }) => said)];
}

const NOTHING = { ours: [], others: [] };

function unfound({ kind, called }: LostCreation): string {
  return (
    `It is not known whether a former run created ${kind} "${called}" (the answer was lost), and no list shows it. ` +
    `If the app shows a ${kind} whose name ends in "[lf-…]", delete it there.`
  );
}

function perhapsOrphaned({ kind }: AnyDefinition, { urn }: StateResource): string {
  return noticeText({ code: "perhaps-orphaned", kind, id: "", name: `${kind} "${urnName(urn)}"` });
}

function removedText({ definition: { kind }, id, name }: Left): string {
  return noticeText({ code: "removed-leftover", kind, id, name });
}

function titleOf({ definition, id, name }: Left): string {
  return `${definition.kind} ${id}${name === "" ? "" : ` ("${name}")`}`;
}
