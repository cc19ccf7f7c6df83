/** What the record of creations tells (docs/decisions/exactly-once.md), wherever it is kept. */
import type { StackRef } from "../../engine/index.ts";
import type {
  LostCreation,
  OpenQuestion,
  RecordedCreation,
  SoughtCreation,
  UnwantedCreation,
} from "../../provider/reconcile/creation-record.ts";
import { identityFor, ownIn, stackOf } from "../../provider/reconcile/identity.ts";
import { RecordFile, recordFileIn } from "../../provider/ledger/record-file.ts";
import { recordFolderOf } from "../../provider/ledger/record-place.ts";

export interface KeptCreations {
  /** All that is in no state, as far as the record knows. */
  readonly made: readonly RecordedCreation[];
  /** Creations that ended in a lost answer, and that no run has found since. */
  readonly lost: readonly LostCreation[];
  /** What runs asked the service for that shows it nowhere, where they ended before they knew what became of it. */
  readonly questions: readonly OpenQuestion[];
  /** Whether a creation may have ended without an answer, as far as the record tells. */
  mayBeUnanswered(own: string): boolean;
  /** What runs noted that were to remove it, and did not come to that. */
  readonly unwanted: readonly UnwantedCreation[];
  /** What was made anew since no look showed what a killed run had made. */
  readonly sought: readonly SoughtCreation[];
  /** Durably, before a run that may forget what it is to remove. `open`: URNs of all that the state knows to be under way. */
  note(unwanted: readonly UnwantedCreation[], open: readonly string[]): Promise<void>;
  /** `lost` were looked for, and whoever ran this was told; `gone` are no longer there; of `removed` (OWN) nothing is left; `sought` (OWN) need be looked for no more. */
  forget(ended: Ended): Promise<void>;
}

export interface Ended {
  readonly lost: readonly Pick<LostCreation, "own">[];
  readonly gone: readonly Pick<RecordedCreation, "own" | "id">[];
  readonly removed: readonly string[];
  readonly sought: readonly string[];
}

export const NOTHING_KEPT: KeptCreations = {
  made: [],
  lost: [],
  questions: [],
  mayBeUnanswered: () => true,
  unwanted: [],
  sought: [],
  note: () => Promise.resolve(),
  forget: () => Promise.resolve(),
};

/** `root` holds the backend's `.pulumi`. */
export function keptInFolder(root: string, { project, stack }: StackRef): KeptCreations {
  const record = new RecordFile(recordFileIn(recordFolderOf(root), stackOf(project, stack)));
  return {
    made: record.creations,
    lost: record.lostOnes,
    questions: record.questions,
    mayBeUnanswered: (own) => record.isUnanswered(own) || record.isDoubtful(own),
    unwanted: record.unwanted,
    sought: record.sought,
    note: (unwanted, open) => {
      // Where there is no file yet, the first line says of which creations nothing is known.
      record.begin(
        () => false,
        open.map((urn) => ownIn(identityFor(urn))),
      );
      return record.noteUnwanted(unwanted);
    },
    forget: ({ lost, gone, removed, sought }) => {
      for (const { own } of lost) record.failed(own);
      for (const { own, id } of gone) record.settled(own, id);
      for (const own of removed) record.forgetUnwanted(own);
      for (const own of sought) record.forgetSought(own);
      return Promise.resolve();
    },
  };
}
