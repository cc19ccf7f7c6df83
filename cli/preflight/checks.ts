/** What is sure to fail in an apply, asked of the account before anything is sent. Reads alone. */
import { identityFor, ownIn, stackIn } from "../../provider/lifecycle/identity.ts";
import { type Json, isRecord, nameOf, type PropertyMap } from "../../engine/index.ts";
import { type LandformApi, NotFoundError } from "../../provider/api/index.ts";
import { LookupError, type Collection } from "../../provider/collection.ts";
import type { AnyDefinition } from "../../provider/define.ts";
import type { PlannedChange } from "../../provider/foresight.ts";
import { unadoptable } from "../../provider/lifecycle/adopt.ts";
import { ObjectState } from "../../provider/lifecycle/object-state.ts";
import { refersTo } from "../../provider/references.ts";
import { definitionOf, registry } from "../../provider/registry.ts";
import { templates } from "../../provider/resources/pages/templates.ts";
import { schemaBelow } from "../../provider/schema-walk.ts";
import { LATER, SECRET, type Change, type Failure, type Field } from "../report/model.ts";
import { decisive } from "../report/steps.ts";
import type { Told } from "../report/told.ts";
import { known, shown } from "../report/values.ts";
import { adoptedBy, type Rows } from "./rows.ts";
import { idsTakenOver, type Found } from "./taken-over.ts";
import { Unheard } from "./unheard.ts";
import { pathText } from "../render/path-text.ts";

export interface PlannedChanges {
  changes: readonly Change[];
  /** By URN, all that was told of each resource. */
  told: ReadonlyMap<string, Told>;
  /** The URNs whose creation a run began that was interrupted. */
  begun: ReadonlySet<string>;
}

/** What the run and its stack say about edits of others. */
export type ForeignEditsWords = PlannedChange["foreignEdits"];

/** The ids that a plan refers to, each asked for once: what isn't there is named with what is near. */
export async function missingReferences(
  api: LandformApi,
  { changes, told }: PlannedChanges,
  unheard: Unheard,
): Promise<Failure[]> {
  const asked = new Map<string, Promise<string | undefined>>();
  const ask = (collection: Collection, id: string) => {
    const key = `${collection.what} ${id}`;
    const answer = asked.get(key) ?? absence(api, collection, id, unheard);
    asked.set(key, answer);
    return answer;
  };
  const found = changes.flatMap((change) =>
    sentIn(change, declaredIn(change, told.get(change.urn))).map(async ({ path, value }): Promise<Failure[]> => {
      const id = known(value);
      if (typeof id !== "string") return [];
      // What may be of several kinds is missing where it is none of them.
      const [reason, ...others] = await Promise.all(collectionsFor(change, path).map((one) => ask(one, id)));
      if (reason === undefined || others.includes(undefined)) return [];
      return [failed(change, `${pathText(path)}: ${reason}`)];
    }),
  );
  return (await Promise.all(found)).flat();
}

interface Sent {
  path: Field["path"];
  value: Field["new"];
}

/** What changes, and of a list all that stays in it: it is sent as a whole, and to a new object in any case. */
function sentIn({ op, fields }: Change, inputs: PropertyMap): Sent[] {
  const changed = fields.map(({ path, new: value }) => ({ path, value }));
  const whole = op === "replace" ? Object.keys(inputs) : fields.map(({ path }) => String(path[0]));
  const lists = op === "delete" ? [] : new Set(whole);
  const told = new Set(changed.map(({ path }) => path.join("\0")));
  const rest = [...lists].flatMap((name) => {
    const value = shown(inputs[name] ?? null);
    return Array.isArray(value) ? [...leavesOf(value, [name])].filter(({ path }) => !told.has(path.join("\0"))) : [];
  });
  return [...changed, ...rest];
}

function* leavesOf(value: Json, path: Sent["path"]): Generator<Sent> {
  if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* leavesOf(item, [...path, index]);
  else if (isRecord(value)) for (const [key, item] of Object.entries(value)) yield* leavesOf(item, [...path, key]);
  else yield { path, value };
}

function collectionsFor({ type }: Change, path: Field["path"]): Collection[] {
  const schema = path.reduce<unknown>(schemaBelow, definitionOf(type)?.inputs);
  const kinds = Object.values<AnyDefinition>(registry);
  const all: Collection[] = [
    ...kinds.flatMap(({ collection, lookup }) => [collection ?? [], lookup ?? []].flat()),
    templates,
  ];
  const found = refersTo(schema).map((what) => all.find((collection) => collection.what === what));
  return found.flatMap((collection) => collection ?? []);
}

/** Why it can't be referred to; undefined where it can, or where the answer says nothing about that. */
async function absence(
  api: LandformApi,
  collection: Collection,
  id: string,
  unheard: Unheard,
): Promise<string | undefined> {
  try {
    await collection.read(api, id);
    return undefined;
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof LookupError) return error.message;
    unheard.note(error);
    return undefined;
  }
}

/** What the kinds themselves foresee. A question that can't be asked is no answer: the apply will ask it. */
export async function foreseen(
  api: LandformApi,
  { changes, told, begun }: PlannedChanges,
  foreignEdits: ForeignEditsWords,
  { found, unheard }: { found: Promise<readonly Found[]>; unheard: Unheard },
): Promise<Failure[]> {
  const planned = objectsChanged(changes);
  const takenOver = idsTakenOver(await found);
  const failures = changes.map(async (change): Promise<Failure[]> => {
    const foresee = definitionOf(change.type)?.foresee;
    if (foresee === undefined || change.op === "delete") return [];
    const inputs = declaredIn(change, told.get(change.urn));
    const isBegun = begun.has(change.urn);
    const around = { inputs, planned, takenOver, isBegun, foreignEdits };
    const messages = await foresee(api, plannedChange(change, around)).catch(unheard.note);
    return (messages ?? []).map((message) => failed(change, message));
  });
  return (await Promise.all(failures)).flat();
}

/** What stays in the account keeps its address, too, unless something else of the plan takes it over, or the place that it had. */
function objectsChanged(changes: readonly Change[]): Set<string> {
  const ids = changes.flatMap((change) => {
    const adopted = adoptedBy(change);
    const makesWay = change.reason?.code === "left behind by a replacement";
    const stays = change.op === "delete" && change.stays === "in place" && !makesWay;
    return [stays ? [] : (change.id ?? []), typeof adopted === "string" ? adopted : []].flat();
  });
  return new Set(ids);
}

/** Objects that are to be taken over, and are another resource's already: two would write to one. */
export function heldObjects({ changes, told }: PlannedChanges): Failure[] {
  const going = new Set(changes.flatMap(({ op, urn }) => (op === "delete" || op === "replace" ? [urn] : [])));
  // What a refresh found gone is nobody's.
  const holders = new Map(
    [...told.values()].flatMap(({ urn, id, live }) =>
      id === "" || live === null || going.has(urn) ? [] : [[id, urn] as const],
    ),
  );
  const taken = new Map<string, string>();
  return changes.flatMap((change) => {
    const id = adoptedBy(change);
    if (typeof id !== "string" || definitionOf(change.type) === undefined) return [];
    const other = holders.get(id) ?? taken.get(id);
    taken.set(id, change.urn);
    if (other === undefined || other === change.urn) return [];
    return [
      failed(change, `adoptId: ${id} is ${nameOf(other)} of this stack already. Remove one of the two, or target both`),
    ];
  });
}

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
  const going = new Set(changes.filter(goes).flatMap(({ id }) => id ?? []));
  const found = changes.map(async (change): Promise<Deletions> => {
    const { id, op, stays, type, urn } = change;
    const foresee = definitionOf(type)?.foreseeDeletion;
    if (foresee === undefined || op !== "delete" || stays !== undefined || id === undefined) return NONE;
    const moving = new Set(changes.filter(({ fields }) => fields.some(leaves(id))).flatMap((one) => one.id ?? []));
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

const NONE: Deletions = { failures: [], staying: [] };

/** What is only retired still refers to what it did, and is told by its kind. */
function goes({ op, stays, reason }: Change): boolean {
  if (op === "replace") return reason?.code !== "old stays" || reason.stay === "retired";
  return op === "delete" && stays !== "in place";
}

function leaves(id: string): (field: Field) => boolean {
  return ({ kind, old, stays }) => kind === "update" && old === id && stays !== true;
}

/** Objects that are to be updated or taken over, and aren't there: the apply would only find that out on the way. */
export async function goneObjects(rows: Rows, changes: readonly Change[]): Promise<Failure[]> {
  const isGone = async (collection: Collection, id: string) => (await rows(collection, id)) === undefined;
  const found = changes.map(async (change): Promise<Failure[]> => {
    const { id, op, type } = change;
    const { kind = "", collection, lookup = collection } = definitionOf(type) ?? {};
    const adoptId = adoptedBy(change);
    if (lookup !== undefined && typeof adoptId === "string" && (await isGone(lookup, adoptId)))
      return [failed(change, notThereText(kind, adoptId))];
    const updates = op === "update" && collection !== undefined && id !== undefined;
    return updates && (await isGone(collection, id)) ? [failed(change, goneText(kind, id))] : [];
  });
  return (await Promise.all(found)).flat();
}

/** Objects that are to be taken over, and can't become what is declared. */
export async function fixedObjects(rows: Rows, { changes, told }: PlannedChanges): Promise<Failure[]> {
  const found = changes.map(async (change): Promise<Failure[]> => {
    const definition = definitionOf(change.type);
    const adoptId = adoptedBy(change);
    if (definition?.collection === undefined || typeof adoptId !== "string") return [];
    const row = await rows(definition.collection, adoptId);
    if (!row) return [];
    const object = new ObjectState(definition, adoptId);
    object.learn(definition.answerOf(row));
    const inputs = Object.entries(declaredIn(change, told.get(change.urn))).flatMap(([field, value]) => {
      const plain = known(shown(value));
      return field in definition.inputs.shape && plain !== undefined ? [[field, plain] as const] : [];
    });
    return unadoptable(definition, object, Object.fromEntries(inputs), adoptId).map((why) => failed(change, why));
  });
  return (await Promise.all(found)).flat();
}

function notThereText(kind: string, id: string): string {
  return `adoptId: there is no ${kind} "${id}" in this account, or the key can't see it. Correct the id, or remove adoptId to create a new ${kind}`;
}

function goneText(kind: string, id: string): string {
  return (
    `${kind} ${id} is no longer in the account: somebody deleted it. With --refresh (preview and up) it is made anew; ` +
    `if it is to stay deleted, remove it from the code, too`
  );
}

function declaredIn({ op }: Change, told: Told | undefined): PropertyMap {
  return (told && decisive(told.steps, op)?.new?.inputs) ?? {};
}

interface Around {
  inputs: PropertyMap;
  planned: ReadonlySet<string>;
  takenOver: ReadonlyMap<string, readonly (string | undefined)[]>;
  isBegun: boolean;
  foreignEdits: ForeignEditsWords;
}

function plannedChange(change: Change, around: Around): PlannedChange {
  const { inputs, planned, takenOver, isBegun, foreignEdits } = around;
  const { op, id, type, fields, url } = change;
  return {
    op,
    isPublic: url !== undefined,
    ...(id === undefined ? {} : { id }),
    planned,
    isBegun,
    foreignEdits,
    value: (...path) => known(fields.find((field) => field.path.join("\0") === path.join("\0"))?.new),
    declared: (...path) => known(shown(valueAt(inputs, path) ?? null)) ?? undefined,
    hides: (...path) => known(shown(valueAt(inputs, path) ?? null)) === undefined,
    // What isn't known yet comes from something else that is planned.
    stands: (...path) => {
      const value = shown(valueAt(inputs, path) ?? null);
      if (value !== LATER) return typeof value === "string" && value !== SECRET ? [value] : [];
      const [what = "", other] = refersTo(path.reduce<unknown>(schemaBelow, definitionOf(type)?.inputs));
      const candidates = other === undefined ? (takenOver.get(what) ?? []) : [];
      return candidates.every((one) => one !== undefined) ? candidates : [];
    },
    added: (name) =>
      fields.flatMap(({ path, kind }) =>
        kind === "add" && path[0] === name && path.length === 2 ? [String(path[1])] : [],
      ),
  };
}

function valueAt(inputs: PropertyMap, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>((here, step) => (isRecord(here) ? here[step] : undefined), inputs);
}

/** Something that goes and something new on the same path may be one thing under two names. */
export function renamedInPlace(changes: readonly Change[]): string[] {
  return changes.flatMap((change) => {
    const slug = known(change.fields.find(({ path }) => path[0] === "publish" && path[1] === "slug")?.new);
    if (change.op !== "create" || typeof slug !== "string") return [];
    const path = `/${slug.replace(/^\/+/, "")}`;
    const gone = changes.find((other) => isGoneFrom(path, other) && other.type === change.type);
    if (gone === undefined) return [];
    const alias = `aliases: [{ name: "${gone.name}" }]`;
    return [
      `${change.type} ${change.name} is new and ${gone.name} goes, on the same path ${path}. If it was renamed, say so with the option ${alias}, and nothing is deleted`,
    ];
  });
}

function isGoneFrom(path: string, { op, url }: Change): boolean {
  return op === "delete" && url !== undefined && URL.parse(url)?.pathname === path;
}

function failed({ urn, type, name }: Change, message: string): Failure {
  return { cause: "program", urn, message: `${type} ${name}: ${message}` };
}
