/**
 * Objects of this stack that still carry a marker: what an interrupted run left unfinished, and second copies that turned
 * up late. One search a kind and process finds them all.
 */
import type { AnyDefinition, Found } from "../define.ts";
import type { JsonMap } from "../json.ts";
import { finishedBy } from "./finished.ts";
import { markerIn, markerOf, type Marker } from "./identity.ts";
import { patientLook } from "./patience.ts";
import type { RunContext } from "./run-context.ts";
import { ObjectState } from "./object-state.ts";

/** The object that carries exactly this marker, looked for anew. */
export async function lookFor(definition: AnyDefinition, run: RunContext, full: string): Promise<Found | undefined> {
  const rows = (await definition.search?.(run, full)) ?? [];
  return rows.find(({ name }) => markerIn(name) === full);
}

/** What to carry on with; everything else that carries the resource's marker is removed. */
export async function takeLeftover(
  definition: AnyDefinition,
  run: RunContext,
  marker: Marker,
  inputs: JsonMap,
  identity: string | undefined,
): Promise<Found | undefined> {
  let mine = (await leftoversOf(definition, run, marker.stack)).filter(({ name }) => isOwn(name, marker));
  const interrupted = run.settings.unfinished.get(identity ?? "");
  if (mine.length === 0 && interrupted) {
    const found = await patientLook(async () => {
      const begun = await lookFor(definition, run, marker.full);
      return begun ?? (await finishedBy(interrupted, definition, run, inputs));
    }, run.settings.patienceMs);
    if (found && markerIn(found.name) === undefined) return found;
    mine = found ? [found] : [];
  }
  const resumes = definition.resumes?.(inputs) ?? true;
  const usable = resumes ? mine.find(({ name }) => markerIn(name) === marker.full) : undefined;
  for (const other of mine) if (other !== usable) await discard(definition, run, other.id);
  return usable;
}

/** A second object of a resource that exists. A key that may not search finds none. */
export async function twinOf(
  definition: AnyDefinition,
  run: RunContext,
  object: ObjectState,
): Promise<string | undefined> {
  if (!definition.marked || object.identity === undefined) return undefined;
  const marker = markerOf(object.identity, null);
  const rows = await leftoversOf(definition, run, marker.stack).catch((): Found[] => []);
  return rows.find((row) => row.id !== object.id && isOwn(row.name, marker))?.id;
}

/** Removes a leftover, unless it lost its marker meanwhile: then it is somebody's finished object. */
export async function discard(definition: AnyDefinition, run: RunContext, id: string): Promise<void> {
  run.forget(id);
  const object = new ObjectState(definition, id);
  const answer = await definition.read(run, id, object);
  if (!answer) return;
  const name = definition.rule("name").live?.(answer, null);
  if (typeof name !== "string" || markerIn(name) === undefined) return;
  object.learn(answer);
  await definition.delete(run, id, object);
  run.warn({ code: "removed-leftover", kind: definition.kind, id, name });
}

function isOwn(name: string, marker: Marker): boolean {
  return markerIn(name)?.startsWith(marker.own) ?? false;
}

async function leftoversOf(definition: AnyDefinition, run: RunContext, stack: string): Promise<Found[]> {
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
