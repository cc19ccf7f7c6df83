/**
 * What an interrupted creation of this resource left, by proof alone: our record of its id, or our marker in its name.
 * Where neither can be had, and something is there that may be it, nothing is made and nothing taken.
 */
import type { Found } from "../definition/collection.ts";
import type { AnyDefinition } from "../definition/define.ts";
import { camelKeys, type JsonMap } from "../values/json.ts";
import { objectKey } from "../definition/object-key.ts";
import type { Creation } from "./creation.ts";
import { rememberNotes } from "./creation-notes.ts";
import type { RecordedCreation } from "./creation-record.ts";
import { UnprovenError, type Candidate } from "../messages/errors.ts";
import { digest, markerIn, ownIn, unmarkedName, type Marker } from "./identity.ts";
import { discard, isAsNamed, lookFor, markedBy, nameOf, ownName } from "./marked-objects.ts";
import { ObjectState } from "./object-state.ts";
import { patientLook } from "../account/patience.ts";
import type { Interrupted } from "./run-context.ts";
import { essence } from "../account/spelling.ts";

/** The state tells of it, or our record: a run that saves its state at its end alone leaves a line before each creation. */
function interruptedOf({ run, identity }: Creation): Interrupted | undefined {
  if (identity === undefined) return undefined;
  const { unfinished, record } = run.settings;
  const own = ownIn(identity);
  return unfinished.get(own) ?? (record.isUnanswered(own) ? { others: [] } : undefined);
}

export const isInterrupted = (creation: Creation): boolean => interruptedOf(creation) !== undefined;

/** Nothing shows what its creation made: neither a list nor its name. */
export const isUnfindable = ({ definition }: Pick<Creation, "definition">): boolean =>
  !definition.marked && !definition.collection && !definition.refind && !definition.reuse;

/** The name that the user gave is all that tells what its creation made. */
export const isFoundByName = ({ marked, reuse }: Pick<AnyDefinition, "marked" | "reuse">): boolean =>
  !marked && reuse !== undefined;

/** As our record keeps it of what is found by its name: that may be a secret. */
export const specOfName = (name: string): string => digest(name, 10);

export interface Leftover {
  /** What to carry on with. */
  readonly usable?: Found | undefined;
  /** Something was there, if only to be removed: what the interrupted creation made need not be looked for. */
  readonly isFound: boolean;
}

const NOTHING: Leftover = { isFound: false };

/** Everything that is proven to be of this creation, and not to be carried on with, is removed. */
export async function takeLeftover(creation: Creation): Promise<Leftover> {
  const { definition, run, own, marker } = creation;
  const recorded = own === undefined ? undefined : run.settings.record.find(own);
  if (recorded && !definition.marked) {
    await removeUnreadable(creation, recorded);
    return { isFound: true };
  }
  if (isUnfindable(creation) && isInterrupted(creation)) {
    const about = { code: "perhaps-orphaned", kind: definition.kind, id: "" } as const;
    const questions = own === undefined ? [] : run.settings.record.openQuestions(own);
    for (const { called: name, sketch, at } of questions) run.warn({ ...about, name, sketch, at });
    if (questions.length === 0) run.warn({ ...about, name: creation.called });
  }
  if (!marker) return NOTHING;
  const finished = recorded && (await takeRecorded(creation, recorded));
  const marked = await markedOnes(creation, marker, recorded !== undefined);
  const usable = finished ?? (creation.resumes ? await unfinished(creation, marker, marked) : undefined);
  for (const other of marked) if (other.id !== usable?.id) await discard(definition, run, other.id, namesIn(creation));
  return { usable, isFound: usable !== undefined || marked.length > 0 };
}

/** First what is called as the program calls it now: of a copy the original may be there, too. */
async function unfinished(creation: Creation, marker: Marker, marked: readonly Found[]): Promise<Found | undefined> {
  const { definition, run } = creation;
  const called = namesIn(creation);
  const same = marked.filter(({ name }) => markerIn(name) === marker.full);
  const [first, ...others] = [...same].sort(
    (a, b) => Number(isAsNamed(b.name, called)) - Number(isAsNamed(a.name, called)),
  );
  if (first === undefined || isAsNamed(first.name, called)) return first;
  for (const one of [first, ...others]) {
    // Under another name: of a program that was changed since, or with its site's behind it.
    if (unmarkedName((await ownName(definition, run, one.id)) ?? "") !== undefined) return one;
  }
  return undefined;
}

function namesIn({ raw }: Creation): string[] {
  const { name } = raw.inputs;
  return typeof name === "string" ? [name] : [];
}

/** The object of our record, unless its making has to begin anew: then it is among the marked ones, or left with a word. */
async function takeRecorded(creation: Creation, recorded: RecordedCreation): Promise<Found | undefined> {
  const { definition, run, account, spec } = creation;
  const { id, own, kind } = recorded;
  if (kind !== definition.kind || differs(recorded.account, account)) return undefined;
  run.account.forget(id);
  const answer = await definition.read(run, id, new ObjectState(definition, id));
  if (!answer) {
    run.settings.record.settled(own, id);
    return undefined;
  }
  const name = nameOf(answer) ?? "";
  const isMarked = markerIn(name) !== undefined;
  if (recorded.spec === spec && (creation.resumes || !isMarked)) return { id, name, answer };
  if (!isMarked) {
    run.warn({ code: "left-behind", kind, id });
    run.replacedHalfMade.set(own, id);
    rememberNotes(run, { id, identity: creation.identity });
  }
  run.settings.record.settled(own, id);
  return undefined;
}

function differs(recorded: string | undefined, actual: string | undefined): boolean {
  return recorded !== undefined && actual !== undefined && recorded !== actual;
}

/** Nothing can be learned of it any more (a subscription), so a new one takes its place. */
async function removeUnreadable(creation: Creation, { own, id, kind }: RecordedCreation): Promise<void> {
  const { definition, run } = creation;
  await definition.delete(run, id, new ObjectState(definition, id));
  run.settings.record.settled(own, id);
  run.warn({ code: "removed-leftover", kind, id, name: creation.called });
}

/** Those that carry the resource's marker. Where the state tells of an interrupted creation, lists may be behind. */
async function markedOnes(creation: Creation, marker: Marker, isKnown: boolean): Promise<Found[]> {
  const { definition, run } = creation;
  const { record, patienceMs } = run.settings;
  const mine = await markedBy(definition, run, marker);
  const interrupted = interruptedOf(creation);
  if (mine.length > 0 || isKnown || !interrupted) return mine;
  const found = await patientLook(() => lookFor(definition, run, marker.full), patienceMs);
  if (found) return [found];
  const isCovered = record.covers(marker.own) || record.isUnanswered(marker.own);
  await refuseUnproven(creation, interrupted, isCovered);
  return [];
}

/**
 * Where no record was kept, an object of this name may be the one that was finished, or anybody's; with one, what has a piece
 * of the marker may be the one that was begun, where the service cuts names.
 */
async function refuseUnproven(creation: Creation, { others }: Interrupted, isCovered: boolean): Promise<void> {
  const { definition, run, raw } = creation;
  const { name } = raw.inputs;
  if (typeof name !== "string") return;
  const rows = (await definition.search?.(run, name)) ?? [];
  const mayBe = (row: Found): boolean => creation.hasCutMarker(row.name) || (!isCovered && row.name === name);
  const candidates = rows.filter(
    (row) => mayBe(row) && !isKnown(creation, others, row.id) && mayBeFrom(creation, row.answer),
  );
  if (candidates.length === 0) return;
  const evidence = candidates.map(({ id, answer }) => ({ id, ...dated(answer) }));
  throw new UnprovenError(creation.called, evidence, isCovered ? CUT : undefined);
}

/** What is not it: objects of this stack, and what the user said. */
function isKnown({ definition, run }: Creation, others: readonly string[], id: string): boolean {
  const { foreign, ours, seen } = run.settings;
  const key = objectKey(definition, id);
  const isOurs = others.includes(id) || ours?.has(key) === true || seen?.objectOf(key) !== undefined;
  return isOurs || foreign.has(id) || run.taken.has(key) || run.deleted.has(key) || run.adopted.has(key);
}

/**
 * Only its name tells of what an interrupted creation made, and the service may show that in a spelling of its own. A second one
 * could not be deleted, so that nothing is made while one is there that may be it.
 */
export async function refuseRespelt(creation: Creation): Promise<void> {
  const { definition, run, plainName: name } = creation;
  const { collection, leaves } = definition;
  if (collection === undefined || leaves !== "in place") return;
  const { others = [] } = interruptedOf(creation) ?? {};
  const candidates: Candidate[] = [];
  for await (const row of collection.all(run.api, {})) {
    const shown = collection.nameOf(row) ?? "";
    if (!mayBeSpelt(name, shown) || isKnown(creation, others, row.id)) continue;
    candidates.push({ id: row.id, name: shown, ...dated(camelKeys(row)) });
  }
  if (candidates.length > 0) throw new UnprovenError(creation.called, candidates, RESPELT);
}

/** A cut name of which less is left than half tells nothing. */
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
