/** A page that is public elsewhere than it was to be. */
import { isShownAt, misplacedIn } from "../../account/page-answers.ts";
import type { Page } from "../../api/records.ts";
import type { Apply } from "../../definition/define.ts";
import type { ObjectState } from "../../reconcile/object-state.ts";
import type { JsonMap } from "../../values/json.ts";

/** It is as if that address had been declared: drift and the next plan tell the way from there to the one that is. */
export function noteElsewhere(object: ObjectState, target: JsonMap, error: unknown): void {
  const misplaced = misplacedIn(error);
  if (misplaced === undefined) return;
  const { slug, url } = misplaced.shown;
  object.learn({ status: "published", siteId: target["siteId"] ?? null, slug: slug ?? "", url });
  object.declare("publish", { ...target, slug: slug ?? "" });
}

/** Of a page that is published: where the last look shows it, once that is learned. `slug`: as its publication was answered. */
export async function refuseElsewhere(
  { run, id, now, object }: Pick<Apply<{ readonly publish?: JsonMap }>, "run" | "id" | "now" | "object">,
  record: Page,
  slug: string,
): Promise<void> {
  if (record.status !== "published" || record.site_id === null || isShownAt(slug, record)) return;
  try {
    const placed = await run.account.documents.placed(id, { siteId: record.site_id, slug }, record, undefined);
    object.learn({ slug: placed.slug, url: placed.url });
  } catch (error) {
    noteElsewhere(object, now.publish ?? {}, error);
    throw error;
  }
}
