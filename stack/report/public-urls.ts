/** Under which addresses pages are public, by URN. Pure. */
import { type PropertyMap, typeOf } from "../../engine/index.ts";
import { isMap } from "../../provider/values/json.ts";
import { definitionOf } from "../../provider/kinds/registry.ts";
import { normalSlug } from "../../provider/kinds/page/place.ts";
import { DRAFT } from "../../provider/kinds/page/released.ts";
import { urlOf } from "./steps.ts";
import type { Told } from "./told.ts";
import { shown } from "./values.ts";

/** What its release has published, a page's own state is told by the next refresh. */
export function publicUrls(told: ReadonlyMap<string, Told>): Map<string, string> {
  const all = [...told.values()];
  const released = new Map(all.flatMap(({ outputs }) => Object.entries(releasedIn(outputs))));
  return new Map(
    all.flatMap(({ urn, id, outputs }) => {
      const ofRelease = definitionOf(typeOf(urn))?.public === "address" ? released.get(id) : undefined;
      const url = urlOf(outputs) ?? ofRelease;
      const known = isMoving(outputs, url) ? ofRelease : url;
      return known === undefined ? [] : [[urn, known]];
    }),
  );
}

/** A page of a release that waits has the address where it will be: it is public by the slug that the service shows. */
function isMoving(outputs: PropertyMap, url: string | undefined): boolean {
  const { slug, status } = outputs;
  if (outputs[DRAFT] === undefined || url === undefined || status !== "published" || typeof slug !== "string")
    return false;
  const path = URL.parse(url)?.pathname ?? "";
  return !`/${spelled(path)}`.endsWith(`/${spelled(slug)}`);
}

function spelled(path: string): string {
  const slug = normalSlug(path);
  try {
    return decodeURIComponent(slug).toLowerCase();
  } catch {
    return slug.toLowerCase();
  }
}

/** By the id of the page. */
export function releasedIn({ urls }: PropertyMap): Record<string, string> {
  const byId = shown(urls ?? null);
  const entries = isMap(byId) ? Object.entries(byId) : [];
  return Object.fromEntries(entries.flatMap(([id, url]) => (typeof url === "string" ? [[id, url]] : [])));
}
