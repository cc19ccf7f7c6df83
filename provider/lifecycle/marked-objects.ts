/**
 * Objects of this stack that still carry a marker: what an interrupted run left unfinished, and second copies that turned
 * up late. One search a kind and process finds them all.
 */
import type { Found } from "../collection.ts";
import type { AnyDefinition } from "../define.ts";
import type { JsonMap } from "../json.ts";
import { markerIn, markerOf, type Marker } from "./identity.ts";
import { ObjectState } from "./object-state.ts";
import type { RunContext } from "./run-context.ts";

/** The object that carries exactly this marker, looked for anew. */
export async function lookFor(definition: AnyDefinition, run: RunContext, full: string): Promise<Found | undefined> {
  const rows = (await definition.search?.(run, full)) ?? [];
  return rows.find(({ name }) => markerIn(name) === full);
}

/** Those of one resource, whatever it was made from. */
export async function markedBy(definition: AnyDefinition, run: RunContext, marker: Marker): Promise<Found[]> {
  const ofStack = await markedByStack(definition, run, marker.stack);
  return ofStack.filter(({ name }) => isOwn(name, marker));
}

/** A second object of a resource that exists. A key that may not search finds none. */
export async function twinOf(
  definition: AnyDefinition,
  run: RunContext,
  object: ObjectState,
): Promise<string | undefined> {
  if (!definition.marked || object.identity === undefined) return undefined;
  const marker = markerOf(object.identity, null);
  const rows = await markedBy(definition, run, marker).catch((): Found[] => []);
  return rows.find((row) => row.id !== object.id)?.id;
}

/** Removes a leftover, unless it lost its marker meanwhile: then it is somebody's finished object. */
export async function discard(definition: AnyDefinition, run: RunContext, id: string): Promise<void> {
  run.forget(id);
  const object = new ObjectState(definition, id);
  const answer = await definition.read(run, id, object);
  if (!answer) return;
  const name = nameOf(answer);
  if (name === undefined || markerIn(name) === undefined) return;
  object.learn(answer);
  await definition.delete(run, id, object);
  run.warn({ code: "removed-leftover", kind: definition.kind, id, name });
}

export function nameOf(answer: JsonMap): string | undefined {
  const name = answer["pageName"] ?? answer["name"];
  return typeof name === "string" ? name : undefined;
}

function isOwn(name: string, marker: Marker): boolean {
  return markerIn(name)?.startsWith(marker.own) ?? false;
}

async function markedByStack(definition: AnyDefinition, run: RunContext, stack: string): Promise<Found[]> {
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
