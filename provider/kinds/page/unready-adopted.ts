/** A page that is taken over and published by that, and can't be: told by the plan, since the apply would stop halfway. */
import type { LandformApi, Page } from "../../api/index.ts";
import type { PlannedChange } from "../../definition/foresight.ts";
import { isMap, same, type JsonMap } from "../../values/json.ts";
import { orGone } from "../../account/presence.ts";
import { ContentFields } from "../../account/content-map.ts";
import { editedSincePublished } from "./dates.ts";
import { normalSlug } from "./place.ts";
import { issuesBesides } from "./readiness.ts";
import { heldBy, refusedOpen, withoutValue } from "./unfilled.ts";

/** Never shown, so that they are sent whatever the page has of them. */
const ALWAYS_SENT = ["variables", "tags", "productLabel", "delay"] as const;

export async function unreadyAdopted(
  api: LandformApi,
  change: PlannedChange,
  adopted: string | undefined,
): Promise<string[]> {
  const { op, declared, hides } = change;
  const isTakenOver = (op === "adopt" || op === "replace") && adopted !== undefined;
  // What a node becomes, its texts don't tell.
  if (!isTakenOver || declared("publish") === undefined || declared("nodes") !== undefined) return [];
  if (["content", "variables", "nodes"].some((field) => hides(field))) return [];
  const page = await orGone(api.pages.read(adopted));
  const map = page === undefined ? undefined : await orGone(api.builder.contentMap(page.id));
  if (page === undefined || map === undefined) return [];
  const fields = new ContentFields(map.fields);
  const content = declared("content");
  const texts = isMap(content) ? content : {};
  if (!isPublished(page, change, texts, fields)) return [];
  const validation = await orGone(api.pages.validate(page.id));
  if (validation === undefined) return [];
  const held = Object.fromEntries(fields.entries());
  // Placeholders stand in other places, too, and there alone the page's own check finds them.
  const elsewhere = validation.remaining_variables.filter((name) => !heldBy(held).includes(name));
  const open = refusedOpen(withoutValue([...elsewhere, ...heldBy({ ...held, ...texts })], declared("variables")));
  // What is found on a page that may be published is a hint.
  const others = (validation.ready_to_publish ? [] : issuesBesides(validation)).map(
    (issue) =>
      `page ${page.id} can't be published as it is: ${issue}. Correct that in the builder, or leave publish out`,
  );
  return [...(open === undefined ? [] : [open]), ...others].map((why) => `publish: ${why}`);
}

/**
 * One that is public as it is declared is left alone. One whose draft others have edited is published with that by the word to
 * include it, and else held back; by dates too near to tell, it may be either.
 */
function isPublished(page: Page, change: PlannedChange, texts: JsonMap, fields: ContentFields): boolean {
  const { declared, foreignEdits } = change;
  if (page.status !== "published") return true;
  const edited = editedSincePublished(page);
  if (edited !== false)
    return edited === true && (foreignEdits.option ?? declared("onForeignEdits") ?? foreignEdits.stack) === "include";
  const slug = declared("publish", "slug");
  const isThere =
    page.site_id === declared("publish", "siteId") &&
    normalSlug(page.slug) === normalSlug(typeof slug === "string" ? slug : "");
  const named = [
    [declared("name"), page.page_name],
    [declared("projectId"), page.project_id],
  ] as const;
  const isNamed = named.every(([wanted, shown]) => wanted === undefined || wanted === shown);
  const says = Object.entries(texts).every(([key, text]) => same(fields.value(key), text));
  return !isThere || !isNamed || !says || ALWAYS_SENT.some((field) => declared(field) !== undefined);
}
