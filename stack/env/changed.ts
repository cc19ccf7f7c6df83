/** Finds the pages of a preview whose code says something else about their look than the base's does. Pure. */
import type { AnyDefinition } from "../../provider/definition/define.ts";
import { hiddenTexts } from "../../provider/definition/in-preview.ts";
import { definitionOf } from "../../provider/kinds/registry.ts";
import { type StoredResource } from "../../provider/preview/base.ts";
import { urnInStack } from "../../provider/preview/facts.ts";
import { same, type Json } from "../../provider/values/json.ts";
import type { PreviewPage } from "./types.ts";

export function changedPages(
  pages: readonly PreviewPage[],
  own: readonly StoredResource[],
  base: readonly StoredResource[],
): PreviewPage[] {
  const before = new Map(base.map((resource) => [urnInStack(resource.urn), resource]));
  const now = new Map(own.map((resource) => [resource.urn, resource]));
  // A text may have the address of another page, or its path. The preview's has a token, which nothing else contains.
  const moved = pages.flatMap(({ url, baseUrl }) => (url && baseUrl ? addresses(url, baseUrl) : []));
  const asBase = (text: string): string => moved.reduce((all, [from, to]) => all.replaceAll(from, to), text);
  return pages.filter(({ urn, baseUrl }) => {
    const [was, is] = [before.get(urnInStack(urn)), now.get(urn)];
    const definition = is && definitionOf(is.type);
    if (was === undefined || is === undefined || definition === undefined || baseUrl === undefined) return true;
    const { copies } = definition.inPreview;
    // A copy looks like the page that it is made from, and that page may have changed.
    if (copies !== undefined && was.inputs?.[copies.by] !== undefined) return true;
    return !same(lookOf(definition, is, asBase), lookOf(definition, was));
  });
}

function addresses(url: string, baseUrl: string): [string, string][] {
  return [
    [url, baseUrl],
    [new URL(url).pathname, new URL(baseUrl).pathname],
  ];
}

/** Returns the inputs without those that a preview gives other values. */
function lookOf(
  { inPreview, named }: AnyDefinition,
  { inputs = {} }: StoredResource,
  asBase = (text: string): string => text,
): Json {
  const { copies, places = {}, publishes = [], hides } = inPreview;
  const isCopy = copies !== undefined && inputs[copies.by] !== undefined;
  const others = new Set([
    ...["adoptId", ...(named ? ["name"] : []), ...Object.keys(places), ...publishes],
    ...(copies === undefined ? [] : [copies.by]),
    ...(isCopy ? copies.without : []),
  ]);
  const look = Object.entries(inputs).flatMap(([key, value]) =>
    key.startsWith("__") || others.has(key) ? [] : [[key, key === hides ? hiddenTexts(value) : value]],
  );
  return JSON.parse(asBase(JSON.stringify(Object.fromEntries(look)))) as Json;
}
