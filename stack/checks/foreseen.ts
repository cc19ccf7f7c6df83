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
import { adoptedBy, failed, type ForeignEditsPolicies, type PlannedChanges, Unheard } from "./planned.ts";
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
  const failures = changes.map(async (change): Promise<Failure[]> => {
    const foresee = definitionOf(change.type)?.plan.foresee;
    if (foresee === undefined || change.op === "delete") return [];
    const one = told.get(change.urn);
    const inputs = inputsOf(change, one);
    const stands = (path: Path) => standsFor(change.type, path, { objects, one });
    const around = { inputs, planned, stands, isBegun: () => isBegun(change.urn), foreignEdits };
    const messages = await foresee(api, plannedChange(change, around)).catch(unheard.note);
    return (messages ?? []).map(({ text, at, holder }) => ({ ...failed(change, text, at), ...(holder && { holder }) }));
  });
  return (await Promise.all(failures)).flat();
}

/** An object that stays in the account keeps its address, unless another change of the plan takes the object or its place over. */
function objectsChanged(changes: readonly Change[]): Set<ObjectKey> {
  const keys = changes.flatMap((change) => {
    const adopted = adoptedBy(change);
    const makesWay = change.reason?.code === "left behind by a replacement";
    const stays = change.op === "delete" && change.stays === "in place" && !makesWay;
    const ids = [stays ? [] : (change.id ?? []), typeof adopted === "string" ? adopted : []].flat();
    return ids.map((id) => keyOfType(change.type, id));
  });
  return new Set(keys);
}

interface Around {
  inputs: PropertyMap;
  planned: ReadonlySet<ObjectKey>;
  stands: (path: Path) => readonly string[];
  isBegun: () => Promise<boolean>;
  foreignEdits: ForeignEditsPolicies;
}

function plannedChange(change: Change, around: Around): PlannedChange {
  const { inputs, planned, isBegun, foreignEdits } = around;
  const { op, id, fields, url, reason } = change;
  return {
    op,
    isPublic: url !== undefined,
    id,
    planned,
    isBegun,
    carriesOn: reason?.code === "carries on",
    foreignEdits,
    value: (...path) => known(fields.find((field) => field.path.join("\0") === path.join("\0"))?.new),
    declared: (...path) => known(shown(valueAt(inputs, path) ?? null)) ?? undefined,
    hides: (...path) => known(shown(valueAt(inputs, path) ?? null)) === undefined,
    // A value that isn't known yet comes from another planned resource.
    stands: (...path) => {
      const value = shown(valueAt(inputs, path) ?? null);
      if (value !== LATER) return typeof value === "string" && value !== SECRET ? [value] : [];
      return around.stands(path);
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
  const candidates = other === undefined ? candidatesFor(objects, kind, dependingOn(one, String(path[0]))) : [];
  return candidates.every((id) => id !== undefined) ? candidates : [];
}

/** The resources that the value of an input is made of, if the engine tells. */
function dependingOn(told: Told | undefined, input: string): readonly string[] {
  return wantedOf(told)?.propertyDependencies?.[input] ?? [];
}

/** Returns the one planned object that is meant, or else all planned objects of the kind. */
function candidatesFor(objects: readonly Found[], kind: string, urns: readonly string[]): (string | undefined)[] {
  const all = objects.filter((one) => one.kind === kind);
  const meant = all.filter(({ change }) => urns.includes(change.urn));
  return (meant.length === 1 ? meant : all).map(({ id }) => id);
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
  const going = objectsOf(changes.filter(goes));
  const left = new Set(objectsLeftBy(changes));
  const found = changes.map(async (change): Promise<Deletions> => {
    const { id, op, type, urn } = change;
    const { collection, shown, plan } = definitionOf(type) ?? {};
    const foresee = plan?.foreseeDeletion;
    if (!collection || !shown || !foresee || endOf(change) !== "deleted" || id === undefined) return NONE;
    const moving = objectsOf(changes.filter(({ fields }) => fields.some(leaves(id))));
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

/** Tells if a change takes its object away. An object that is only retired still refers to others, and its kind tells about it. */
function goes(change: Change): boolean {
  return endOf(change) !== "in place";
}

/** Tells what becomes of the object that there was. */
function endOf(change: Change): "deleted" | Stay {
  const { op, stays } = change;
  if (op === "replace") return oldOf(change).stay ?? "deleted";
  return op === "delete" ? (stays ?? "deleted") : "in place";
}

function leaves(id: string): (field: Field) => boolean {
  return ({ kind, old, stays }) => kind === "update" && old === id && stays !== true;
}
