/**
 * Objects of this stack that still carry a marker: what an interrupted run left unfinished, and second copies that turned
 * up late. One search a kind and process finds them all.
 */
import type { AnyDefinition, Found } from "../define.ts";
import type { JsonMap } from "../json.ts";
import { finishedBy } from "./finished.ts";
import { markerIn, markerOf, type Marker } from "./identity.ts";
import { patientLook } from "./look.ts";
import type { Services } from "./services.ts";
import { Work } from "./work.ts";

/** The object that carries exactly this marker, looked for anew. */
export async function lookFor(definition: AnyDefinition, services: Services, full: string): Promise<Found | undefined> {
  const rows = (await definition.search?.(services, full)) ?? [];
  return rows.find(({ name }) => markerIn(name) === full);
}

/** What to carry on with; everything else that carries the resource's marker is removed. */
export async function takeLeftover(
  definition: AnyDefinition,
  services: Services,
  marker: Marker,
  inputs: JsonMap,
  identity: string | undefined,
): Promise<Found | undefined> {
  let mine = (await leftoversOf(definition, services, marker.stack)).filter(({ name }) => isOwn(name, marker));
  const interrupted = services.settings.unfinished.get(identity ?? "");
  if (mine.length === 0 && interrupted) {
    const found = await patientLook(async () => {
      const begun = await lookFor(definition, services, marker.full);
      return begun ?? (await finishedBy(interrupted, definition, services, inputs));
    }, services.settings.patienceMs);
    if (found && markerIn(found.name) === undefined) return found;
    mine = found ? [found] : [];
  }
  const resumes = definition.resumes?.(inputs) ?? true;
  const usable = resumes ? mine.find(({ name }) => markerIn(name) === marker.full) : undefined;
  for (const other of mine) if (other !== usable) await discard(definition, services, other.id);
  return usable;
}

/** A second object of a resource that exists. A key that may not search finds none. */
export async function twinOf(definition: AnyDefinition, services: Services, work: Work): Promise<string | undefined> {
  if (!definition.marked || work.identity === undefined) return undefined;
  const marker = markerOf(work.identity, null);
  const rows = await leftoversOf(definition, services, marker.stack).catch((): Found[] => []);
  return rows.find((row) => row.id !== work.id && isOwn(row.name, marker))?.id;
}

/** Removes a leftover, unless it lost its marker meanwhile: then it is somebody's finished object. */
export async function discard(definition: AnyDefinition, services: Services, id: string): Promise<void> {
  services.forget(id);
  const work = new Work(definition, id);
  const answer = await definition.read(services, id, work);
  if (!answer) return;
  const name = answer["pageName"] ?? answer["name"];
  if (typeof name !== "string" || markerIn(name) === undefined) return;
  work.learn(answer);
  await definition.delete(services, id, work);
  services.warn(`Removed ${definition.kind} ${id} ("${name}"), which an interrupted run had left behind.`);
}

function isOwn(name: string, marker: Marker): boolean {
  return markerIn(name)?.startsWith(marker.own) ?? false;
}

async function leftoversOf(definition: AnyDefinition, services: Services, stack: string): Promise<Found[]> {
  const key = `${definition.kind} ${stack}`;
  const look = services.looks.get(key) ?? definition.search?.(services, stack) ?? Promise.resolve([]);
  services.looks.set(key, look);
  try {
    return await look;
  } catch (error) {
    services.looks.delete(key);
    throw error;
  }
}
