/** Values of a page's own record (its name, project and path) that a pass writes and that somebody has changed since we left them. */
import { pageKey, pages } from "../document/collection.ts";
import type { PagePass } from "../document/document.ts";
import { isPassingPlace } from "../document/places.ts";
import { DRAFT, draftIn } from "../document/released.ts";
import type { Writes } from "../document/writes.ts";
import type { ForeignEdit, ReplacedField } from "../../../messages/foreign-edits.ts";
import { editOf, isOfKilledRun, isUndo } from "../../../reconcile/foreign-edits.ts";
import type { ObjectState } from "../../../reconcile/object-state.ts";
import { normalSlug } from "../../../values/addresses.ts";
import { camelKeys, filterMap, isMap, type Json } from "../../../values/json.ts";

export function isOfRecord(edit: ForeignEdit): boolean {
  return edit.kind === "field" && edit.at[0] !== "content";
}

/** Reads the record only if the pass changes it. A page that makes way for another one was moved by this run. */
export async function recordEdits(
  { run, id, object }: Pick<PagePass, "run" | "id" | "object">,
  { record, interrupted }: Pick<Writes, "record" | "interrupted">,
): Promise<ForeignEdit[]> {
  if (!object.recorded || isUndo(run)) return [];
  const isDue = (field: string): boolean => !interrupted.has(field) && !(field === "publish" && run.putAside.has(id));
  const due = filterMap(record, (_, field) => isDue(field));
  const row = Object.keys(due).length === 0 ? undefined : await run.row(pages, id, object);
  if (row === undefined) return [];
  const there = object.with((next) => next.learn(camelKeys(row)));
  return Object.entries(due).flatMap(([field, code]) => {
    if (isOfKilledRun(pageKey(id), run, there, field)) return [];
    const edit = editOf(object, there, field, code);
    return (edit && field === "publish" ? pathOf(object, edit) : edit) ?? [];
  });
}

/** Only the path of a public page moves. A killed run may have left the page at a path in between, and a release where its state doesn't tell. */
function pathOf({ id = "", answer }: ObjectState, { now, over, ...edit }: ReplacedField): ForeignEdit | undefined {
  const [then, live, code] = [over.then, now, over.code].map(slugIn);
  if (isPassingPlace(id, now) || live === undefined || then === undefined || live === then) return undefined;
  if (draftIn(answer[DRAFT])?.place.slug === normalSlug(live)) return undefined;
  return { ...edit, at: ["publish", "slug"], now: live, over: { then, code: code ?? "" } };
}

function slugIn(publish: Json | undefined): string | undefined {
  const slug = isMap(publish) ? (publish["slug"] ?? "") : undefined;
  return typeof slug === "string" ? slug : undefined;
}
