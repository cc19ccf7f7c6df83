/**
 * Places that pages of a run are to have, and don't have yet. What visitors get there stays until the new page can take over, or
 * they would find nothing: a page may be held back, or not be ready, and its predecessor goes last.
 */
import type { Page } from "../../api/records.ts";
import type { Apply } from "../../definition/define.ts";
import { DeleteError } from "../../messages/errors.ts";
import { orGone } from "../../account/presence.ts";
import type { RunContext } from "../../reconcile/run-context.ts";
import type { PageLife } from "./declared.ts";
import { holds, isSamePlace, normalSlug, placeOf, type Place } from "./path.ts";

interface Awaited {
  readonly name: string;
  readonly place: Place;
}

/** By the id of the page that is to be there. */
const ofRuns = new WeakMap<RunContext, Map<string, Awaited>>();

function awaitedIn(run: RunContext): Map<string, Awaited> {
  const awaited = ofRuns.get(run) ?? new Map<string, Awaited>();
  ofRuns.set(run, awaited);
  return awaited;
}

/** Of a page that a pass is to publish, by itself or with its release. */
export function awaitPublication({ run, id, now: { name = id, publish }, object }: Apply<PageLife>): void {
  if (publish) awaitPlace(run, id, { name, place: { slug: "", ...publish } }, placeOf(object));
}

/** `from`: where the page is public now. */
export function awaitPlace(run: RunContext, id: string, { name, place }: Awaited, from: Place | undefined): void {
  if (from === undefined || !isSamePlace(from, place)) awaitedIn(run).set(id, { name, place });
}

/** It is public there, or where somebody has moved it; or it will be as soon as the other one is deleted. */
export function endAwaiting(run: RunContext, id: string): void {
  awaitedIn(run).delete(id);
}

/** Before a page is deleted. */
export async function refuseToLeaveEmpty(run: RunContext, id: string): Promise<void> {
  const awaited = [...awaitedIn(run)].filter(([other]) => other !== id);
  const page = awaited.length === 0 ? undefined : await orGone(run.api.pages.read(id));
  for (const [successor, one] of page ? awaited : [])
    if (page && holds(page, one.place)) throw new DeleteError(keptText(page, successor, one));
}

function keptText(page: Page, id: string, { name, place }: Awaited): string {
  return (
    `page ${page.id} ("${page.page_name}") is not deleted yet: it has the path /${normalSlug(place.slug)} of site ${place.siteId}, and ` +
    `page ${id} ("${name}"), which is to have it, is not public there. Without either, visitors would find nothing. ` +
    `The run that publishes the one deletes the other.`
  );
}
