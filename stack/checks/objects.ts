/** Asks the account which changes of a plan are sure to fail, before anything is sent. It only reads. */
import { aboutOf, inputsOf } from "../report/steps.ts";
import { pagesOf } from "../run/releases.ts";
import { type Learned, takenOverByName } from "../report/decide.ts";
import { nameOf, typeOf, type Json, isRecord, type PropertyMap } from "../../engine/index.ts";
import { type Collection, type Identified, LookupError } from "../../provider/definition/collection.ts";
import { unadoptable } from "../../provider/reconcile/adopt.ts";
import { ObjectState } from "../../provider/reconcile/object-state.ts";
import { refersTo, schemaBelow } from "../../provider/definition/schema-walk.ts";
import { definitionOf, keyOfType, registry } from "../../provider/kinds/registry.ts";
import { type Change, type Failure, LATER, type Field } from "../report/model.ts";
import { known, shown, pathText } from "../report/values.ts";
import {
  adoptedBy,
  askEach,
  failed,
  newOf,
  type PlannedChanges,
  type Rows,
  type Unheard,
  type Warned,
  warned,
} from "./planned.ts";
import { type LandformApi, NotFoundError } from "../../provider/api/index.ts";
import type { TakenOver } from "../../provider/definition/foresight.ts";
import { type AdoptedPage, type MovedPage, placeOf } from "../report/addresses.ts";
import { isPublic, publishOf } from "../report/impact.ts";
import { nameText } from "../report/text.ts";
import type { ObjectKey } from "../../provider/ledger/identity.ts";
import type { AnyDefinition } from "../../provider/definition/define.ts";
import { text } from "../../provider/values/json.ts";
import { templates } from "../../provider/lookups/templates.ts";

/** Finds objects that the plan takes over although another resource already has them. Two resources would write to one object. */
export function heldObjects({ changes, told }: PlannedChanges): Failure[] {
  const going = new Set(changes.flatMap(({ op, urn }) => (op === "delete" || op === "replace" ? [urn] : [])));
  // An object that a refresh found deleted belongs to no resource.
  const holders = new Map(
    [...told.values()].flatMap(({ urn, id, live }) =>
      id === "" || live === null || going.has(urn) ? [] : [[keyOfType(typeOf(urn), id), urn] as const],
    ),
  );
  const taken = new Map<ObjectKey, string>();
  return changes.flatMap((change) => {
    const id = adoptedBy(change);
    if (id === undefined || definitionOf(change.type) === undefined) return [];
    const key = keyOfType(change.type, id);
    const other = holders.get(key) ?? taken.get(key);
    taken.set(key, change.urn);
    if (other === undefined || other === change.urn) return [];
    return [
      failed(change, `adoptId: ${id} is ${nameOf(other)} of this stack already. Remove one of the two, or target both`),
    ];
  });
}

/**
 * Finds objects that the plan needs and that don't exist: those that it updates or takes over, and the other pages of its releases, which
 * go public together or not at all. The apply would find that out only on the way.
 */
export async function goneObjects(
  rows: Rows,
  { changes, told }: Pick<PlannedChanges, "changes" | "told">,
): Promise<Failure[]> {
  const isGone = async (collection: Collection, id: string) => (await rows(collection, id)) === undefined;
  const goneOne = async (one: Pick<Change, "urn" | "type" | "name" | "id">): Promise<Failure[]> => {
    const { kind = "", collection } = definitionOf(one.type) ?? {};
    if (collection === undefined || one.id === undefined || !(await isGone(collection, one.id))) return [];
    // The code may be right.
    return [{ ...failed(one, goneText(kind, one.id)), cause: "stale" }];
  };
  const found = changes.map(async (change): Promise<Failure[]> => {
    const { type } = change;
    const { kind = "", collection, lookup = collection } = definitionOf(type) ?? {};
    const adoptId = adoptedBy(change);
    if (lookup !== undefined && adoptId !== undefined && (await isGone(lookup, adoptId))) {
      const text = `adoptId: there is no ${kind} "${adoptId}" in this account, or the key can't see it. Correct the id, or remove adoptId to create a new ${kind}`;
      return [failed(change, text)];
    }
    return change.op === "update" ? await goneOne(change) : [];
  });
  const changed = new Set(changes.map(({ urn }) => urn));
  const releases = changes.flatMap(({ urn }) => told.get(urn) ?? []);
  const others = pagesOf(releases, told).filter(({ urn }) => !changed.has(urn));
  const left = others.map((one) => goneOne({ ...aboutOf(one, typeOf(one.urn)), id: one.id }));
  return (await Promise.all([...found, ...left])).flat();
}

/** Finds pages that somebody has moved in the app: an update that leaves the address alone publishes them where they are. */
export function movedPages(rows: Rows, changes: readonly Change[]): Promise<MovedPage[]> {
  return askEach(changes, async (change): Promise<MovedPage[]> => {
    const { id, op, type, url, fields } = change;
    const { collection, shown } = definitionOf(type) ?? {};
    const isLeft = !fields.some(({ path: [input] }) => input === "publish");
    if (op !== "update" || !isLeft || !isPublic(type, "address") || !collection || !id || !url) return [];
    const urlIn = (row: Identified): string | undefined => shown && placeOf(shown.answerOf(row))?.url;
    const isHere = (row: Identified): boolean => isSamePath(url, urlIn(row) ?? url);
    // A list that lags shows where our last run moved it from.
    const row = await rows(collection, id, isHere);
    return row == null || isHere(row) ? [] : [{ change, now: urlIn(row) ?? url }];
  });
}

export function movedText({ change, now }: MovedPage): Warned {
  const text = `${change.type} ${nameText(change.name)} is at ${now} now, where somebody moved it in the app, and stays there`;
  const back = { command: "up", arguments: ["--refresh"], reason: `moves it back to ${change.url ?? ""}.` } as const;
  return warned(change, ["publish"], text, [back]);
}

/** Another domain of the site is no move. */
export function isSamePath(url: string | undefined, now: string): boolean {
  return url !== undefined && pathIn(url) === pathIn(now);
}

function pathIn(url: string): string | undefined {
  return URL.parse(url)?.pathname.replace(/\/+$/, "").toLowerCase();
}

/** Finds objects that the plan takes over, although no call can give them the declared values. */
export function fixedObjects(rows: Rows, { changes, told }: PlannedChanges): Promise<Failure[]> {
  return askEach(changes, async (change): Promise<Failure[]> => {
    const definition = definitionOf(change.type);
    const adoptId = adoptedBy(change);
    if (definition?.collection === undefined || adoptId === undefined) return [];
    const row = await rows(definition.collection, adoptId);
    if (!row) return [];
    const object = new ObjectState(definition, adoptId);
    object.learn(definition.shown.answerOf(row));
    const inputs = Object.entries(inputsOf(change, told.get(change.urn))).flatMap(([field, value]) => {
      const plain = known(shown(value));
      return field in definition.inputs.shape && plain !== undefined ? [[field, plain] as const] : [];
    });
    return unadoptable(definition, object, Object.fromEntries(inputs)).map((why) => failed(change, why));
  });
}

function goneText(kind: string, id: string): string {
  return (
    `somebody deleted ${kind} ${id} in the account. To make it anew, run preview and up with --refresh. ` +
    `To leave it deleted, remove it from the code`
  );
}

/** Finds a deletion and a creation on the same path. They may be one page under two names. */
export function renamedInPlace(changes: readonly Change[]): Warned[] {
  return changes.flatMap((change) => {
    const slug = known(newOf(change, "publish", "slug"));
    if (change.op !== "create" || typeof slug !== "string") return [];
    const path = `/${slug.replace(/^\/+/, "")}`;
    const gone = changes.find(
      ({ op, url = "", type }) => op === "delete" && URL.parse(url)?.pathname === path && type === change.type,
    );
    if (gone === undefined) return [];
    const alias = `aliases: [{ name: "${gone.name}" }]`;
    const text = `${change.type} ${change.name} is new and ${gone.name} goes, on the same path ${path}. If it was renamed, say so with the option ${alias}, and nothing is deleted`;
    return [warned(change, ["publish", "slug"], text)];
  });
}

export interface Found {
  readonly change: Change;
  readonly kind: string;
  /** Undefined where a new object is made, or where nobody can tell. */
  readonly id: string | undefined;
  /** The object that was found by its name, or among the retired ones. */
  readonly there?: TakenOver;
  /** An earlier run of this stack had to leave the object. */
  readonly left?: true;
}

export function objectsTakenOver(
  api: LandformApi,
  { changes, leftAs }: Pick<PlannedChanges, "changes" | "leftAs">,
  unheard: Unheard,
): Promise<Found[]> {
  const taken = new Set<ObjectKey>();
  return askEach(changes, async (change): Promise<Found[]> => {
    const { kind, plan } = definitionOf(change.type) ?? {};
    if (kind === undefined || change.op === "update" || change.op === "delete") return [];
    const named = newOf(change, "name");
    const name = named === undefined ? change.name : known(named);
    if (change.op !== "create" || typeof name !== "string") return [{ change, kind, id: adoptedBy(change) }];
    const left = await leftAs(change.urn);
    if (left !== undefined) return [{ change, kind, id: left, left: true }];
    const project = newOf(change, "projectId");
    // An id that is not known yet is null.
    const projectId = project === undefined ? undefined : text(known(project)) || null;
    const free = (await plan?.takesOver?.(api, { name, projectId }).catch(unheard.note)) ?? [];
    const there = free.find(({ id }) => !taken.has(keyOfType(change.type, id)));
    if (there) taken.add(keyOfType(change.type, there.id));
    return [{ change, kind, id: there?.id, there }];
  });
}

/** Names the planned creations that take over an object of the same name. */
export function reusedByName(found: readonly Found[]): Warned[] {
  return found.flatMap(({ change, kind, there }) => {
    if (there === undefined || there.retired === true) return [];
    const { type, name } = change;
    const project = newOf(change, "projectId");
    const isIn = project === there.project || found.some(({ id }) => id === there.project);
    const moves = project !== undefined && there.project !== null && !isIn;
    const stays = moves ? ` The ${kind} stays in project ${there.project}, because the API can't move it.` : "";
    const text = `${type} ${name}: the run takes over ${kind} ${there.id}, which has that name already.${stays}`;
    return [warned(change, ["name"], text)];
  });
}

/** The rows of these creations, and of those that take over an object of an earlier run. */
export function rowsReused(found: readonly Found[]): [string, Learned][] {
  return found.flatMap(({ change: { urn }, there, left }): [string, Learned][] => {
    if (left === true) return [[urn, { op: "adopt", reason: { code: "adopts" } }]];
    if (there?.retired === true) return [[urn, { reason: { code: "reuses", id: there.id } }]];
    return there === undefined ? [] : [...takenOverByName([urn])];
  });
}

const SITE = ["publish", "siteId"];

export async function adoptedPages(
  rows: Rows,
  { changes, told }: Pick<PlannedChanges, "changes" | "told">,
  takenOver: Promise<readonly Found[]>,
): Promise<AdoptedPage[]> {
  const planned = Map.groupBy(await takenOver, ({ kind }) => kind);
  return askEach(changes, async (change): Promise<AdoptedPage[]> => {
    const [definition, adoptId, one] = [definitionOf(change.type), adoptedBy(change), told.get(change.urn)];
    const declared = one && publishOf(one, "new");
    const isPage = change.op === "adopt" && isPublic(change.type, "address");
    if (!isPage || !declared || declared.slug === LATER || !definition?.collection || adoptId === undefined) return [];
    const row = await rows(definition.collection, adoptId);
    if (!row) return [];
    const [what = ""] = refersTo(SITE.reduce<unknown>(schemaBelow, definition.inputs));
    const { siteId, slug } = declared;
    const live = placeOf(definition.shown.answerOf(row));
    const known = typeof siteId === "string" && siteId !== LATER;
    const sites = known ? [siteId] : (planned.get(what) ?? []).map(({ id }) => id);
    return [{ name: change.name, slug, sites, live }];
  });
}

// Finds ids that a plan refers to and that the account doesn't have.

/** Asks for each id once, and names a missing one together with similar ones. */
export function missingReferences(
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
  const sent = changes.flatMap((change) =>
    sentIn(change, inputsOf(change, told.get(change.urn))).map((one) => ({ ...one, change })),
  );
  return askEach(sent, async ({ change, path, value }): Promise<Failure[]> => {
    const id = known(value);
    if (typeof id !== "string") return [];
    // A reference that may be of several kinds is missing only if none of them has it.
    const [reason, ...others] = await Promise.all(collectionsFor(change, path).map((one) => ask(one, id)));
    if (reason === undefined || others.includes(undefined)) return [];
    return [failed(change, `${pathText(path)}: ${reason}`)];
  });
}

interface Sent {
  path: Field["path"];
  value: Field["new"];
}

/**
 * The values that a change sends: its changed fields, and all items of a changed list, because a list is sent as a whole. A new object gets
 * everything.
 */
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
  return refersTo(schema).flatMap((what) => COLLECTIONS.find((collection) => collection.what === what) ?? []);
}

const COLLECTIONS: readonly Collection[] = [
  ...Object.values<AnyDefinition>(registry).flatMap(({ collection, lookup }) =>
    [collection ?? [], lookup ?? []].flat(),
  ),
  templates,
];

/** Returns the reason why the id can't be referred to. Returns undefined if it can, or if the answer says nothing about that. */
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
