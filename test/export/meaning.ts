/** An account by its meaning: without ids, and with references in place of keys. */
import { addressOf, isPlainMap, Reference, tellingInputs, type Model, type Value } from "../../manifest/match/model.ts";
import { normalSlug } from "../../provider/values/addresses.ts";

/** Returns a line for each resource, sorted, so that namesakes may change places. */
export function meaningOf({ resources }: Model): string[] {
  const known = new Map(resources.map((resource) => [addressOf(resource), resource]));
  const lineOf = (address: string): string => {
    const resource = known.get(address);
    if (resource === undefined) return address;
    const { kind, name = "" } = resource;
    // A new site is found by its name, so a copy of a second site of that name gets a number.
    const called = kind === "site" ? name.trim().replace(/ \d+$/, "") : name.trim();
    const inputs = tellingInputs(resource)
      .filter(([field]) => !(kind === "site" && field === "name"))
      .map(([field, value]) => [field, meant(field === "publish" ? withPlainSlug(value) : value)] as const);
    return JSON.stringify([kind, called, Object.fromEntries(inputs.sort(([a], [b]) => (a < b ? -1 : 1)))]);
  };
  const meant = (value: Value | undefined): unknown => {
    if (value instanceof Reference) return lineOf(value.address);
    if (Array.isArray(value)) return value.map(meant);
    if (!isPlainMap(value)) return value;
    const entries = Object.entries(value).filter(([, item]) => item !== null);
    return Object.fromEntries(
      entries.map(([key, item]) => [key, meant(item)] as const).sort(([a], [b]) => (a < b ? -1 : 1)),
    );
  };
  return [...known.keys()].map(lineOf).sort();
}

function withPlainSlug(value: Value): Value {
  if (!isPlainMap(value)) return value;
  const { slug } = value;
  return { ...value, slug: typeof slug === "string" ? normalSlug(slug) : "" };
}
