/** Builder nodes of a page. The service merges patches, so only the declared properties are compared. */
import { leaveHeld } from "../document/writes.ts";
import { orGone } from "../../../account/presence.ts";
import { InvalidRequestError, NotFoundError } from "../../../api/index.ts";
import { after, type NodeInput, type NodePatch, type Reached, type Step, written } from "../document/document.ts";
import { partsOf } from "../document/ours.ts";
import type { Guarded } from "../edits/guard.ts";
import { valuesNow } from "../document/texts.ts";
import { ApplyError } from "../../../messages/errors.ts";
import { isUndo } from "../../../reconcile/foreign-edits.ts";
import type { RunContext } from "../../../reconcile/run-context.ts";
import {
  filterMap,
  isMap,
  type Json,
  type JsonMap,
  mapBy,
  mapEach,
  mapOf,
  same,
  without,
} from "../../../values/json.ts";
import { nearest } from "../../../values/nearest.ts";
import { nodePaths, textsOfNode } from "../../../account/builder-tree.ts";
import { render } from "../../../values/placeholders.ts";

export async function* applyNodes(at: Reached, { writes }: Guarded): Step {
  const { run, id, now, changed } = at;
  const { nodes } = now;
  if (!changed.has("nodes") || !nodes) return at;
  const done: JsonMap = { ...mapOf(writes.then.declared.get("nodes")) };
  let next = at;
  for (const nodeId of Object.keys(writes.nodes)) {
    const declared = nodes[nodeId];
    if (!declared) continue;
    await sendNode(run, id, nodeId, declared);
    done[nodeId] = declared;
    next = written(next, (object) => object.declare("nodes", { ...done }));
    yield next;
  }
  const live = await liveNodes(run, id, nodes);
  next = after(next, (object) => {
    object.declare("nodes", writes.held.nodes.length === 0 ? nodes : { ...done });
    leaveHeld(object, "nodes", writes);
    object.learnKeys("nodes", Object.keys(nodes), live, Object.keys(writes.nodes));
  });
  yield next;
  yield* refuseSetTwice(next, writes.nodes);
  return next;
}

async function sendNode(run: RunContext, pageId: string, nodeId: string, declared: NodeInput): Promise<void> {
  const target = { page_id: pageId, node_id: nodeId };
  try {
    const node = "node" in declared ? declared.node : await nodeWithout(run, pageId, nodeId, declared);
    if (node) {
      const result = await run.api.builder.replaceNode({ ...target, node });
      if (result.builder_warnings.length > 0) {
        const text = `nodes: the builder warns about node ${nodeId} of page ${pageId}: ${JSON.stringify(result.builder_warnings)}`;
        run.warn({ code: "of-kind", kind: "page", id: pageId, topic: "builder-warnings", text });
      }
    } else if (!("node" in declared)) {
      const { misc, style, nodeType } = declared;
      const updates = { ...(misc && { misc }), ...(style && { style }) };
      await run.api.builder.updateNode({ ...target, updates, node_type: nodeType });
    }
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof InvalidRequestError)
      await explainMissing(run, pageId, nodeId, error);
    throw error;
  }
}

/** Returns the whole node, as it is by now, without the properties that an undo has to take away. */
async function nodeWithout(
  run: RunContext,
  id: string,
  nodeId: string,
  patch: NodePatch,
): Promise<JsonMap | undefined> {
  const takesAway = PARTS.some((part) => Object.values(patch[part] ?? {}).includes(null));
  if (!isUndo(run) || !takesAway) return undefined;
  const { node } = await run.api.builder.readNode(id, nodeId);
  return patched(node as JsonMap, patch);
}

/** If the page has no such node, says so with the nearest ids and where they are. */
async function explainMissing(run: RunContext, pageId: string, nodeId: string, cause: Error): Promise<void> {
  const summary = await run.api.builder.read(pageId, { include_tree: true });
  const nodes = nodePaths(summary.builder.tree);
  if (nodes.size === 0 || nodes.has(nodeId)) return;
  const candidates = nearest(nodeId, nodes.keys(), 3);
  const list = (ids: readonly string[]): string => ids.map((id) => `"${id}" (${nodes.get(id) ?? ""})`).join(", ");
  const hint =
    candidates.length > 0
      ? `The nearest are ${list(candidates)}`
      : `It has ${nodes.size}, among them ${list([...nodes.keys()].slice(0, 5))}`;
  throw new ApplyError(
    `nodes: page ${pageId} has no builder node "${nodeId}". ${hint}. Correct the id and run again.`,
    { cause },
  );
}

/** The declared properties of the declared nodes as the service shows them; a node that is gone is left out. */
export async function liveNodes(run: RunContext, pageId: string, declared: JsonMap): Promise<JsonMap> {
  const live = await Promise.all(
    Object.entries(declared).map(async ([nodeId, wanted]) => {
      const found = await orGone(run.api.builder.readNode(pageId, nodeId));
      return found ? [[nodeId, project(wanted, found.node as JsonMap)] as const] : [];
    }),
  );
  return Object.fromEntries(live.flat());
}

function project(wanted: Json, node: JsonMap): Json {
  if (!isMap(wanted)) return wanted;
  // All that a whole node says and how it looks counts. If somebody adds to it, the next write of the node removes that.
  const isFilled = (part: string): boolean => Object.keys(mapOf(node[part])).length > 0;
  const own = mapBy(PARTS, (part) => (isFilled(part) ? node[part] : undefined));
  if (isMap(wanted["node"])) return { node: { ...declaredPart(wanted["node"], node), ...own } };
  return mapEach(wanted, (value, name) =>
    isMap(value) && isMap(node[name]) ? declaredPart(value, node[name]) : value,
  );
}

function declaredPart(declared: JsonMap, live: JsonMap): JsonMap {
  return mapEach(declared, (value, key) => {
    const shown = live[key];
    return isMap(value) && isMap(shown) ? declaredPart(value, shown) : shown;
  });
}

export const PARTS = ["misc", "style"] as const;

type Patch = { readonly [Part in (typeof PARTS)[number]]?: JsonMap | undefined };

/** `node`: the node as it is now, with whatever else somebody has changed in it. */
function patched(node: JsonMap, patch: Patch): JsonMap {
  const parts = mapBy(
    PARTS,
    (part) => patch[part] && filterMap({ ...mapOf(node[part]), ...patch[part] }, (value) => value !== null),
  );
  return { ...node, ...parts };
}

// A text that the program sets both as content and in its builder node. The node is written last, and the page can show only one of them.

async function* refuseSetTwice(at: Reached, nodes: JsonMap): Step<void> {
  const { now, object, document } = at;
  const { content = {} } = now;
  const written = new Map(
    Object.entries(nodes).flatMap(([id, node]) => textsOfNode(partsOf(node)).map((text) => [text, id])),
  );
  if (written.size === 0 || Object.keys(content).length === 0) return;
  const { fields } = await document.fields();
  const values = valuesNow(object, now.variables);
  for (const [key, value] of Object.entries(content)) {
    const live = fields.value(key);
    const node = typeof live === "string" ? written.get(live) : undefined;
    if (node === undefined || same(render(value, values), live)) continue;
    // The text counts as never sent: if the node is given up, the next apply writes it.
    yield after(at, (one) => {
      one.declare("content", without(mapOf(object.declared.get("content")), [key]));
      one.learn({ content: without(mapOf(object.answer["content"]), [key]) });
    });
    throw new ApplyError(
      `content["${key}"] and nodes.${node} set the same text: the page would show the node's, ${JSON.stringify(live)}. ` +
        `Set it in one of them, and run again. Nothing was published.`,
    );
  }
}
