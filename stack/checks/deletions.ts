/** What the account says to the deletions of a plan. */
import { identityFor, ownIn, stackIn } from "../../provider/reconcile/identity.ts";
import type { LandformApi } from "../../provider/api/index.ts";
import type { ObjectKey } from "../../provider/definition/references.ts";
import { definitionOf, keyOfType } from "../../provider/kinds/registry.ts";
import type { Change, Failure, Field } from "../report/model.ts";
import { failed, Unheard } from "./planned.ts";

/** What the deletions of a plan come to: what is sure to fail, and the URNs of what has to stay. */
export interface Deletions {
  failures: Failure[];
  staying: string[];
}

export async function foreseenDeletions(
  api: LandformApi,
  changes: readonly Change[],
  unheard = new Unheard(),
): Promise<Deletions> {
  const going = objectsOf(changes.filter(goes));
  const found = changes.map(async (change): Promise<Deletions> => {
    const { id, op, stays, type, urn } = change;
    const foresee = definitionOf(type)?.plan.foreseeDeletion;
    if (foresee === undefined || op !== "delete" || stays !== undefined || id === undefined) return NONE;
    const moving = objectsOf(changes.filter(({ fields }) => fields.some(leaves(id))));
    const deletion = await foresee(api, { id, going, moving, stack: stackIn(ownIn(identityFor(urn))) }).catch(
      unheard.note,
    );
    if (deletion === undefined) return NONE;
    const failures = deletion.refused.map((message) => failed(change, message));
    return { failures, staying: deletion.stays ? [urn] : [] };
  });
  const all = await Promise.all(found);
  return { failures: all.flatMap(({ failures }) => failures), staying: all.flatMap(({ staying }) => staying) };
}

function objectsOf(changes: readonly Change[]): Set<ObjectKey> {
  return new Set(changes.flatMap(({ type, id }) => (id === undefined ? [] : [keyOfType(type, id)])));
}

const NONE: Deletions = { failures: [], staying: [] };

/** What is only retired still refers to what it did, and is told by its kind. */
function goes({ op, stays, reason }: Change): boolean {
  if (op === "replace") return reason?.code !== "old stays" || reason.stay === "retired";
  return op === "delete" && stays !== "in place";
}

function leaves(id: string): (field: Field) => boolean {
  return ({ kind, old, stays }) => kind === "update" && old === id && stays !== true;
}
