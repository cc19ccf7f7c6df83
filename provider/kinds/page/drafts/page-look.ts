/**
 * What a page's draft holds, as the service shows it: the fields of the content map and the nodes of the builder tree.
 * The specification shows the shape of neither, nor whether the content map is of the draft or of what is live: the tree
 * tells the one, the map gives it a name.
 */
import { ForbiddenError } from "../../../api/index.ts";
import { isMap, type Json } from "../../../values/json.ts";
import type { ObjectState } from "../../../reconcile/object-state.ts";
import type { RunContext } from "../../../reconcile/run-context.ts";
import type { ContentFields } from "../../../account/content-map.ts";
import { readFields, type PageFields } from "../page-fields.ts";

export interface PageLook {
  /** By key; undefined where the service shows no value. The whole is undefined where the map was not read. */
  readonly fields: ReadonlyMap<string, Json | undefined> | undefined;
  /** By node id; what belongs to no node with an id is under "". Empty where the key may not read the builder. */
  readonly nodes: ReadonlyMap<string, NodeLook>;
}

export interface NodeLook {
  /** Where it is in the tree. */
  readonly path: string;
  /** The node without the nodes in it, of which only the ids stand, as canonical JSON. */
  readonly own: string;
  /** Of that, its style; "" where it has none, or an empty one. */
  readonly style: string;
  /** What it says: the texts in it, without its id, its type and its style. */
  readonly texts: readonly string[];
}

export async function lookAtTree(run: RunContext, pageId: string): Promise<PageLook> {
  try {
    const { builder } = await run.api.builder.read(pageId, { include_tree: true });
    return { fields: undefined, nodes: nodesOf(builder.tree) };
  } catch (error) {
    if (!(error instanceof ForbiddenError)) throw error;
    const text =
      `publish: whether page ${pageId} holds edits of others outside its content fields can't be asked, because the key ` +
      `may not read the builder (scope builder:read or pages:read): such edits go live with it.`;
    run.warnOnce({ code: "of-kind", kind: "page", id: pageId, topic: "builder-unread", text });
    return { fields: undefined, nodes: new Map() };
  }
}

/** What was read for the run's history serves the look that follows it, too: nothing is written between them. */
const handedOn = new WeakMap<ObjectState, PageLook>();

export async function lookAndHandOn(run: RunContext, pageId: string, object: ObjectState): Promise<PageLook> {
  const look = await lookAtTree(run, pageId);
  handedOn.set(object, look);
  return look;
}

/** Once. */
export function handedTree(object: ObjectState): PageLook | undefined {
  const look = handedOn.get(object);
  handedOn.delete(object);
  return look;
}

/** `read`: of whom the content map is had. */
export async function lookAtPage(
  run: RunContext,
  pageId: string,
  read = () => readFields(run, pageId),
  readTree = () => lookAtTree(run, pageId),
): Promise<PageLook & { map: PageFields }> {
  const [{ nodes }, map] = await Promise.all([readTree(), read()]);
  return { nodes, map, fields: fieldsOf(map.fields) };
}

function fieldsOf(map: ContentFields): Map<string, Json | undefined> {
  return new Map(map.keys().map((key) => [key, map.value(key)]));
}

/** Stamps of the service, which move without anybody having edited the node. */
const STAMPS =
  /^(updated|modified|saved|changed|created|published|last_?saved)_?(at|on|by)?$|^(rendered|generated|compiled|built|cached)_?(at|on)$|^(_?rev|__v|revision|etag|checksum)$/i;
const SILENT = new Set(["id", "node_id", "nodeid", "type", "name", "style", "kind"]);

export function nodesOf(tree: unknown): Map<string, NodeLook> {
  const nodes = new Map<string, NodeLook>();
  const own = JSON.stringify(canonical(tree ?? null, "", nodes));
  nodes.set("", { path: "", own, style: "", texts: textsIn(tree, false) });
  return nodes;
}

/** The value with its keys in order and without stamps; nodes in it are put into `nodes`, and their ids stand for them. */
function canonical(value: unknown, path: string, nodes: Map<string, NodeLook>): unknown {
  if (Array.isArray(value)) return value.map((item, index) => nodeOrValue(item, `${path}[${index}]`, nodes));
  if (!isMap(value)) return value;
  const keys = Object.keys(value).filter((key) => !STAMPS.test(key));
  const entry = (key: string) => [key, nodeOrValue(value[key], path === "" ? key : `${path}.${key}`, nodes)] as const;
  return Object.fromEntries(keys.sort().map(entry));
}

function nodeOrValue(value: unknown, path: string, nodes: Map<string, NodeLook>): unknown {
  const id = idOf(value);
  if (id === undefined || nodes.has(id)) return canonical(value, path, nodes);
  nodes.set(id, { path, own: "", style: "", texts: [] });
  const own = canonical(value, path, nodes);
  const style = isMap(own) && own["style"] !== undefined ? JSON.stringify(own["style"]).replace(/^\{\}$/, "") : "";
  nodes.set(id, { path, own: JSON.stringify(own), style, texts: textsOfNode(value) });
  return { node: id };
}

function idOf(value: unknown): string | undefined {
  if (!isMap(value)) return undefined;
  const id = value["id"] ?? value["node_id"] ?? value["nodeId"];
  return typeof id === "string" && id !== "" ? id : undefined;
}

/** What a node, or a patch of one, says itself. */
export function textsOfNode(node: unknown): string[] {
  return textsIn(node, false);
}

/** Texts of a node, but not of the nodes in it. */
function textsIn(value: unknown, inner: boolean): string[] {
  if (typeof value === "string") return value === "" ? [] : [value];
  if (inner && idOf(value) !== undefined) return [];
  if (Array.isArray(value)) return value.flatMap((item) => textsIn(item, true));
  if (!isMap(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => (SILENT.has(key.toLowerCase()) ? [] : textsIn(item, true)));
}
