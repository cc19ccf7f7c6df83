/** What the record of creations tells (docs/decisions/exactly-once.md), wherever it is kept. */
import type { StackRef } from "../../engine/index.ts";
import type { LostCreation, RecordedCreation } from "../../provider/lifecycle/creation-record.ts";
import { stackOf } from "../../provider/lifecycle/identity.ts";
import { RecordFile, recordFileIn } from "../../provider/pulumi/record-file.ts";
import { recordFolderOf } from "../../provider/pulumi/record-place.ts";

export interface KeptCreations {
  /** All that is in no state, as far as the record knows. */
  readonly made: readonly RecordedCreation[];
  /** Creations that ended in a lost answer, and that no run has found since. */
  readonly lost: readonly LostCreation[];
  /** `lost` were looked for, and whoever ran this was told; `gone` are no longer there. */
  forget(ended: Ended): Promise<void>;
}

export interface Ended {
  readonly lost: readonly LostCreation[];
  readonly gone: readonly Pick<RecordedCreation, "own" | "id">[];
}

export const NOTHING_KEPT: KeptCreations = { made: [], lost: [], forget: () => Promise.resolve() };

/** `root` holds the backend's `.pulumi`. */
export function keptInFolder(root: string, { project, stack }: StackRef): KeptCreations {
  const record = new RecordFile(recordFileIn(recordFolderOf(root), stackOf(project, stack)));
  return {
    made: record.creations,
    lost: record.lostOnes,
    forget: ({ lost, gone }) => {
      for (const { own } of lost) record.failed(own);
      for (const { own, id } of gone) record.settled(own, id);
      return Promise.resolve();
    },
  };
}
