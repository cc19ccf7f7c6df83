/** Objects of this stack that still carry a marker: unfinished ones, and second copies that turned up late. */
import type { Found } from "../definition/collection.ts";
import { markerIn, nameDigest, resourceKeyIn, stackIn, unmarkedName } from "../ledger/identity.ts";
import { type KindInRun, nameOf, type ObjectInRun, ObjectState } from "./object-state.ts";
import type { RunContext } from "./run-context.ts";

/** Looks anew for the object that carries exactly this marker. `others`: ids that carry it and are somebody's. */
export async function lookFor(
  { definition, run }: KindInRun,
  full: string,
  others: readonly string[] = [],
): Promise<Found | undefined> {
  const rows = await definition.search?.(run, full);
  return rows?.find(({ id, name }) => markerIn(name) === full && !others.includes(id));
}

/** Returns the marked objects of one resource, with any inputs. */
export async function markedBy(kind: KindInRun, resourceKey: string): Promise<Found[]> {
  const ofStack = await markedByStack(kind, stackIn(resourceKey));
  return ofStack.filter(({ name }) => markerIn(name)?.startsWith(resourceKey));
}

/** Returns the marked objects that bear a name which this stack gives, and are not public: the marker goes before anything is public. */
export async function withOurNames(
  kind: KindInRun,
  rows: readonly Found[],
  called: readonly string[],
): Promise<Found[]> {
  const isOurs = async ({ id, name, answer }: Found): Promise<boolean> =>
    answer["status"] !== "published" && (isAsNamed(name, called) || isAsNamed(await ownName(kind, id), called));
  const ours = await Promise.all(rows.map(isOurs));
  return rows.filter((_, index) => ours[index]);
}

/**
 * Returns a second object of an existing resource that the ledger proves: by its id, or by a creation that is open. Without proof it may be
 * somebody's copy from the time when the first one had its marker, and is named. A key that may not search finds none.
 */
export async function findDuplicate(over: ObjectInRun): Promise<string | undefined> {
  const { definition, run, object } = over;
  if (!definition.marked || object.identity === undefined) return undefined;
  const key = resourceKeyIn(object.identity);
  const { ledger } = run.settings;
  const ids = ledger.of(key).map(({ id }) => id);
  const open = ledger.open(key);
  if (open === 0 && ids.every((id) => id === undefined || id === object.id)) return undefined;
  const rows = await markedBy(over, key).catch((): Found[] => []);
  const others = rows.filter(({ id }) => id !== object.id);
  const unknown = others.filter(({ id }) => !ids.includes(id));
  const isOurs = unknown.length <= open && open !== Infinity;
  if (!isOurs) for (const { id, name } of unknown) tellCopy(over, id, name);
  const proven = isOurs ? others : others.filter((one) => !unknown.includes(one));
  const [twin] = await withOurNames(over, proven, namesOf(object));
  return twin?.id;
}

/**
 * Removes a leftover. Without proof by its id, it goes if it still bears the marker, under a name that this stack gives (`called`). If it
 * lost its marker meanwhile, it is somebody's finished object. Under another name it may be somebody's copy.
 */
export async function discard(
  kind: KindInRun,
  id: string,
  called?: readonly string[],
): Promise<"removed" | "gone" | "somebody's"> {
  const { definition, run } = kind;
  run.account.forget(id);
  const object = new ObjectState(definition, id);
  const answer = await definition.read(run, id, object);
  if (!answer) return "gone";
  const name = nameOf(answer) ?? "";
  if (called !== undefined && markerIn(name) === undefined) return "gone";
  // The marker goes before anything is public.
  if (called !== undefined && (!isAsNamed(name, called) || answer["status"] === "published")) {
    tellCopy(kind, id, name);
    return "somebody's";
  }
  object.learn(answer);
  await definition.delete(run, id, object);
  run.warn({ code: "removed-leftover", kind: definition.kind, id, name });
  return "removed";
}

export function tellCopy({ definition, run }: KindInRun, id: string, name: string): void {
  run.warn({ code: "perhaps-a-copy", kind: definition.kind, id, name });
}

/** Tells if a marked name is one that this stack has given, before its marker. `called`: digests of those names. */
export function isAsNamed(name: string | undefined, called: readonly string[]): boolean {
  const bare = unmarkedName(name ?? "");
  return bare !== undefined && (bare === "" || called.includes(nameDigest(bare)));
}

export function namesOf({ declared, answer }: ObjectState): string[] {
  return [declared.get("name"), nameOf(answer)].filter((name) => typeof name === "string").map(nameDigest);
}

/** Returns the object's own name. A list may show a name with that of its site. */
export async function ownName({ definition, run }: KindInRun, id: string): Promise<string | undefined> {
  const answer = await definition.read(run, id, new ObjectState(definition, id));
  return answer && nameOf(answer);
}

/** Begins all looks together. If one fails, the creation that needs it meets the failure again. */
export function lookAhead(run: RunContext, stack: string): void {
  if (run.looks.size > 0) return;
  const kinds = (run.settings.creates ?? []).filter(({ marked }) => marked);
  for (const definition of kinds) void markedByStack({ definition, run }, stack).catch(() => undefined);
}

async function markedByStack({ definition, run }: KindInRun, stack: string): Promise<Found[]> {
  const key = `${definition.kind} ${stack}`;
  const look = run.looks.get(key) ?? definition.search?.(run, stack) ?? Promise.resolve([]);
  run.looks.set(key, look);
  try {
    return await look;
  } catch (error) {
    run.looks.delete(key);
    throw error;
  }
}
