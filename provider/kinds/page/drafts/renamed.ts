/** A service may give the nodes of a page new ids when it publishes it: the same nodes under other names are no edits. Pure. */
import type { NodeLook, PageLook } from "./page-look.ts";

type Nodes = PageLook["nodes"];

/** As JSON.stringify writes one. */
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/g;

/** The tree with each id replaced by its place in it. */
export function withoutIds({ nodes }: Pick<PageLook, "nodes">): string {
  const places = quoted([...nodes.keys()].map((id, index) => [id, `#${index}`]));
  return [...nodes.values()].map(({ own }) => renamed(own, places)).join("\n");
}

/** The later look under the ids of the one before, where every node has a new one at the same place. */
export function underFormerIds(before: Nodes, after: Nodes): Nodes {
  const [then, now] = [before, after].map((nodes) => [...nodes].filter(([id]) => id !== ""));
  const pairs = (now ?? []).map(([id, { path }], index) => ({ id, path, former: then?.[index] }));
  const isRenamed =
    then?.length === now?.length &&
    pairs.every(({ id, path, former }) => !before.has(id) && former !== undefined && former[1].path === path);
  if (pairs.length === 0 || !isRenamed) return after;
  const ids = new Map(pairs.flatMap(({ id, former }) => (former ? [[id, former[0]] as const] : [])));
  const written = quoted(ids);
  const entries = [...after].map(([id, look]): [string, NodeLook] => [
    ids.get(id) ?? id,
    { ...look, own: renamed(look.own, written) },
  ]);
  return new Map(entries);
}

/** Of ids, as they stand in JSON. */
const quoted = (ids: Iterable<readonly [string, string]>): ReadonlyMap<string, string> =>
  new Map([...ids].map(([id, name]) => [JSON.stringify(id), JSON.stringify(name)]));

function renamed(own: string, places: ReadonlyMap<string, string>): string {
  return own.replaceAll(STRING, (text) => places.get(text) ?? text);
}
