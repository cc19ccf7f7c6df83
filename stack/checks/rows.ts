/** The records of what a plan takes over and changes, each read once. */
import type { LandformApi } from "../../provider/api/index.ts";
import type { Snapshot } from "../../provider/account/bulk.ts";
import type { Collection, Identified } from "../../provider/definition/collection.ts";
import { bulkReads } from "../../provider/reconcile/run-context.ts";
import type { Change, Field } from "../report/model.ts";
import { known } from "../report/values.ts";
import type { Unheard } from "./unheard.ts";

/** A row, null where it can't be asked for: that is no answer. */
export type Rows = (collection: Collection, id: string) => Promise<Identified | null | undefined>;

/** Each list is read once. */
export function rowsOf(api: LandformApi, unheard: Unheard): Rows {
  const reads = new Map<Collection, Snapshot<Identified>>();
  return (collection, id) => {
    const rows = reads.get(collection) ?? bulkReads(collection, api);
    reads.set(collection, rows);
    return rows.read(id).catch((error: unknown) => {
      unheard.note(error);
      return null;
    });
  };
}

export function adoptedBy({ op, fields }: Change): Field["new"] {
  const adoptId = fields.find(({ path }) => path.join("\0") === "adoptId");
  return op === "adopt" || op === "replace" ? known(adoptId?.new) : undefined;
}
