/**
 * Places that pages of a run are to have, and don't have yet. What visitors get there stays until the new page can take over, or
 * they would find nothing: a page may be held back, or not be ready, and its predecessor goes last.
 */
import type { Page } from "../../api/records.ts";
import { DeleteError } from "../../messages/errors.ts";
import { orGone } from "../../account/presence.ts";
import type { RunContext } from "../../reconcile/run-context.ts";
import type { PagePass } from "./declared.ts";
import { PageRun, type Awaited } from "./page-run.ts";
import { holds, normalSlug, placeOf } from "./place.ts";

/** Of a page that a pass is to publish, by itself or with its release. */
export function awaitPublication({ run, id, now: { name = id, publish }, object }: PagePass): void {
  if (publish) run.part(PageRun).awaitPlace(id, { name, place: { slug: "", ...publish } }, placeOf(object));
}

/** Before a page is deleted. */
export async function refuseToLeaveEmpty(run: RunContext, id: string): Promise<void> {
  const awaited = [...run.part(PageRun).awaited].filter(([other]) => other !== id);
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
