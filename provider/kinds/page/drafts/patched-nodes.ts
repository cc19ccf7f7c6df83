/** Nodes that a pass patches: what somebody else has edited in one of them would go live with it. Pure. */
import { isMap, type Json, type JsonMap } from "../../../values/json.ts";
import type { ObjectState } from "../../../reconcile/object-state.ts";
import { PARTS } from "../node-without.ts";
import type { Footprint } from "./footprint.ts";
import type { PassWrites } from "./own-writes.ts";
import type { PageLook } from "./page-look.ts";

/** Those of which nothing moved since it was published but what the pass writes over. */
export function nodesOfOurs(
  { nodeIds, patches }: PassWrites,
  { nodes, unsure }: Footprint,
  look: PageLook,
  { answer, edited }: Pick<ObjectState, "answer" | "edited">,
): Set<string> {
  const isOurs = (id: string): boolean => {
    const [own, patch] = [look.nodes.get(id)?.own, patches[id]];
    if (unsure || own === undefined || !isMap(patch) || nodes.holds(id, own)) return true;
    return [edited, answer].some((known) => nodes.holds(id, putBack(own, patch, nodeIn(known["nodes"], id))));
  };
  return new Set([...nodeIds].filter(isOurs));
}

function nodeIn(nodes: Json | undefined, id: string): JsonMap {
  const node = isMap(nodes) ? nodes[id] : undefined;
  return isMap(node) ? node : {};
}

/** The node with what is patched as it was known; what wasn't known wasn't there. */
function putBack(own: string, patch: JsonMap, known: JsonMap): string {
  const node = JSON.parse(own) as JsonMap;
  for (const part of PARTS) {
    const [wanted, then, live] = [patch[part], known[part], node[part]];
    if (!isMap(wanted) || !isMap(live)) continue;
    const others = Object.entries(live).filter(([name]) => !(name in wanted));
    const before = Object.keys(wanted).flatMap((name): [string, Json][] => {
      const value = isMap(then) ? then[name] : undefined;
      return value === undefined ? [] : [[name, value]];
    });
    node[part] = Object.fromEntries([...others, ...before].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
  return JSON.stringify(node);
}
