/**
 * Under plain `pulumi up` nobody knows what of the stack the run is about to delete, and the engine deletes last, if at all: not
 * where something failed. A page whose path another one has fails all the same, since that one may be anybody's. Where the
 * run deletes it after all, the page is published right after, by the same process; its state is behind by that, and the next
 * up makes up for it.
 */
import type { Apply } from "../../definition/define.ts";
import { ApplyError } from "../../messages/errors.ts";
import { pageKey } from "./collection.ts";
import { PageRun } from "./page-run.ts";
import { type PathHeld, publishAt } from "./path.ts";
import { normalSlug, type Place } from "./place.ts";

export function refusedPath({ run, id }: Apply<unknown>, place: Place, held: PathHeld): ApplyError {
  if (run.settings.knowsStack) return held;
  run.part(PageRun).endAwaiting(id);
  run.whenDeleted(pageKey(held.holder.id), () => publishNow(run, id, place));
  const advice =
    `If it is one that the program no longer declares: "npx landform up" knows that, and lets it make way; "pulumi up" by itself ` +
    `doesn't, and deletes last. There, first delete it by an up without the new page, then declare the new one.`;
  return new ApplyError(`${held.message} ${advice}`, { cause: held });
}

async function publishNow(run: Apply<unknown>["run"], id: string, place: Place): Promise<void> {
  try {
    await publishAt(run, id, place, { from: undefined, predecessor: undefined });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const text = `publish: page ${id} could not be published at /${normalSlug(place.slug)}, which is free now (${why}). Run up again.`;
    run.warn({ code: "of-kind", kind: "page", id, topic: "still-waits", text });
  }
}
