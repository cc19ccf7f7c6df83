/**
 * Finds the objects that earlier creations of this resource left, by proof alone: the id in the ledger, or our marker in a name while a
 * creation is open. If there is no proof, and something is there that may be the object, nothing is made and nothing taken.
 */
import type { Found } from "../definition/collection.ts";
import { camelKeys, type JsonMap } from "../values/json.ts";
import type { Entry } from "../ledger/ledger.ts";
import type { Notice } from "../messages/notices.ts";
import { type Creation, isUnfindable } from "./creation.ts";
import { type Candidate, UnprovenError } from "../messages/errors.ts";
import { type Marker, markerIn, nameDigest, objectKey, unmarkedName } from "../ledger/identity.ts";
import { discard, isAsNamed, lookFor, markedBy, ownName, tellCopy } from "./marked-objects.ts";
import { nameOf, ObjectState } from "./object-state.ts";
import { essence } from "../account/spelling.ts";

export interface Leftover {
  /** The object to carry on with, and the entry that it has from now on. */
  readonly usable?: Found | undefined;
  readonly entry?: Entry | undefined;
  /** Ids of objects that bear the marker, and are somebody's. */
  readonly others: readonly string[];
}

/** Takes a leftover to carry on with. It removes every other object that is proven to be of this resource. */
export async function takeLeftover(creation: Creation): Promise<Leftover> {
  const { run, marker, earlier } = creation;
  const recorded = earlier.findLast(({ id }) => id !== undefined);
  if (isUnfindable(creation)) await endUnfindable(creation);
  if (!marker) return { others: [] };
  const taken = recorded && (await takeRecorded(creation, recorded));
  const finished = taken === "gone" ? undefined : taken;
  // Its entry stays until the look is over. Otherwise, a copy of it might pass for ours if the look fails.
  const lost = recorded && taken === "gone" ? [recorded] : [];
  const { known, maybe, others } = await markedOnes(creation, marker, recorded !== undefined, lost[0]?.id);
  const found = finished || !creation.resumes ? undefined : await unfinished(creation, marker, [...known, ...maybe]);
  const usable = finished ?? found;
  // An object that only its marker shows is that of the newest creation that may have made it.
  const entry = finished ? recorded : found && (earlier.find(({ id }) => id === found.id) ?? creation.open.at(-1));
  const left = creation.open.filter(({ at }) => at !== entry?.at);
  const rest = maybe.filter(({ id }) => id !== usable?.id);
  // If there are more of them than open creations, one is somebody's, and nobody knows which.
  const isOurs = creation.mayBeLeft === Infinity || rest.length <= left.length;
  const gone = [...known.filter(({ id }) => id !== usable?.id), ...(isOurs ? rest : [])];
  for (const { id } of gone) await discard(creation, id, namesIn(creation));
  for (const { id, name } of [...others, ...(isOurs ? [] : rest)]) tellCopy(creation, id, name);
  const removed = earlier.filter((one) => gone.some(({ id }) => id === one.id));
  run.settings.ledger.settle([...lost, ...left.slice(0, isOurs ? rest.length : 0), ...removed]);
  return { usable, entry, others: [...others, ...rest].map(({ id }) => id) };
}

/** Finds an unfinished object. One under the program's present name comes first: if it is a copy, the original may be there, too. */
async function unfinished(creation: Creation, marker: Marker, marked: readonly Found[]): Promise<Found | undefined> {
  const called = namesIn(creation);
  const same = marked.filter(({ name }) => markerIn(name) === marker.full);
  const [first, ...others] = [...same].sort(
    (a, b) => Number(isAsNamed(b.name, called)) - Number(isAsNamed(a.name, called)),
  );
  if (first === undefined || isAsNamed(first.name, called)) return first;
  for (const one of [first, ...others]) {
    // Under another name: the program was changed since, or the name of its site stands behind it.
    if (unmarkedName((await ownName(creation, one.id)) ?? "") !== undefined) return one;
  }
  return undefined;
}

/** Digests of the names that it is, or was, created under. */
function namesIn({ raw, earlier }: Creation): string[] {
  const { name } = raw.inputs;
  return [...(typeof name === "string" ? [nameDigest(name)] : []), ...earlier.flatMap(({ called }) => called ?? [])];
}

/** Returns the object of the entry, unless it has to be made anew. Then it is among the marked ones, or a notice tells that it is left. */
async function takeRecorded(creation: Creation, recorded: Entry): Promise<Found | "gone" | undefined> {
  const { definition, run, account, creationDigest } = creation;
  const { ledger } = run.settings;
  const { id = "", kind } = recorded;
  const isElsewhere = account !== undefined && (recorded.account ?? account) !== account;
  if (kind !== definition.kind || isElsewhere) return undefined;
  run.account.forget(id);
  const answer = await definition.read(run, id, new ObjectState(definition, id));
  if (!answer) return "gone";
  const name = nameOf(answer) ?? "";
  const isMarked = markerIn(name) !== undefined;
  if (recorded.creationDigest === creationDigest && (creation.resumes || !isMarked)) return { id, name, answer };
  // The command line removes it at the end of the run.
  if (!isMarked && run.settings.knowsStack !== true) run.warn({ code: "left-behind", kind, id });
  await ledger.put({ ...recorded, state: "unwanted" });
  return undefined;
}

/** Ends creations of which nothing can be learned. A killed run may not have been heard, so each run tells of them. */
async function endUnfindable({ definition, run, earlier, open }: Creation): Promise<void> {
  const { kind } = definition;
  for (const { id, name } of earlier) {
    if (id === undefined) continue;
    await definition.delete(run, id, new ObjectState(definition, id));
    run.warn({ code: "removed-leftover", kind, id, name: `${kind} "${name}"` });
  }
  for (const entry of open) run.warn(perhapsOrphaned(entry));
  run.settings.ledger.settle(earlier.filter((one) => !open.includes(one)));
}

export function perhapsOrphaned({ kind, name, searchHint, creationDigest, at }: Entry): Notice {
  // If the state alone tells of it, nobody knows when it was begun.
  const when = creationDigest === undefined ? {} : { ...(searchHint !== undefined && { searchHint }), at };
  return { code: "perhaps-orphaned", kind, id: "", name: `${kind} "${name}"`, ...when };
}

interface Marked {
  /** The ledger has their ids. */
  readonly known: readonly Found[];
  /** A creation that is open may have made them. */
  readonly maybe: readonly Found[];
  /** Somebody's objects: a person duplicated an object under the name that it bore just then. */
  readonly others: readonly Found[];
}

/** Returns the objects that carry the resource's marker. If a creation is open, lists may lag. `lost`: an id that is gone. */
async function markedOnes(
  creation: Creation,
  marker: Marker,
  isKnown: boolean,
  lost: string | undefined,
): Promise<Marked> {
  const { run, open, earlier } = creation;
  const theirs = open.flatMap(({ others = [] }) => others);
  const rows = (await markedBy(creation, marker.resourceKey)).filter(({ id }) => id !== lost);
  const known = rows.filter(({ id }) => earlier.some((one) => one.id === id));
  const unknown = rows.filter((row) => !known.includes(row) && !theirs.includes(row.id));
  if (creation.mayBeLeft === 0) return { known, maybe: [], others: unknown };
  const others = rows.filter(({ id }) => theirs.includes(id));
  if (unknown.length > 0 || isKnown || open.length === 0) return { known, maybe: unknown, others };
  const found = await run.account.find(() => lookFor(creation, marker.full, theirs));
  if (found) return { known, maybe: [found], others };
  await refuseUnproven(creation);
  return { known, maybe: [], others };
}

/**
 * Refuses to create without proof. If nobody wrote down that the creation began, an object of this name may be the finished one, or
 * anybody's. Otherwise an object with a piece of the marker may be the begun one, if the service cuts names.
 */
async function refuseUnproven(creation: Creation): Promise<void> {
  const { definition, run, raw, open } = creation;
  const { name } = raw.inputs;
  if (typeof name !== "string") return;
  const isCovered = open.every(({ creationDigest }) => creationDigest !== undefined);
  const rows = (await definition.search?.(run, name)) ?? [];
  const mayBe = (row: Found): boolean => creation.hasCutMarker(row.name) || (!isCovered && row.name === name);
  const candidates = rows.filter(
    (row) => mayBe(row) && !isSomethingElse(creation, row.id) && mayBeFrom(creation, row.answer),
  );
  if (candidates.length === 0) return;
  const evidence = candidates.map(({ id, answer }) => ({ id, ...dated(answer) }));
  throw new UnprovenError(creation.called, evidence, isCovered ? CUT : undefined);
}

/** Tells if an object is something else: an object of this stack, or one that the user named so. */
function isSomethingElse({ definition, run, open }: Creation, id: string): boolean {
  const { foreign, ours, seen } = run.settings;
  const key = objectKey(definition, id);
  const isOurs =
    open.some(({ others = [] }) => others.includes(id)) || ours?.has(key) === true || seen?.objectOf(key) !== undefined;
  return isOurs || foreign.has(id) || run.taken.has(key) || run.deleted.has(key) || run.adopted.has(key);
}

/** Only the name tells, in a spelling of the service's own perhaps, and a second object could not be deleted. */
export async function refuseRespelt(creation: Creation): Promise<void> {
  const { definition, run, plainName: name } = creation;
  const { collection, leaves } = definition;
  if (collection === undefined || leaves !== "in place") return;
  const candidates: Candidate[] = [];
  for await (const row of collection.all(run.api, {})) {
    const shown = collection.nameOf(row) ?? "";
    if (!mayBeSpelt(name, shown) || isSomethingElse(creation, row.id)) continue;
    candidates.push({ id: row.id, name: shown, ...dated(camelKeys(row)) });
  }
  if (candidates.length > 0) throw new UnprovenError(creation.called, candidates, RESPELT);
}

/** A cut name of which less than half is left tells nothing. */
function mayBeSpelt(name: string, shown: string): boolean {
  const [whole, part] = [essence(name), essence(shown)];
  return part !== "" && whole.startsWith(part) && part.length * 2 >= whole.length;
}

const RESPELT = "the service may show its name in another spelling";
const CUT = "the service has cut a name, and our marker with it";

function mayBeFrom({ definition, raw }: Creation, answer: JsonMap): boolean {
  return definition.references.every(
    (field) => !(field in answer) || (answer[field] ?? undefined) === raw.inputs[field],
  );
}

function dated({ createdAt }: JsonMap): { createdAt?: string } {
  return typeof createdAt === "string" ? { createdAt } : {};
}
