/** Asks each kind what it foresees of a plan. */
import { isRecord, type Json, type PropertyMap } from "../../engine/index.ts";
import type { Account } from "../../provider/account/account.ts";
import type { LandformApi } from "../../provider/api/index.ts";
import type { PlannedChange, PlannedDeletion } from "../../provider/definition/foresight.ts";
import { refersTo, schemaBelow } from "../../provider/definition/schema-walk.ts";
import { definitionOf, keyOfType } from "../../provider/kinds/registry.ts";
import { type Change, type Failure, type Field, LATER, SECRET, type Stay } from "../report/model.ts";
import { objectsLeftBy, oldOf } from "../report/decide.ts";
import { known, shown } from "../report/values.ts";
import { type Told, wantedOf, inputsOf } from "../report/steps.ts";
import {
  adoptedBy,
  askEach,
  failed,
  type ForeignEditsPolicies,
  newOf,
  type PlannedChanges,
  Unheard,
} from "./planned.ts";
import type { Found } from "./objects.ts";
import type { Path } from "../../provider/values/paths.ts";
import { identityFor, type ObjectKey, resourceKeyIn, stackIn } from "../../provider/ledger/identity.ts";

/** A question that got no answer gives no finding. It is told apart. */
export async function foreseen(
  api: LandformApi,
  { changes, told, isBegun }: PlannedChanges,
  foreignEdits: ForeignEditsPolicies,
  { found, unheard }: { found: Promise<readonly Found[]>; unheard: Unheard },
): Promise<Failure[]> {
  const planned = objectsChanged(changes);
  const objects = await found;
  return askEach(changes, async (change): Promise<Failure[]> => {
    const foresee = definitionOf(change.type)?.plan.foresee;
    if (foresee === undefined || change.op === "delete") return [];
    const one = told.get(change.urn);
    const inputs = inputsOf(change, one);
    const stands = (path: Path) => standsFor(change.type, path, { objects, one });
    const around = { inputs, planned, stands, isBegun: () => isBegun(change.urn), foreignEdits };
    const messages = await foresee(api, plannedChange(change, around)).catch(unheard.note);
    return (messages ?? []).map(({ text, at, holder }) => ({ ...failed(change, text, at), ...(holder && { holder }) }));
  });
}

/** An object that stays in the account keeps its address, unless another change of the plan takes the object or its place over. */
function objectsChanged(changes: readonly Change[]): Set<ObjectKey> {
  const keys = changes.flatMap((change) => {
    const makesWay = change.reason?.code === "left behind by a replacement";
    const stays = change.op === "delete" && change.stays === "in place" && !makesWay;
    const ids = [stays ? undefined : change.id, adoptedBy(change)];
    return ids.flatMap((id) => (id === undefined ? [] : [keyOfType(change.type, id)]));
  });
  return new Set(keys);
}

interface Around extends Pick<PlannedChange, "planned" | "isBegun" | "foreignEdits"> {
  inputs: PropertyMap;
  stands: (path: Path) => readonly string[];
}

function plannedChange(change: Change, { inputs, stands, ...around }: Around): PlannedChange {
  const { op, id, fields, url, reason } = change;
  const declared = (path: readonly string[]) => shown(valueAt(inputs, path) ?? null);
  return {
    ...{ ...around, op, id, isPublic: url !== undefined, carriesOn: reason?.code === "carries on" },
    value: (...path) => known(newOf(change, ...path)),
    declared: (...path) => known(declared(path)) ?? undefined,
    hides: (...path) => known(declared(path)) === undefined,
    // A value that isn't known yet comes from another planned resource.
    stands: (...path) => {
      const value = declared(path);
      if (value !== LATER) return typeof value === "string" && value !== SECRET ? [value] : [];
      return stands(path);
    },
    added: (name) =>
      fields.flatMap(({ path, kind }) =>
        kind === "add" && path[0] === name && path.length === 2 ? [String(path[1])] : [],
      ),
  };
}

/** Returns the existing objects that a reference to a planned resource may mean. Empty if the run makes one of them. */
export function standsFor(
  type: string,
  path: Path,
  { objects, one }: { readonly objects: readonly Found[]; readonly one: Told | undefined },
): readonly string[] {
  const [kind = "", other] = refersTo(path.reduce<unknown>(schemaBelow, definitionOf(type)?.inputs));
  if (other !== undefined) return [];
  const all = objects.filter((found) => found.kind === kind);
  const urns = wantedOf(one)?.propertyDependencies?.[String(path[0])] ?? [];
  const meant = all.filter(({ change }) => urns.includes(change.urn));
  const ids = (meant.length === 1 ? meant : all).map(({ id }) => id);
  return ids.every((id) => id !== undefined) ? ids : [];
}

function valueAt(inputs: PropertyMap, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>((here, step) => (isRecord(here) ? here[step] : undefined), inputs);
}

/** The result of asking about deletions: sure failures, and the URNs of the objects that have to stay. */
export interface Deletions {
  failures: Failure[];
  staying: string[];
}

export async function foreseenDeletions(
  account: Account,
  changes: readonly Change[],
  unheard = new Unheard(),
): Promise<Deletions> {
  // An object that is only retired still refers to others, and its kind tells about it.
  const going = objectsOf(changes.filter((change) => endOf(change) !== "in place"));
  const left = new Set(objectsLeftBy(changes));
  const found = changes.map(async (change): Promise<Deletions> => {
    const { id, op, type, urn } = change;
    const { collection, shown, plan } = definitionOf(type) ?? {};
    const foresee = plan?.foreseeDeletion;
    if (!collection || !shown || !foresee || endOf(change) !== "deleted" || id === undefined) return NONE;
    const leaves = ({ kind, old, stays }: Field) => kind === "update" && old === id && stays !== true;
    const moving = objectsOf(changes.filter(({ fields }) => fields.some(leaves)));
    const stack = stackIn(resourceKeyIn(identityFor(urn)));
    const answer: PlannedDeletion["answer"] = async (accept) => {
      const row = await account.row(collection, id, (listed) => accept(shown.answerOf(listed)));
      return row && shown.answerOf(row);
    };
    const planned = { id, answer, going, moving, left, stack };
    const deletion = await foresee(account.api, planned).catch(unheard.note);
    if (deletion === undefined) return NONE;
    const failures = deletion.refused.map((message) => failed(change, message));
    return { failures, staying: deletion.stays && op === "delete" ? [urn] : [] };
  });
  return inAll(await Promise.all(found));
}

function objectsOf(changes: readonly Change[]): Set<ObjectKey> {
  return new Set(changes.flatMap(({ type, id }) => (id === undefined ? [] : [keyOfType(type, id)])));
}

export const NONE: Deletions = { failures: [], staying: [] };

export function inAll(all: readonly Deletions[]): Deletions {
  return { failures: all.flatMap(({ failures }) => failures), staying: all.flatMap(({ staying }) => staying) };
}

/** Tells what becomes of the object that there was. */
export function endOf(change: Change): "deleted" | Stay {
  const { op, stays } = change;
  if (op === "replace") return oldOf(change).stay ?? "deleted";
  return op === "delete" ? (stays ?? "deleted") : "in place";
}
