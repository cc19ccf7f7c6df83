/**
 * Runs that save the state once, at their end: each leaves a file beside the state, with what it is about to create, and
 * takes it away when the state is saved. What is left is of a run that was killed (docs/decisions/exactly-once.md).
 */
import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { RecordedCreation } from "../../provider/reconcile/creation-record.ts";
import { identityFor, ownIn, stackOf } from "../../provider/reconcile/identity.ts";
import { append, isThere } from "../../provider/ledger/owned-files.ts";
import { RecordFile, recordFileIn } from "../../provider/ledger/record-file.ts";
import { recordFolderOf } from "../../provider/ledger/record-place.ts";
import type { StackFolder } from "../project/open.ts";

/** Made, or perhaps made, by a run that was killed, and in no state. */
export interface UnsavedCreation {
  readonly urn: string;
  /** Undefined where the run was killed before it knew. */
  readonly id?: string;
}

interface Mark {
  readonly creates: readonly string[];
}

const ENDING = ".unsaved.json";

export class UnsavedRuns {
  readonly #folder: string;
  readonly #stack: string;

  /** `root` holds the backend's `.pulumi`. */
  constructor(root: string, { project, stack }: Pick<StackFolder, "project" | "stack">) {
    this.#folder = recordFolderOf(root);
    this.#stack = stackOf(project.name, stack);
  }

  /** Before the first write: what is about to be created, by URN. The answer takes the mark away. */
  begin(creates: readonly string[]): () => void {
    const file = join(this.#folder, `${this.#stack}.${randomUUID()}${ENDING}`);
    append(file, JSON.stringify({ creates } satisfies Mark), { durably: true });
    return () => {
      rmSync(file, { force: true });
    };
  }

  /** Whether a run was killed, or is under way. */
  get areThere(): boolean {
    return this.#files().length > 0;
  }

  creations(isHeld: (made: RecordedCreation) => boolean): UnsavedCreation[] {
    const files = this.#files();
    if (files.length === 0) return [];
    const record = new RecordFile(recordFileIn(this.#folder, this.#stack));
    return [...new Set(files.flatMap(createsIn))].flatMap((urn): UnsavedCreation[] => {
      const own = ownIn(identityFor(urn));
      const made = record.find(own);
      if (made !== undefined) return isHeld(made) ? [] : [{ urn, id: made.id }];
      return record.isUnanswered(own) ? [{ urn }] : [];
    });
  }

  forget(): void {
    for (const file of this.#files()) rmSync(file, { force: true });
  }

  #files(): string[] {
    const names = existsSync(this.#folder) ? readdirSync(this.#folder) : [];
    return names
      .filter((name) => name.startsWith(`${this.#stack}.`) && name.endsWith(ENDING))
      .map((name) => join(this.#folder, name));
  }
}

/** One that a kill broke off was not durable: its run had not begun. */
function createsIn(file: string): readonly string[] {
  try {
    const { creates } = JSON.parse(isThere(file) ? readFileSync(file, "utf8") : "{}") as Partial<Mark>;
    return Array.isArray(creates) ? creates.filter((urn) => typeof urn === "string") : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
