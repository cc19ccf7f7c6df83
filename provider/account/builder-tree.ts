/** The builder tree of a page: the leaves under each node. The specification does not show its shape. Pure. */
import { isMap } from "../values/json.ts";

export type Scalar = string | number | boolean | null;

interface NodeView {
  readonly path: string;
  /** By place in the node, such as `misc/text`. A node inside is a leaf that names it, and a list of nodes one that names all. */
  readonly leaves: ReadonlyMap<string, Scalar>;
  /** The texts in it, without its id, its type and its style. */
  readonly texts: readonly string[];
}

/** By node id. Leaves that belong to no node with an id are under "". Empty if the key may not read the builder. */
export type Nodes = ReadonlyMap<string, NodeView>;

/** Stamps of the service. They move although nobody has edited the node. */
const STAMPS =
  /^(updated|modified|saved|changed|created|published|last_?saved)_?(at|on|by)?$|^(rendered|generated|compiled|built|cached)_?(at|on)$|^(_?rev|__v|revision|etag|checksum)$/i;

const SILENT = new Set(["id", "node_id", "nodeid", "type", "name", "style", "kind"]);

const ID_NAMES = ["id", "node_id", "nodeId"];

export function nodesIn(tree: unknown): Nodes {
  const nodes = new Map<string, NodeView>();
  const top = new Map<string, Scalar>();
  collect(tree, { path: "", place: "", leaves: top, nodes });
  nodes.set("", { path: "", leaves: top, texts: textsOfNode(tree) });
  return nodes;
}

export function nodePaths(tree: unknown): Map<string, string> {
  return new Map([...nodesIn(tree)].flatMap(([id, { path }]) => (id === "" ? [] : [[id, path]])));
}

interface Walk {
  readonly path: string;
  readonly place: string;
  readonly leaves: Map<string, Scalar>;
  readonly nodes: Map<string, NodeView>;
}

function collect(value: unknown, walk: Walk): void {
  const { path, place, leaves, nodes } = walk;
  const id = idOf(value);
  if (id !== undefined && !nodes.has(id)) {
    const own = new Map<string, Scalar>();
    leaves.set(place, id);
    nodes.set(id, { path, leaves: own, texts: textsOfNode(value) });
    collectParts(value, { path, place: "", leaves: own, nodes });
  } else if (typeof value === "object" && value !== null) collectParts(value, walk);
  else leaves.set(place, value as Scalar);
}

function collectParts(value: unknown, { path, place, leaves, nodes }: Walk): void {
  const under = (name: string): string => (place === "" ? name : `${place}/${name}`);
  if (Array.isArray(value)) {
    const ids = value.map(idOf);
    const isList = ids.length > 0 && ids.every((id) => id !== undefined && !nodes.has(id));
    if (isList) leaves.set(place, ids.join(" "));
    for (const [index, item] of value.entries()) {
      const isListed = isList && !nodes.has(ids[index] ?? "");
      const parent = isListed ? new Map<string, Scalar>() : leaves;
      collect(item, { path: `${path}[${index}]`, place: under(String(index)), leaves: parent, nodes });
    }
  } else if (isMap(value)) {
    for (const [key, item] of Object.entries(value)) {
      const isName = ID_NAMES.includes(key) && typeof item === "string";
      if (isName || STAMPS.test(key)) continue;
      collect(item, { path: path === "" ? key : `${path}.${key}`, place: under(key), leaves, nodes });
    }
  }
}

export function namesNodes(leaf: Scalar, nodes: Nodes): boolean {
  return String(leaf)
    .split(" ")
    .every((id) => nodes.has(id));
}

function idOf(value: unknown): string | undefined {
  if (!isMap(value)) return undefined;
  const id = ID_NAMES.map((name) => value[name]).find((one) => one !== undefined && one !== null);
  return typeof id === "string" && id !== "" ? id : undefined;
}

/** Returns the texts that a node, or a patch of one, says itself, but not those of the nodes in it. */
export function textsOfNode(value: unknown, isInner = false): string[] {
  if (typeof value === "string") return value === "" ? [] : [value];
  if (isInner && idOf(value) !== undefined) return [];
  if (Array.isArray(value)) return value.flatMap((item) => textsOfNode(item, true));
  if (!isMap(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => (SILENT.has(key.toLowerCase()) ? [] : textsOfNode(item, true)));
}
