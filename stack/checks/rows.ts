/** The records of what a plan takes over and changes, each read once. */
import type { Account } from "../../provider/account/account.ts";
import type { Collection, Identified } from "../../provider/definition/collection.ts";
import type { Change, Field } from "../report/model.ts";
import { known } from "../report/values.ts";
import type { Unheard } from "./unheard.ts";

/** A row, null where it can't be asked for: that is no answer. */
export type Rows = (collection: Collection, id: string) => Promise<Identified | null | undefined>;

/** Each list is read once. */
export function rowsOf(account: Account, unheard: Unheard): Rows {
  return (collection, id) =>
    account.row(collection, id).catch((error: unknown) => {
      unheard.note(error);
      return null;
    });
}

export function adoptedBy({ op, fields }: Change): Field["new"] {
  const adoptId = fields.find(({ path }) => path.join("\0") === "adoptId");
  return op === "adopt" || op === "replace" ? known(adoptId?.new) : undefined;
}
