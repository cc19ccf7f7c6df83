/** What builder nodes of a page hold before they are written over, and how an undo writes it back. */
import type { PlannedWrites } from "../../definition/define.ts";
import type { Held } from "../../history/kept.ts";
import { isMap, type JsonMap } from "../../values/json.ts";
import { changedKeys } from "../../reconcile/diff.ts";
import type { ObjectState } from "../../reconcile/object-state.ts";
import { orGone } from "../../account/presence.ts";
import type { RunContext } from "../../reconcile/run-context.ts";
import { PARTS } from "./node-without.ts";
import { nodePaths } from "./nodes.ts";

/** A property that wasn't there is null: a patch can't take it away again, and the whole node without it can be sent. */
export async function nodesHeld(
  run: RunContext,
  id: string,
  object: ObjectState,
  writes: PlannedWrites | undefined,
): Promise<Held> {
  const declared = object.declared.get("nodes");
  if (writes && !writes.changed.has("nodes")) return NOTHING;
  const due = writes ? changedKeys(declared, writes.inputs["nodes"]) : isMap(declared) ? declared : {};
  if (Object.keys(due).length === 0) return NOTHING;
  const then: JsonMap = {};
  const hidden: string[] = [];
  for (const [nodeId, wanted] of Object.entries(due)) {
    const found = await orGone(run.api.builder.readNode(id, nodeId));
    if (!found || !isMap(wanted)) continue;
    const node = found.node as JsonMap;
    const held = isMap(wanted["node"]) ? { node } : patchHeld(nodeId, wanted, node, hidden);
    if (Object.keys(held).length > 0) then[nodeId] = held;
  }
  return { then: { nodes: then }, sent: writes ? { nodes: due } : {}, hidden };
}

const NOTHING: Held = { then: {}, sent: {}, hidden: [] };

function patchHeld(nodeId: string, wanted: JsonMap, node: JsonMap, hidden: string[]): JsonMap {
  const patch: JsonMap = {};
  for (const part of PARTS) {
    const [properties, live] = [wanted[part], node[part]];
    if (!isMap(properties)) continue;
    const before: JsonMap = {};
    for (const name of Object.keys(properties)) {
      const value = isMap(live) ? live[name] : undefined;
      if (value === undefined && hasNodes(node)) hidden.push(`nodes.${nodeId}.${part}.${name}`);
      else before[name] = value ?? null;
    }
    if (Object.keys(before).length > 0) patch[part] = before;
  }
  return patch;
}

/** Whether nodes inside of one that is replaced keep their ids is not shown. */
function hasNodes(node: JsonMap): boolean {
  return nodePaths(node).size > 1;
}

/** A node of which nothing was known is left as it is. */
export function nodesToWrite(nodes: JsonMap): JsonMap {
  return Object.fromEntries(Object.entries(nodes).filter(([, held]) => isMap(held) && Object.keys(held).length > 0));
}
