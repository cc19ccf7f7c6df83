/**
 * What the command line knows of a run and tells the program and the provider's host, which see one resource at a time.
 * It is a file that only its owner can read, named by a variable: what a state of thousands holds fits into no variable.
 */
import { readFileSync } from "node:fs";
import type { ForeignEditsSettings } from "../messages/foreign-edits.ts";
import type { SteadyObject } from "../definition/steady.ts";
import type { PreviewFacts } from "../preview/facts.ts";
import type { Entry } from "../ledger/entry.ts";
import type { TaggedLedger } from "../ledger/tag-store.ts";
import type { ObjectKey } from "../ledger/identity.ts";

export interface RunFacts {
  /** By object, the inputs that a killed run was writing when it ended. */
  readonly halfWritten?: Readonly<Record<ObjectKey, readonly string[]>>;
  /** The accounts that the state's resources are in. */
  readonly accounts?: readonly RecordedAccount[];
  /** By object, the identities of resources that have one together: each entry of the state, whatever becomes of it. */
  readonly shared?: Readonly<Record<ObjectKey, readonly string[]>>;
  /** The state's objects that a run without targets comes to, to change or delete them. */
  readonly ours?: readonly ObjectKey[];
  /** Types of what the run creates, as its plan says. */
  readonly creates?: readonly string[];
  /** The folder that holds the ledger of creations, where that goes with the state. */
  readonly ledger?: string;
  /** No run had kept it before. */
  readonly isNewLedger?: true;
  /** The same where no folder goes with the state. */
  readonly tags?: TaggedLedger;
  /** Where neither does: creations that the state calls unfinished. */
  readonly pending?: readonly Entry[];
  /** What this run does about drafts of others, and which of them were reviewed. */
  readonly foreignEdits?: Pick<ForeignEditsSettings, "option" | "reviewed"> | undefined;
  /** The file of this run's history, to which is added what objects held before; sealed with the key of KEY_VARIABLE. */
  readonly history?: string | undefined;
  /** Of an undo, sealed with the same key: what is written beyond what the program declares. */
  readonly restore?: string | undefined;
  /** Look at the public page after each publication. */
  readonly verify?: boolean | undefined;
  /** The program runs as a preview. */
  readonly preview?: PreviewFacts | undefined;
  /** The folder that holds the state, where it is in one: a program that previews itself looks for its base there. */
  readonly stateFolder?: string | undefined;
  /** What updates leave as it is, by type and id. */
  readonly steady?: Readonly<Record<string, Readonly<Record<string, SteadyObject>>>>;
}

export interface RecordedAccount {
  /** Which provider: the variable that its key comes from; none for the stack's own. */
  readonly apiKeyEnv?: string;
  /** Id of the account that its resources are in. */
  readonly account: string;
}

export const FACTS_VARIABLE = "LANDFORM_FACTS";
/** The run's key for its history. Like the passphrase it is nowhere on a disk but sealed. */
export const KEY_VARIABLE = "LANDFORM_HISTORY_KEY";

let read: { file: string; facts: RunFacts } | undefined;

/** Nothing is known where the program runs without the command line. */
export function runFacts(): RunFacts {
  const file = process.env[FACTS_VARIABLE];
  if (file === undefined || file === "") return {};
  if (read?.file !== file) read = { file, facts: factsIn(file) };
  return read.facts;
}

function factsIn(file: string): RunFacts {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as RunFacts;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `${FACTS_VARIABLE} names ${file}, which can't be read: ${reason}. Unset it, or run landform again`,
      {
        cause: error,
      },
    );
  }
}
