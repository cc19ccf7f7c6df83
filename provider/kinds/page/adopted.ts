/**
 * A published page that is taken over while its draft is newer than what visitors get. The content map shows the draft, so
 * nothing may be left to write though visitors see something else: what waits is published with the page where the word is to
 * include it, as the plan says. Otherwise the page is taken over as it is, and that its draft waits is told: nothing of ours is
 * held back, so there is nothing to go on with.
 */
import { editsText, type ForeignEdit } from "../../messages/foreign-edits.ts";
import { isMap, type JsonMap } from "../../values/json.ts";
import type { ObjectState } from "../../reconcile/object-state.ts";
import type { RunContext } from "../../reconcile/run-context.ts";
import { pageKey } from "./collection.ts";
import { editedByDates } from "./dates.ts";
import { Draft } from "./document.ts";
import { wordFor, wordOf } from "./guard.ts";
import { shippedAs, withShipped } from "./readings.ts";

/** The inputs that have to be applied whatever the page shows of them. Reads only. `changed`: what is applied anyway. */
export async function dueOnAdoption(
  run: RunContext,
  id: string,
  object: ObjectState,
  { publish, name, onForeignEdits }: JsonMap,
  changed: ReadonlySet<string>,
): Promise<readonly string[]> {
  // It leaves where it is, and makes way for another page that is to be there.
  if (changed.has("publish")) run.settings.ours?.add(pageKey(id));
  if (!isMap(publish)) return [];
  await noteWithoutDates(run, id, object);
  // What a release publishes, it looks at itself.
  if (publish["release"] !== undefined) return [];
  const edits = await editedByDates(run, id, object);
  const word = wordFor(run, id, edits, wordOf(onForeignEdits));
  if (word === "include") return ["publish"];
  // With a change of ours the guard of the publication tells it.
  if (word === "hold" && changed.size === 0) {
    tellOfDraft(run, id, typeof name === "string" ? name : id, edits);
    // Dates too near for a read by itself to tell; the next publication is held against this.
    object.learn({ hasUnpublishedChanges: true });
  }
  return [];
}

/**
 * Where the service shows no dates, nothing would tell of an edit that comes after this. What the draft holds now is noted, and taken
 * for what is public: whether it is, nobody can say.
 */
async function noteWithoutDates(run: RunContext, id: string, object: ObjectState): Promise<void> {
  const { status, updatedAt, publishedAt } = object.answer;
  if (status !== "published" || (typeof updatedAt === "string" && typeof publishedAt === "string")) return;
  object.notes = withShipped(object.notes, shippedAs(id, await new Draft(run, id).whole()));
}

function tellOfDraft(run: RunContext, id: string, name: string, edits: readonly ForeignEdit[]): void {
  const text =
    `publish: page ${id} ("${name}") is taken over as it is public, and its draft holds edits that are not: ` +
    `${editsText(edits)}. Publish or undo them in the builder.`;
  run.warn({ code: "of-kind", kind: "page", id, topic: "draft-waits", text });
}
