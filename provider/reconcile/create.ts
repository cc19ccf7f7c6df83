/**
 * Create, exactly once. A POST is never repeated. A creation first looks for the object that an interrupted one left. The object carries a
 * marker until its id is in the ledger. After a lost answer the creation looks for it with patience.
 */
import type { Found } from "../definition/collection.ts";
import type { Created } from "../definition/define.ts";
import type { Entry } from "../ledger/ledger.ts";
import type { JsonMap } from "../values/json.ts";
import { adopt } from "./adopt.ts";
import { complete, madeAnewFrom, type Outcome, passOver, recordAsBefore, restoredAnew, restoring } from "./apply.ts";
import { Creation, isUnfindable, notedOf, Unfit } from "./creation.ts";
import { PartialFailure } from "../messages/errors.ts";
import { environmentIn, nameIn, objectKey, resourceKeyIn, stackIn } from "../ledger/identity.ts";
import { type KindInRun, nameOf, ObjectState, type Raw, splitInputs, withoutAdoption } from "./object-state.ts";
import { refuseRespelt, takeLeftover } from "./leftovers.ts";
import { lookAhead, lookFor } from "./marked-objects.ts";
import { forgetRemoval } from "./settled.ts";

export async function create(kind: KindInRun, props: JsonMap): Promise<Outcome> {
  const { definition, run } = kind;
  const raw = splitInputs(props);
  if (raw.identity !== undefined) {
    run.isPreview = environmentIn(raw.identity) !== undefined;
    lookAhead(run, stackIn(resourceKeyIn(raw.identity)));
  }
  const account = await run.accountId();
  const { adoptId } = raw.inputs;
  if (typeof adoptId === "string") return asRecorded(kind, await adopt(kind, raw, adoptId, account));
  const end = await definition.life.inTurn?.(run, raw.inputs);
  const made = await madeOnce(kind, raw, account).finally(end);
  if (raw.identity !== undefined) run.made.set(resourceKeyIn(raw.identity), made.id);
  return asRecorded(kind, made);
}

/** Gives an object that an undo takes over again its outputs of before. */
function asRecorded({ definition, run }: KindInRun, { id, outs }: Outcome): Outcome {
  return { id, outs: { ...outs, ...run.settings.restore?.objects[objectKey(definition, id)]?.recorded } };
}

async function madeOnce(kind: KindInRun, raw: Raw, account: string | undefined): Promise<Outcome> {
  const { definition, run } = kind;
  const creation = new Creation(kind, madeAnewFrom(kind, raw), account);
  const { usable, entry, others } = await takeLeftover(creation);
  if (usable) run.warn({ code: "carried-on", kind: definition.kind, id: usable.id, name: nameIn(raw.identity ?? "") });
  const object = usable ? await resumed(creation, usable, entry) : await begun(creation, others);
  object.account = account;
  object.identity = raw.identity;
  object.replacedId = run.settings.seen?.replacedIdOf(raw.identity);
  object.former = run.settings.seen?.addressesOf(raw.identity) ?? [];
  const done = finish(creation, object, raw);
  return usable ? done : done.catch((error: unknown) => withoutUnfit(creation, object, error));
}

/** An object that this run made in vain goes again. If it can't be deleted, the state keeps it with its error. */
async function withoutUnfit(
  { definition, run, earlier }: Creation,
  object: ObjectState,
  error: unknown,
): Promise<never> {
  if (error instanceof PartialFailure && error.cause instanceof Unfit) {
    await definition.delete(run, error.id, object).catch(() => Promise.reject(error));
    run.settings.ledger.settle(earlier.filter(({ id }) => id === error.id));
    throw error.cause;
  }
  throw error;
}

/** Writes the creation down before its call. Earlier open ones stay in the ledger as unknown: a list may yet show their objects. */
async function begun(creation: Creation, others: readonly string[]): Promise<ObjectState> {
  const { definition, run, marker, raw, key, open } = creation;
  const entry = key === undefined ? undefined : creation.entry(key, others);
  if (entry) await run.settings.ledger.put(...open.map((one): Entry => ({ ...one, state: "unknown" })), entry);
  const notMade = (error: unknown): never => {
    if (entry) run.settings.ledger.settle([entry]);
    throw error;
  };
  const made = (await reusable(creation, open.length > 0).catch(notMade)) ?? (await posted(creation, entry, notMade));
  // This comes before the marker goes, and before anything else can fail: whatever happens now, the next run knows the id.
  if (entry && definition.leaves !== "in place")
    await run.settings.ledger.put({ ...entry, state: "made", id: made.id });
  if (isUnfindable(creation)) run.settings.ledger.settle(open);
  forgetRemoval(run, { id: made.id, identity: raw.identity });
  const object = new ObjectState(definition, made.id);
  object.wrote = true;
  object.learn(made.answer);
  for (const field of made.sent) if (!(marker && field === "name")) object.declare(field, raw.inputs[field]);
  return object;
}

/** Returns an object to take over. The object of an interrupted creation may show late, and only its name tells it. */
async function reusable(creation: Creation, isInterrupted: boolean): Promise<Created | undefined> {
  const { definition, run, inputs, name, marker } = creation;
  const { reuse } = definition.life;
  if (!reuse) return undefined;
  const look = (): Promise<Created | undefined> => reuse(run, inputs, name);
  if (!isInterrupted || marker) return look();
  const made = await run.account.find(look, { forGood: definition.leaves === "in place" });
  if (!made) await refuseRespelt(creation);
  return made;
}

/** Makes the object. The ledger hears of an answer that is lost: the engine takes a creation that fails for not begun. */
async function posted(
  creation: Creation,
  entry: Entry | undefined,
  notMade: (error: unknown) => never,
): Promise<Created> {
  const { definition, run, inputs, name, called } = creation;
  const answer = { isLost: false };
  const making = run.account.make({
    called,
    send: () => definition.create(run, inputs, name),
    ofAnother: ({ id, answer: told }: Created) => {
      const other = creation.nameOfAnother(nameOf(told));
      return other && `the answer is about ${id} ("${other}"), which is another object`;
    },
    find: findingAgain(creation, entry),
    forGood: definition.leaves === "in place",
    beforeFinding: async () => {
      answer.isLost = true;
      if (entry) await run.settings.ledger.put({ ...entry, state: "unknown" });
    },
    beforeLost: () => refuseRespelt(creation),
  });
  return making.catch((error: unknown) => (answer.isLost ? Promise.reject(error as Error) : notMade(error)));
}

function findingAgain(
  { definition, run, inputs, name, marker, fixed }: Creation,
  entry: Entry | undefined,
): (() => Promise<Created | undefined>) | undefined {
  const { refind } = definition.life;
  if (refind) return () => refind(run, inputs, name);
  if (!marker || !definition.search) return undefined;
  return async () => {
    const found = await lookFor({ definition, run }, marker.full, entry?.others);
    return found && { id: found.id, answer: found.answer, sent: fixed };
  };
}

/** Goes on with an object. The proof tells that it was created from the same fixed inputs. */
async function resumed(creation: Creation, usable: Found, entry: Entry | undefined): Promise<ObjectState> {
  const { definition, run, raw, identity, fixed, resumes, key } = creation;
  const { id } = usable;
  if (key !== undefined && (entry?.state !== "made" || entry.id !== id))
    await run.settings.ledger.put({
      ...(entry ?? creation.entry(key, [])),
      creationDigest: creation.creationDigest,
      state: "made",
      id,
    });
  forgetRemoval(run, { id, identity });
  const object = new ObjectState(definition, id);
  object.learn(usable.answer);
  const noted = notedOf(run, { id, identity });
  object.notes = { ...noted, ...(!resumes && Object.keys(noted).length === 0 && { blind: true }) };
  for (const field of fixed) object.declare(field, raw.inputs[field]);
  return object;
}

/** `declared`: the values that the program declares, without those that an undo puts back beside them. */
async function finish(creation: Creation, object: ObjectState, declared: Raw): Promise<Outcome> {
  const { definition, run, raw, inputs, marker } = creation;
  const { id = "", identity = "" } = object;
  const restored = restoredAnew(creation, declared);
  const now = restored ? definition.inputs.parse(withoutAdoption(declared.inputs)) : inputs;
  const fields = Object.keys(restored ? declared.inputs : raw.inputs);
  const changed = new Set(fields.filter((field) => !object.declared.has(field)));
  const pass = passOver({ definition, run, object }, { now, changed, created: marker !== undefined });
  const whole = await restoring(pass, restored);
  const atEnd = async (): Promise<void> => {
    recordAsBefore(object, restored ?? {});
    const draft = run.settings.restore?.anewDrafts[resourceKeyIn(identity)];
    if (draft) await definition.undo.restoresDraft?.(run, id, draft, now as JsonMap);
  };
  return complete(whole, declared, { atEnd });
}
