/**
 * The facts of a run that the command line tells the program and the provider's host, which see one resource at a time. They are in a file
 * that only its owner can read, named by a variable: the facts of a state of thousands fit into no variable.
 */
import { readFileSync } from "node:fs";
import type { ForeignEditsSettings } from "../messages/foreign-edits.ts";
import type { SteadyFacts } from "../definition/steady.ts";
import type { PreviewFacts } from "../preview/facts.ts";
import type { Entry } from "../ledger/ledger.ts";
import type { TaggedLedger } from "../ledger/tag-store.ts";
import type { ObjectKey } from "../ledger/identity.ts";
import type { JsonMap } from "../values/json.ts";
import { reasonOf } from "../values/wording.ts";

export interface RunFacts {
  /** By object, the inputs that a killed run was writing when it ended, with the values that it was asked for. */
  readonly halfWritten?: Readonly<Record<ObjectKey, JsonMap>>;
  /** The run reads objects only because an earlier one was killed, or published a release. It puts back nothing that people have changed. */
  readonly goesOn?: true | undefined;
  /** The accounts that the state's resources are in. */
  readonly accounts?: readonly RecordedAccount[];
  /** The accounts of keys that the plan of the same command has asked just now. */
  readonly keys?: readonly AccountOfKey[] | undefined;
  /** By object, the identities of all resources of the state that share it, even of those that the run deletes. */
  readonly shared?: Readonly<Record<ObjectKey, readonly string[]>>;
  /** The state's objects that a run without targets changes or deletes. */
  readonly ours?: readonly ObjectKey[];
  /** The objects that the run gives up and leaves in the account, as its plan says. */
  readonly leaves?: readonly ObjectKey[];
  /** Types of the objects that the run creates, as its plan says. */
  readonly creates?: readonly string[];
  /** The engine saves the state once, at the end of the run. */
  readonly savesAtEnd?: true;
  /** The folder that holds the ledger of creations, if that goes with the state. */
  readonly ledger?: string;
  /** No run had kept the ledger before. */
  readonly isNewLedger?: true;
  /** The ledger, if no folder goes with the state. */
  readonly tags?: TaggedLedger;
  /** If neither goes with the state: creations that the state calls unfinished. */
  readonly pending?: readonly Entry[];
  /** The decision of this run about drafts of others, and those of them that were reviewed. */
  readonly foreignEdits?: Omit<ForeignEditsSettings, "stack"> | undefined;
  /** The file of this run's history, to which the run adds the values that objects held before. They are sealed with the key of KEY_VARIABLE. */
  readonly history?: string | undefined;
  /** For an undo, sealed with the same key: the values that it writes beyond the declared ones. */
  readonly restore?: string | undefined;
  /** By id, the pages that the run deletes and whose address another page takes, with the date of the last edit that the plan has decided about. */
  readonly makesWay?: Readonly<Record<string, string>> | undefined;
  /** Look at the public page after each publication. */
  readonly verify?: boolean | undefined;
  /** The program runs as a preview. */
  readonly preview?: PreviewFacts | undefined;
  /** The outputs that can be told before the run. */
  readonly steady?: SteadyFacts;
}

export interface RecordedAccount {
  /** The provider, by the variable that its key comes from; none for the stack's own. */
  readonly apiKeyEnv?: string;
  /** Id of the account that its resources are in. */
  readonly account: string;
}

export interface AccountOfKey {
  /** A name of the key (`nameOfKey`). */
  readonly key: string;
  readonly account: string;
}

export const FACTS_VARIABLE = "LANDFORM_FACTS";
/** Numbers the runs of a host that serves several. */
export const RUN_VARIABLE = "LANDFORM_RUN";
/** The run's key for its history. Like the passphrase, it is on no disk unless it is sealed. */
export const KEY_VARIABLE = "LANDFORM_HISTORY_KEY";

let read: { file: string; facts: RunFacts } | undefined;

/** Returns the facts. Nothing is known if the program runs without the command line. */
export function runFacts(env = process.env): RunFacts {
  const file = env[FACTS_VARIABLE];
  if (file === undefined || file === "") return {};
  if (read?.file !== file) read = { file, facts: factsIn(file) };
  return read.facts;
}

function factsIn(file: string): RunFacts {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as RunFacts;
  } catch (error) {
    const what = `${FACTS_VARIABLE} names ${file}, which can't be read: ${reasonOf(error)}`;
    throw new Error(`${what}. Unset it, or run landform again`, { cause: error });
  }
}
