/**
 * Services copy the name of a page at its creation (the title of a blank page, a quiz's page), and keep the copy when the
 * page is renamed. A marker that went along is taken out of the content before visitors can see it.
 */
import type { Apply } from "../../define.ts";
import { withoutMarkerOf } from "../../lifecycle/identity.ts";
import { readFields, type PageFields } from "./content.ts";

interface MadeFrom {
  readonly templateId?: string;
  readonly duplicateOf?: string;
  readonly publish?: object;
}

/** `read` is the content map, if this pass has read it already. Pages of older versions are looked at, too. */
export async function cleanCopies(pass: Apply<MadeFrom>, read: PageFields | undefined): Promise<void> {
  const { run, id, object } = pass;
  if (object.identity === undefined || !mayHoldCopies(pass)) return;
  const { fields } = read ?? (await readFields(run, id));
  const updates: Record<string, string> = {};
  for (const [key, value] of fields.entries()) {
    if (typeof value !== "string") continue;
    const clean = withoutMarkerOf(object.identity, value);
    if (clean !== value) updates[key] = clean;
  }
  if (Object.keys(updates).length === 0) return;
  await run.api.pages.updateContent({ page_id: id, updates });
  object.wrote = true;
}

/** What is made from nothing gets its texts from its name; of the rest it is only known that it may. */
function mayHoldCopies({ created, changed, now, object }: Apply<MadeFrom>): boolean {
  const isBlank = now.templateId === undefined && now.duplicateOf === undefined && !object.declared.has("adoptId");
  const isPublished = now.publish !== undefined && (object.wrote || changed.has("publish"));
  return created ? isBlank || isPublished : isBlank && isPublished;
}
