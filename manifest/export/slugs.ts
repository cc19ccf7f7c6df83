/** A slug is a path: its case and the slashes around it say nothing, and the service spells it in its own way. */
import { isMap } from "../../provider/values/json.ts";
import { normalSlug } from "../../provider/kinds/page/path.ts";
import { Deferred, type Tree } from "../declarations/model.ts";
import { isPlainMap, type Value } from "./model.ts";
import type { OutsideValues } from "./outside.ts";

/** What is live in the words of the first of `others` that means the same. */
export function spelledAs(
  field: string,
  live: Value,
  others: readonly (Tree | undefined)[],
  outside: OutsideValues,
): Value {
  if (field !== "publish" || !isPlainMap(live)) return live;
  const { slug: shown = "" } = live;
  if (typeof shown !== "string") return live;
  const said = others.map((other) => slugIn(other, outside)).find((slug) => slug !== undefined && isSame(slug, shown));
  return said === undefined || said === shown ? live : { ...live, slug: said };
}

function isSame(one: string, other: string): boolean {
  return normalSlug(one) === normalSlug(other);
}

function slugIn(place: Tree | undefined, outside: OutsideValues): string | undefined {
  if (!isMap(place) || place instanceof Deferred) return undefined;
  const slug = (place as Record<string, Tree>)["slug"];
  const known = slug instanceof Deferred ? outside.valueOf(slug)?.value : slug;
  return typeof known === "string" ? known : undefined;
}
