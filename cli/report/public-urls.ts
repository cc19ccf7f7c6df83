/** Under which addresses pages are public, by URN. Pure. */
import { type PropertyMap } from "../../engine/index.ts";
import { isMap } from "../../provider/json.ts";
import { urlOf } from "./steps.ts";
import type { Told } from "./told.ts";
import { shown } from "./values.ts";

/** What its release has published, a page's own state is told by the next refresh. */
export function publicUrls(told: ReadonlyMap<string, Told>): Map<string, string> {
  const all = [...told.values()];
  const released = new Map(all.flatMap(({ outputs }) => Object.entries(releasedIn(outputs))));
  return new Map(
    all.flatMap(({ urn, id, outputs }) => {
      const url = urlOf(outputs) ?? (id === "" ? undefined : released.get(id));
      return url === undefined ? [] : [[urn, url]];
    }),
  );
}

/** By the id of the page. */
export function releasedIn({ urls }: PropertyMap): Record<string, string> {
  const byId = shown(urls ?? null);
  const entries = isMap(byId) ? Object.entries(byId) : [];
  return Object.fromEntries(entries.flatMap(([id, url]) => (typeof url === "string" ? [[id, url]] : [])));
}
