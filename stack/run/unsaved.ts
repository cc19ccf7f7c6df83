/** A run that saves the state at its end alone, and was killed before: the next up takes in what it made, and what would lose that is refused. */
import type { Entry } from "../../provider/ledger/entry.ts";
import type { StackLedger } from "../engines/ledger.ts";
import type { Engine, RunRequest } from "../engines/contract.ts";
import { UsageError } from "../exit/codes.ts";

const MOST_NAMED = 5;

/** Its mark tells no more: a preview may look while the run that made it goes on. */
const UNSAVED = "the last run has not saved the state (it was killed, or is still under way)";

export class Unsaved {
  /** Nothing, where each run has saved the state. */
  readonly #made: readonly Entry[] | undefined;

  constructor({ run, entries }: Pick<StackLedger, "run" | "entries">) {
    this.#made = run === "unsaved" ? entries : undefined;
  }

  static async find(engine: Pick<Engine, "ledger" | "stateFolder">): Promise<Unsaved> {
    const isInFolder = engine.stateFolder !== undefined;
    return new Unsaved(isInFolder ? await engine.ledger() : { run: undefined, entries: [] });
  }

  /** For who is about to run; undefined where there is nothing to say. */
  get note(): string | undefined {
    if (this.#made === undefined) return undefined;
    const made = this.#made.length;
    if (made === 0) return `${UNSAVED}: what it changed or deleted is planned once more, which does no harm.`;
    return `${UNSAVED}: ${made} of what it was creating are known by the ledger beside the state, and the next up takes them in.`;
  }

  /** Only an up brings into the state what a destroy would leave behind, and an undo couldn't see. */
  refuse({ kind, restore }: Pick<RunRequest, "kind" | "restore">): void {
    const made = this.#made ?? [];
    if ((kind !== "destroy" && restore === undefined) || made.length === 0) return;
    throw new UsageError(
      `${UNSAVED}, and ${made.length} of what it was creating are in no state: ${named(made)}. Run npx landform up first, which takes them in. Nothing was sent`,
    );
  }
}

function named(entries: readonly Entry[]): string {
  const shown = entries.slice(0, MOST_NAMED).map(({ kind, name }) => `${kind} "${name}"`);
  const more = entries.length - MOST_NAMED;
  return more > 0 ? `${shown.join(", ")} and ${more} more` : shown.join(", ");
}
