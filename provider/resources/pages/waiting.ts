/**
 * Under plain `pulumi up` nobody knows what of the stack the run is about to delete, and the engine deletes last. A page
 * whose path another one has waits once, in case that one goes: then it is published right after, by the same process.
 * What its state says is behind by that, and the next up makes up for it.
 */
import type { Apply } from "../../define.ts";
import { ApplyError } from "../../lifecycle/errors.ts";
import type { ObjectState } from "../../lifecycle/object-state.ts";
import { normalSlug, type PathHeld, type Place, publishAt } from "./path.ts";

/** The page that had the path the last time. */
const WAITED_FOR = "waitedFor";

/** Throws where it has waited before, or where all is known. */
export function waitForPath({ run, id, object }: Apply<unknown>, place: Place, held: PathHeld): void {
  if (run.settings.knowsStack) throw held;
  const { holder } = held;
  run.whenDeleted(holder.id, () => publishNow(run, id, place));
  if (object.notes[WAITED_FOR] === holder.id) {
    const advice = `If it is one that the program no longer declares, "pulumi up --continue-on-error" deletes it and publishes this one.`;
    throw new ApplyError(`${held.message} ${advice}`, { cause: held });
  }
  object.notes = { ...object.notes, [WAITED_FOR]: holder.id };
  object.waiting.add("publish");
  const text =
    `publish: page ${id} waits, because page ${holder.id} ("${holder.page_name}") has the path /${normalSlug(place.slug)} of ` +
    `site ${place.siteId}. Where this run deletes that page, this one is published right after it, which the next up takes ` +
    `note of. Where that page stays, the next up fails and says what to do.`;
  run.warn({ code: "of-kind", kind: "page", id, topic: "waits-for-path", text });
}

export function hasItsPath(object: ObjectState): void {
  const { [WAITED_FOR]: _, ...notes } = object.notes;
  object.notes = notes;
}

async function publishNow(run: Apply<unknown>["run"], id: string, place: Place): Promise<void> {
  try {
    await publishAt(run, id, place, { from: undefined, predecessor: undefined });
    run.forget(id);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const text = `publish: page ${id} could not be published at /${normalSlug(place.slug)}, which is free now (${why}). Run up again.`;
    run.warn({ code: "of-kind", kind: "page", id, topic: "still-waits", text });
  }
}
