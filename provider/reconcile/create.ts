/**
 * Create, exactly once. A POST is never repeated: a creation first looks for what an interrupted one left, the object
 * carries a marker until its id is in our record, and after a lost answer it is looked for with patience.
 */
import type { Found } from "../definition/collection.ts";
import type { AnyDefinition, Created } from "../definition/define.ts";
import { ApiError } from "../api/index.ts";
import type { JsonMap } from "../values/json.ts";
import { adopt } from "./adopt.ts";
import { complete, withoutAdoption, type Outcome } from "./complete.ts";
import { Creation } from "./creation.ts";
import { notedOf } from "./creation-notes.ts";
import type { LostCreation, OpenQuestion } from "./creation-record.ts";
import { LostAnswerError, UnfindableError } from "../messages/errors.ts";
import { ownIn, stackIn } from "./identity.ts";
import { splitInputs, type Raw } from "./inputs.ts";
import { isFoundByName, isInterrupted, isUnfindable, refuseRespelt, specOfName, takeLeftover } from "./leftovers.ts";
import { lookAhead, lookFor, nameOf } from "./marked-objects.ts";
import { ObjectState } from "./object-state.ts";
import { patientLook, TIMES_FOR_GOOD } from "../account/patience.ts";
import { draftAnew, madeAnewFrom, recordAsBefore, restoredAnew, restoring } from "./restoring.ts";
import type { RunContext } from "./run-context.ts";
import type { SeenStates } from "./seen-states.ts";

export async function create(
  definition: AnyDefinition,
  run: RunContext,
  props: JsonMap,
  seen: SeenStates,
): Promise<Outcome> {
  const raw = splitInputs(props);
  if (raw.identity !== undefined) lookAhead(run, stackIn(ownIn(raw.identity)));
  const account = await run.accountId();
  const { adoptId } = raw.inputs;
  if (typeof adoptId === "string") return adopt(definition, run, raw, adoptId, { account, seen });
  const creation = new Creation(definition, run, madeAnewFrom(definition, run, raw), account);
  await run.settings.record.begin();
  // Before this run's own note says that it was begun.
  const isLeftOver = isInterrupted(creation);
  const { usable: leftover, isFound } = await takeLeftover(creation);
  if (leftover) run.warn({ code: "carried-on", kind: definition.kind, id: leftover.id });
  else if (isLeftOver && !isFound) await noteSought(creation);
  const object = leftover ? resumed(creation, leftover) : await begun(creation, isLeftOver);
  object.account = account;
  object.identity = raw.identity;
  object.predecessor = seen.predecessorOf(raw.identity);
  object.former = seen.addressesOf(raw.identity);
  await remember(creation, object.id ?? "");
  return finish(creation, object, raw);
}

async function begun(creation: Creation, isLeftOver: boolean): Promise<ObjectState> {
  const { definition, marker, raw } = creation;
  if (isLeftOver) await noteNamed(creation);
  const post = isLeftOver ? createOrFind : posted;
  const made = await asked(creation, async () => (await reusable(creation, isLeftOver)) ?? post(creation));
  const object = new ObjectState(definition, made.id);
  object.wrote = true;
  object.learn(made.answer);
  for (const field of made.sent) if (!(marker && field === "name")) object.declare(field, raw.inputs[field]);
  return object;
}

/** What an interrupted creation made may show late, and only its name tells. */
async function reusable(creation: Creation, isLeftOver: boolean): Promise<Created | undefined> {
  const { definition, run, inputs, name, marker } = creation;
  const { reuse } = definition;
  if (!reuse) return undefined;
  const look = (): Promise<Created | undefined> => reuse(run, inputs, name);
  if (!isLeftOver || marker) return look();
  const made = await patientLook(look, patienceFor(creation));
  if (!made) await refuseRespelt(creation);
  return made;
}

/** What no state will tell of, if this process is killed now, is noted before; what is never found, after it. */
async function asked(creation: Creation, work: () => Promise<Created>): Promise<Created> {
  const { definition, run, identity } = creation;
  const { record, savedAtEnd = false } = run.settings;
  if (identity === undefined) return work();
  const own = ownIn(identity);
  const isNoted = (savedAtEnd && !isFoundByName(definition)) || isUnfindable(creation);
  if (isNoted) await record.asked(own, questionOf(creation, own));
  try {
    return await work();
  } catch (error) {
    if (error instanceof LostAnswerError) await noteLost(creation);
    else if (isNoted) record.failed(own);
    throw error;
  }
}

/** What only its name finds: what became of its POST is asked by each run until a state holds it. The state forgets it with the next failure. */
async function noteNamed({ definition, run, identity, plainName }: Creation): Promise<void> {
  if (identity === undefined || !isFoundByName(definition)) return;
  await run.settings.record.named(ownIn(identity), specOfName(plainName));
}

async function posted(creation: Creation): Promise<Created> {
  const { definition, run, identity } = creation;
  await noteNamed(creation);
  try {
    return await createOrFind(creation);
  } catch (error) {
    const isRefused = error instanceof ApiError && isFoundByName(definition);
    if (identity !== undefined && isRefused) run.settings.record.failed(ownIn(identity));
    throw error;
  }
}

/** Only where nothing finds what it makes. */
function questionOf(creation: Creation, own: string): OpenQuestion | undefined {
  const { definition, called, raw } = creation;
  if (!isUnfindable(creation)) return undefined;
  const sketch = definition.sketch?.(raw.inputs) ?? "";
  return { own, kind: definition.kind, called, sketch, at: new Date().toISOString() };
}

/** The engine takes the creation for failed, and the state forgets it: a later list may show what it made. */
async function noteLost(creation: Creation): Promise<void> {
  const lost = asLost(creation);
  if (lost) await creation.run.settings.record.lost(lost);
}

/** It is made anew now: what the killed run may have made all the same is removed when a list shows it. */
async function noteSought(creation: Creation): Promise<void> {
  const lost = asLost(creation);
  if (lost) await creation.run.settings.record.sought({ ...lost, at: new Date().toISOString() });
}

function asLost({ definition, own, raw, account }: Creation): LostCreation | undefined {
  if (own === undefined || !definition.marked) return undefined;
  const { name } = raw.inputs;
  const called = typeof name === "string" ? name : "";
  return { own, kind: definition.kind, called, ...(account !== undefined && { account }) };
}

async function createOrFind(creation: Creation): Promise<Created> {
  const { definition, run, inputs, name, called } = creation;
  let made: Created;
  try {
    made = await definition.create(run, inputs, name);
  } catch (error) {
    if (!(error instanceof ApiError) || error.outcome !== "unknown") throw error;
    const refind = refindBy(creation);
    if (!refind) throw new UnfindableError(called, error);
    return found(creation, refind, error);
  }
  const other = creation.nameOfAnother(nameOf(made.answer));
  const refind = other === undefined ? undefined : refindBy(creation);
  if (refind) return found(creation, refind, `the answer tells of ${made.id}, "${other}", which is another one`);
  warnOfCut(creation, made);
  return made;
}

/** Its id is recorded at once; of what a killed run makes before that, nothing tells. */
function warnOfCut(creation: Creation, { id, answer }: Created): void {
  const { definition, run, name, plainName } = creation;
  const kept = nameOf(answer);
  if (kept === undefined || !creation.isCut(kept)) return;
  const room = Math.max(0, kept.length - (name.length - plainName.length));
  run.warn({ code: "marker-cut", kind: definition.kind, id, name: kept, room });
}

async function found(
  creation: Creation,
  refind: () => Promise<Created | undefined>,
  why: ApiError | string,
): Promise<Created> {
  const patienceMs = patienceFor(creation);
  const made = await patientLook(() => refind().catch(whenApiFails), patienceMs);
  if (!made) await refuseRespelt(creation).catch(whenApiFails);
  if (!made) throw new LostAnswerError(creation.called, Math.round(patienceMs / 1000), why);
  return made;
}

function patienceFor({ definition, run }: Creation): number {
  return run.settings.patienceMs * (definition.leaves === "in place" ? TIMES_FOR_GOOD : 1);
}

function refindBy(creation: Creation): (() => Promise<Created | undefined>) | undefined {
  const { definition, run, inputs, name, marker, fixed } = creation;
  const { refind } = definition;
  if (refind) return () => refind(run, inputs, name);
  if (!marker || !definition.search) return undefined;
  return async () => {
    const found = await lookFor(definition, run, marker.full);
    return found && { id: found.id, answer: found.answer, sent: fixed };
  };
}

/** A look that fails says nothing about the object: the next one may succeed. */
function whenApiFails(error: unknown): undefined {
  if (!(error instanceof ApiError)) throw error;
}

/** The proof tells that it was created from the same fixed inputs. */
function resumed({ definition, run, raw, identity, fixed, resumes }: Creation, leftover: Found): ObjectState {
  const object = new ObjectState(definition, leftover.id);
  object.learn(leftover.answer);
  object.notes = { ...notedOf(run, { id: leftover.id, identity }), ...(!resumes && { blind: true }) };
  for (const field of fixed) object.declare(field, raw.inputs[field]);
  return object;
}

/** Before the marker goes, and before anything else can fail: whatever happens now, the next run knows the id. */
async function remember({ definition, run, own, spec, account }: Creation, id: string): Promise<void> {
  if (own === undefined) return;
  const creation = { own, spec, kind: definition.kind, id, ...(account !== undefined && { account }) };
  await run.settings.record.made(creation);
}

/** `declared`: what the program declares, without what an undo puts back beside it. */
async function finish(
  { definition, run, raw, inputs, marker }: Creation,
  object: ObjectState,
  declared: Raw,
): Promise<Outcome> {
  const id = object.id ?? "";
  const restored = restoredAnew(run, declared);
  const now = restored ? definition.inputs.parse(withoutAdoption(declared.inputs)) : inputs;
  const fields = Object.keys(restored ? declared.inputs : raw.inputs);
  const changed = new Set(fields.filter((field) => !object.declared.has(field)));
  const pass = { run, id, now, changed, removed: new Set<string>(), object, created: marker !== undefined };
  const whole = await restoring(definition, pass, restored);
  return complete(definition, whole, declared, async () => {
    recordAsBefore(object, restored ?? {});
    const draft = draftAnew(run, declared);
    if (draft) await definition.restoresDraft?.(run, id, draft, now as JsonMap);
  });
}
