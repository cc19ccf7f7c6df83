/** Where a run keeps its record of creations (docs/decisions/exactly-once.md): beside the state, where that is a folder. */
import { identityFor, ownIn, stackOf } from "../../provider/reconcile/identity.ts";
import { RecordFile, recordFileIn } from "../../provider/ledger/record-file.ts";
import { recordFolderOf } from "../../provider/ledger/record-place.ts";
import type { RunFacts } from "../../provider/pulumi/run-facts.ts";
import type { StackFolder } from "../project/open.ts";
import { isHeldBy, type RecordedState } from "./recorded.ts";

/** `root` holds the backend's `.pulumi`. A run that changes nothing leaves the record as it is. */
export function beginRecord(
  root: string,
  { project, stack }: Pick<StackFolder, "project" | "stack">,
  { resources, pending }: RecordedState,
  changesNothing: boolean,
): Pick<RunFacts, "record"> {
  const folder = recordFolderOf(root);
  if (changesNothing) return { record: folder };
  const interrupted = pending.filter(({ type }) => type === "creating");
  new RecordFile(recordFileIn(folder, stackOf(project.name, stack))).begin(
    isHeldBy(resources),
    interrupted.map(({ resource }) => ownIn(identityFor(resource.urn))),
  );
  return { record: folder };
}
