/** What a run made that was killed before it saved the state: the next up takes it in, and what would lose it is refused. */
import { nameOf } from "../../engine/index.ts";
import { isHeldBy } from "../engines/recorded.ts";
import { UnsavedRuns, type UnsavedCreation } from "../engines/unsaved-runs.ts";
import type { Engine, RunRequest } from "../engines/types.ts";
import { UsageError } from "../exit/codes.ts";
import type { StackFolder } from "../project/open.ts";
import type { Report } from "../report/model.ts";
import { shortName } from "../report/steps.ts";

const MOST_NAMED = 5;

/** Its mark tells no more: a preview may look while the run that made it goes on. */
const UNSAVED = "the last run has not saved the state (it was killed, or is still under way)";

type Around = Pick<Engine, "stateFolder" | "records">;

export class Unsaved {
  readonly #engine: Around;
  readonly #runs: UnsavedRuns | undefined;
  readonly #urns: ReadonlySet<string>;
  #found: readonly UnsavedCreation[];

  private constructor(engine: Around, runs: UnsavedRuns | undefined, found: readonly UnsavedCreation[]) {
    this.#engine = engine;
    this.#runs = runs;
    this.#found = found;
    this.#urns = new Set(found.map(({ urn }) => urn));
  }

  static async find(engine: Around, folder: Pick<StackFolder, "project" | "stack">): Promise<Unsaved> {
    const { stateFolder } = engine;
    const runs = stateFolder === undefined ? undefined : new UnsavedRuns(stateFolder, folder);
    if (runs?.areThere !== true) return new Unsaved(engine, undefined, []);
    return new Unsaved(engine, runs, await creationsIn(engine, runs));
  }

  /** For who is about to run; undefined where there is nothing to say. */
  get note(): string | undefined {
    const made = this.#found.length;
    if (this.#runs === undefined) return undefined;
    if (made === 0) return `${UNSAVED}: what it changed or deleted is planned once more, which does no harm.`;
    return `${UNSAVED}: ${made} of what it was creating are known by the record beside the state, and the next up takes them in.`;
  }

  begun(urn: string): boolean {
    return this.#urns.has(urn);
  }

  /** Only an up brings into the state what a destroy would leave behind, and an undo couldn't see. */
  refuse({ kind, restore }: RunRequest): void {
    if ((kind !== "destroy" && restore === undefined) || this.#found.length === 0) return;
    throw new UsageError(
      `${UNSAVED}, and ${this.#found.length} of what it was creating are in no state: ${named(this.#found)}. Run npx landform up first, which takes them in. Nothing was sent`,
    );
  }

  /**
   * After an up: the warnings of what it has not taken in, because the code no longer declares it. A destroy that has come to its end
   * leaves nothing that anybody would have to look at.
   */
  async settle({ result }: Report, { kind, dryRun, targets = [] }: RunRequest): Promise<string[]> {
    const isEnd = kind === "destroy" && dryRun !== true && result === "succeeded" && targets.length === 0;
    if (this.#runs === undefined || !(kind === "up" || isEnd)) return [];
    this.#found = await creationsIn(this.#engine, this.#runs);
    if (this.#found.length > 0 && (result !== "succeeded" || targets.length > 0)) return [];
    this.#runs.forget();
    return this.#found.map(warningOf);
  }
}

async function creationsIn(engine: Around, runs: UnsavedRuns): Promise<UnsavedCreation[]> {
  const records = (await engine.records()) ?? [];
  return runs.creations(isHeldBy(records));
}

function warningOf(creation: UnsavedCreation): string {
  const { id } = creation;
  const made = id === undefined ? "may have made" : "made";
  const found = id === undefined ? "" : ` (${id})`;
  return `a run that was killed ${made} ${titleOf(creation)}${found}, which the code no longer declares: it is in no state, and stays in the account. Delete it in the app; or declare it as before, run up, and take it out then.`;
}

function titleOf({ urn }: UnsavedCreation): string {
  return `${shortName(urn.split("::")[2]?.split("$").at(-1) ?? "")} "${nameOf(urn)}"`;
}

function named(creations: readonly UnsavedCreation[]): string {
  const shown = creations.slice(0, MOST_NAMED).map(titleOf).join(", ");
  const more = creations.length - MOST_NAMED;
  return more > 0 ? `${shown} and ${more} more` : shown;
}
