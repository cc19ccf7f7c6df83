/**
 * The look for what killed runs left: by our record of its id, or by the marker behind the name that the state tells of. Reads alone.
 */
import type { AnyDefinition } from "../../provider/definition/define.ts";
import type { JsonMap } from "../../provider/values/json.ts";
import type {
  LostCreation,
  OpenQuestion,
  RecordedCreation,
  SoughtCreation,
  UnwantedCreation,
} from "../../provider/reconcile/creation-record.ts";
import { UnconfirmedAbsenceError } from "../../provider/messages/errors.ts";
import { identityFor, markerIn, ownIn, stackIn } from "../../provider/reconcile/identity.ts";
import { isUnfindable } from "../../provider/reconcile/leftovers.ts";
import { isAsNamed, markedBy, nameOf } from "../../provider/reconcile/marked-objects.ts";
import { ObjectState } from "../../provider/reconcile/object-state.ts";
import { patienceIn, patientLook } from "../../provider/account/patience.ts";
import type { RunContext } from "../../provider/reconcile/run-context.ts";
import { objectKey, type ObjectKey } from "../../provider/definition/object-key.ts";
import { definitionOf, registry, type Kind } from "../../provider/kinds/registry.ts";
import type { KeptCreations } from "../engines/kept-creations.ts";
import { byUrn, objectsHeld, type StateResource } from "../engines/recorded.ts";
import { notSought, perhapsACopy, perhapsOrphaned, unfound } from "./left-words.ts";
import type { AccountReader } from "./account-reader.ts";
import type { StackSession } from "./session.ts";

export const PATIENCE_MS = patienceIn(process.env);

export interface Left {
  readonly own: string;
  readonly definition: AnyDefinition;
  readonly run: RunContext;
  readonly id: string;
  readonly name: string;
  /** It still bears the marker: never finished. */
  readonly marked: boolean;
  /** What it was made for has another object. */
  readonly superseded?: true;
  /** Its run went on, and failed. */
  readonly lost?: true;
}

/** By OWN, what our record knows. */
export type Recorded = ReadonlyMap<string, readonly RecordedCreation[]>;

export interface Looking {
  /** As it was before a run that may have crossed out what it did not take. */
  readonly known?: Recorded;
  readonly patienceMs?: number;
  /** What a plan takes over. */
  readonly taken?: ReadonlySet<ObjectKey>;
  /** What ended in a lost answer, as well. */
  readonly lost?: readonly LostCreation[];
  /** What was made anew since nothing showed it. */
  readonly sought?: readonly SoughtCreation[];
  /** Those of them that an earlier run noted: the next runs look again, so that none of them waits. */
  readonly soughtBefore?: readonly SoughtCreation[];
  /** Ends the wait, and with it the look. */
  readonly signal?: AbortSignal | undefined;
  /** What may have been made, and nothing finds: it is told. */
  readonly questions?: readonly OpenQuestion[];
}

export interface Around {
  readonly reader: AccountReader;
  readonly patienceMs: number;
  readonly signal: AbortSignal | undefined;
}

interface AroundCreations extends Around {
  readonly kept: KeptCreations;
  readonly known: Recorded;
  readonly taken: ReadonlySet<ObjectKey>;
}

/** And what can't be looked for, in words. */
export async function leftBy(
  session: StackSession,
  creations: readonly StateResource[],
  around: AroundCreations,
): Promise<[Left[], string[]]> {
  const records = (await session.engine.records()) ?? [];
  const held = new Set([...objectsHeld(records), ...around.taken]);
  const standing = byUrn(records);
  const ends = await Promise.all(
    creations.map((creation) => leftByOne(creation, isStanding(standing.get(creation.urn)), { ...around, held })),
  );
  const left = ends.flatMap((end) => end.left);
  return [onceEach(left), [...new Set(ends.flatMap(({ warnings }) => warnings))]];
}

/** `isSuperseded`: what stands in its place was made after a look that had all patience. */
async function leftByOne(
  creation: StateResource,
  isSuperseded: boolean,
  { reader, kept, known, held, patienceMs, signal }: AroundCreations & Pick<Look, "held">,
): Promise<{ left: Left[]; warnings: string[] }> {
  const definition = definitionOf(creation.type);
  if (definition === undefined || definition.leaves === "in place") return { left: [], warnings: [] };
  const { name } = creation.inputs ?? {};
  const called = typeof name === "string" ? [name] : [];
  const own = ownIn(identityFor(creation.urn));
  const run = reader.of(creation.provider, creation.urn);
  const waits = isSuperseded ? { patienceMs: 0, contradictedMs: patienceMs } : { patienceMs };
  const look = { own, called, definition, run, held, signal, ...waits };
  const { ours, others } = await marked(look);
  const ofRecord = await Promise.all((known.get(own) ?? []).map((one) => recorded(one, look)));
  const found = [...ofRecord.flat(), ...ours];
  const isUntold = kept.mayBeUnanswered(own) && !kept.questions.some((one) => one.own === own);
  const isOpen = found.length === 0 && isUnfindable({ definition }) && isUntold;
  return {
    left: found.map((one) => (isSuperseded ? { ...one, superseded: true as const } : one)),
    warnings: [...others, ...(isOpen ? [perhapsOrphaned(definition, creation)] : [])],
  };
}

/** What was found twice, as the later one tells it. */
export function onceEach(left: readonly Left[]): Left[] {
  return [...new Map(left.map((one) => [objectKey(one.definition, one.id), one])).values()];
}

function isStanding(one: StateResource | undefined): boolean {
  return one?.id !== undefined && one.delete !== true;
}

interface Look {
  readonly own: string;
  /** The names that it was begun under. */
  readonly called: readonly string[];
  readonly definition: AnyDefinition;
  readonly run: RunContext;
  /** What the state holds. */
  readonly held: ReadonlySet<ObjectKey>;
  readonly patienceMs: number;
  /** How long more, where lists show what is gone by its id. */
  readonly contradictedMs?: number;
  readonly signal: AbortSignal | undefined;
}

/** Ours by its id, whatever it is called by now. */
async function recorded(known: RecordedCreation, { own, definition, run, held }: Look): Promise<Left[]> {
  if (known.kind !== definition.kind || held.has(objectKey(definition, known.id))) return [];
  const answer = isUnfindable({ definition }) ? {} : await read(run, definition, known.id);
  return answer === undefined
    ? []
    : [{ own, definition, run, id: known.id, name: nameOf(answer) ?? "", marked: false }];
}

function read(run: RunContext, definition: AnyDefinition, id: string): Promise<JsonMap | undefined> {
  return definition.read(run, id, new ObjectState(definition, id));
}

/** Lists may be behind what such a run has made. `others`: what may be somebody's copy, in words. */
async function marked({
  own,
  called,
  definition,
  run,
  held,
  patienceMs,
  contradictedMs = 0,
  signal,
}: Look): Promise<{ ours: Left[]; others: string[] }> {
  if (!definition.marked || definition.search === undefined) return { ours: [], others: [] };
  const marker = { stack: stackIn(own), own, full: own };
  let others: string[] = [];
  const contradictions: UnconfirmedAbsenceError[] = [];
  const look = async (): Promise<Left[] | undefined> => {
    run.looks.clear();
    contradictions.length = 0;
    const rows = (await markedBy(definition, run, marker)).filter(({ id }) => !held.has(objectKey(definition, id)));
    const reads = rows.map(async ({ id }) => {
      // A list that is behind still shows what was removed just now: the next look may no longer.
      const answer = await read(run, definition, id).catch((error: unknown) => {
        if (!(error instanceof UnconfirmedAbsenceError)) throw error;
        contradictions.push(error);
        return undefined;
      });
      return { id, answer };
    });
    const answers = await Promise.all(reads);
    const there = answers.flatMap(({ id, answer }): (Left & { isOurs: boolean })[] => {
      const name = answer && nameOf(answer);
      if (name === undefined || markerIn(name)?.startsWith(own) !== true) return [];
      // The marker goes before anything is public: what is public with it is somebody's.
      const isOurs = isAsNamed(name, called) && answer?.["status"] !== "published";
      return [{ own, definition, run, id, name, marked: true, isOurs }];
    });
    others = there.filter(({ isOurs }) => !isOurs).map(perhapsACopy);
    const ours = there.filter(({ isOurs }) => isOurs);
    return ours.length === 0 || contradictions.length > 0 ? undefined : ours;
  };
  const agreed = async (): Promise<Left[] | undefined> => {
    const found = await look();
    return contradictions.length > 0 ? undefined : (found ?? []);
  };
  const first = await patientLook(look, patienceMs, signal);
  const isDue = contradictions.length > 0 && contradictedMs > 0;
  const ours = first ?? (isDue ? await patientLook(agreed, contradictedMs, signal) : undefined) ?? [];
  const [contradiction] = contradictions;
  if (contradiction) throw contradiction;
  return { ours, others };
}

/** What our record knows of these creations, also what it has crossed out since a run was to remove it. */
export function recordedOf({ made, unwanted }: KeptCreations, creations: readonly StateResource[]): Recorded {
  const owns = new Set(creations.map(({ urn }) => ownIn(identityFor(urn))));
  const all = [...unwanted.flatMap((one) => one.made ?? []), ...made].filter(({ own }) => owns.has(own));
  return Map.groupBy(new Map(all.map((one) => [`${one.own} ${one.id}`, one])).values(), ({ own }) => own);
}

/** As the state tells of a creation. */
export function asCreation({ urn, type, provider, called }: UnwantedCreation): StateResource {
  return { urn, type, provider, inputs: called === undefined ? {} : { name: called } };
}

export function asUnwanted({ urn, type, provider, inputs }: StateResource, known: Recorded): UnwantedCreation[] {
  const own = ownIn(identityFor(urn));
  const called = inputs?.["name"];
  const about = { own, urn, type, ...(provider && { provider }), ...(typeof called === "string" && { called }) };
  const made = known.get(own) ?? [];
  return made.length === 0 ? [about] : made.map((one) => ({ ...about, made: one }));
}

/** What was made, and what stays unknown, in words. */
export async function leftByLost(
  session: StackSession,
  lost: readonly LostCreation[],
  around: Around,
): Promise<[Left[], string[]]> {
  const ends = await Promise.all(await looksFor(session, lost, () => around));
  return [
    ends.flatMap(({ ours }) => ours.map((one) => ({ ...one, lost: true as const }))),
    ends.flatMap(({ creation, ours, others }) => (ours.length === 0 ? [...others, unfound(creation)] : others)),
  ];
}

/** What has turned up beside what was made in its place, what was looked for, and what could not be, in words: the next run looks again. */
export async function leftBySought(
  session: StackSession,
  { sought, before = [] }: { sought: readonly SoughtCreation[]; before: Looking["soughtBefore"] },
  around: Around,
): Promise<{ late: Left[]; asked: SoughtCreation[]; unasked: string[] }> {
  const isKnown = ({ own }: LostCreation): boolean => before.some((one) => one.own === own);
  const aroundOne = (one: LostCreation): Around => (isKnown(one) ? { ...around, patienceMs: 0 } : around);
  const ends = await Promise.allSettled(await looksFor(session, sought, aroundOne));
  around.signal?.throwIfAborted();
  return {
    late: ends.flatMap((end) => (end.status === "fulfilled" ? end.value.ours : [])),
    asked: sought.filter((_, index) => ends[index]?.status === "fulfilled"),
    unasked: ends.flatMap((end, index) => (end.status === "rejected" ? notSought(sought[index], end.reason) : [])),
  };
}

/** Lists are behind by seconds or a minute: what shows up later than this is no longer looked for. */
const SOUGHT_MS = 10 * 60_000;

export function isLongAgo({ at }: SoughtCreation, now = Date.now()): boolean {
  return !(now - Date.parse(at) < SOUGHT_MS);
}

interface End {
  readonly creation: LostCreation;
  readonly ours: readonly Left[];
  readonly others: readonly string[];
}

/** A look each, which are under way together. */
async function looksFor(
  session: StackSession,
  creations: readonly LostCreation[],
  aroundOne: (creation: LostCreation) => Around,
): Promise<Promise<End>[]> {
  if (creations.length === 0) return [];
  const held = objectsHeld((await session.engine.records()) ?? []);
  return creations.map(async (creation): Promise<End> => {
    const { own, kind, called } = creation;
    const { reader, patienceMs, signal } = aroundOne(creation);
    const run = reader.of(undefined, "");
    const definition = kind in registry ? registry[kind as Kind] : undefined;
    const isHere = creation.account === undefined || (await run.accountId()) === creation.account;
    if (definition === undefined || !isHere) return { creation, ours: [], others: [] };
    return { creation, ...(await marked({ own, called: [called], definition, run, held, patienceMs, signal })) };
  });
}
