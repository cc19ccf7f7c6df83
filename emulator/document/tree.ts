import type { FoundNode, NewId, PageDocument, PageNode } from "./types.ts";

/** The deepest JSON that is kept. Nobody builds such pages, and a hostile one must not exhaust the stack. */
const MAX_LEVELS = 64;

export function blankDocument(): PageDocument {
  return { sections: [] };
}

/** Returns all nodes, parents before their children. */
export function allNodes(document: PageDocument): PageNode[] {
  return located(document).map(({ node }) => node);
}

/** Returns all nodes with their paths, parents before their children. */
export function located(document: PageDocument): FoundNode[] {
  const found: FoundNode[] = [];
  const visit = (nodes: PageNode[], prefix: string): void => {
    for (const [index, node] of nodes.entries()) {
      const path = `${prefix}[${index}]`;
      found.push({ node, path });
      visit(node.children ?? [], `${path}.children`);
    }
  };
  visit(document.sections, "sections");
  return found;
}

export function findNode(document: PageDocument, id: string): FoundNode | undefined {
  return located(document).find(({ node }) => node.id === id);
}

/** Merges `misc` and `style` into the node's own, one level deep. Returns undefined if there is no such node. */
export function patchNode(
  document: PageDocument,
  id: string,
  patch: { misc?: Record<string, unknown>; style?: Record<string, string> },
): { document: PageDocument; path: string } | undefined {
  const copy = structuredClone(document);
  const found = findNode(copy, id);
  if (!found) return undefined;
  found.node.misc = { ...found.node.misc, ...(pruned(patch.misc) as PageNode["misc"] | undefined) };
  found.node.style = { ...found.node.style, ...stringsOf(patch.style) };
  return { document: copy, path: found.path };
}

/**
 * Replaces a node by a complete one under the same id. Children without an id, or with a taken one, get a new id. `warnings` names everything that
 * was not kept as sent.
 */
export function replaceNode(
  document: PageDocument,
  id: string,
  replacement: Record<string, unknown>,
): { document: PageDocument; path: string; warnings: string[] } | undefined {
  const copy = structuredClone(document);
  const found = findNode(copy, id);
  if (!found) return undefined;
  const inside = new Set(subtree(found.node).map((node) => node.id));
  const taken = new Set(
    allNodes(copy)
      .map((node) => node.id)
      .filter((other) => other === id || !inside.has(other)),
  );
  const warnings: string[] = [];
  const source = pruned(replacement, warnings) as Record<string, unknown>;
  if (source.id !== undefined && source.id !== id) {
    warnings.push(`The replacement keeps the id ${id}; its own id ${JSON.stringify(source.id)} was ignored.`);
  }
  const node = adoptNode(source, id, { taken, warnings });
  Object.assign(emptied(found.node), node);
  return { document: copy, path: found.path, warnings };
}

/** Copies a document under new node ids. A delay keeps its video. */
export function copyDocument(document: PageDocument, newId: NewId): PageDocument {
  const copy = structuredClone(document);
  const renamed = new Map<string, string>();
  for (const node of allNodes(copy)) {
    const id = newId();
    renamed.set(node.id, id);
    node.id = id;
  }
  if (copy.delay?.video_node_id) {
    copy.delay.video_node_id = renamed.get(copy.delay.video_node_id) ?? null;
  }
  return copy;
}

export function subtree(node: PageNode): PageNode[] {
  return [node, ...(node.children ?? []).flatMap(subtree)];
}

interface Adoption {
  taken: Set<string>;
  warnings: string[];
}

function adoptNode(source: Record<string, unknown>, id: string, adoption: Adoption): PageNode {
  const { children, misc, style, type, ...rest } = source;
  const node: PageNode = {
    ...rest,
    id,
    type: typeof type === "string" && type !== "" ? type : "text",
    misc: isRecord(misc) ? misc : {},
    style: stringsOf(style),
  };
  if (node.type !== type) adoption.warnings.push(`Node ${id} has no type; it was taken as a text.`);
  if (Array.isArray(children)) node.children = adoptChildren(children, id, adoption);
  return node;
}

function adoptChildren(children: unknown[], parentId: string, adoption: Adoption): PageNode[] {
  return children.flatMap((child, index) => {
    if (!isRecord(child)) {
      adoption.warnings.push(`Child ${index} of ${parentId} is not an object and was left out.`);
      return [];
    }
    const id = freeId(child.id, `${parentId}-${index + 1}`, adoption);
    return [adoptNode(child, id, adoption)];
  });
}

function freeId(wanted: unknown, fallback: string, { taken, warnings }: Adoption): string {
  let id = typeof wanted === "string" && wanted !== "" ? wanted : fallback;
  if (taken.has(id)) {
    const first = id;
    for (let n = 2; taken.has(id); n++) id = `${fallback}-${n}`;
    if (first === wanted) warnings.push(`The id ${first} is taken; the node is now ${id}.`);
  }
  taken.add(id);
  return id;
}

/** Copies plain JSON, with null in place of values that lie too deep. */
function pruned(value: unknown, warnings: string[] = [], levels = MAX_LEVELS): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (levels === 0) {
    warnings.push(`Nodes that are nested deeper than ${MAX_LEVELS} levels were left out.`);
    return null;
  }
  if (Array.isArray(value)) return value.map((entry) => pruned(entry, warnings, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, pruned(entry, warnings, levels - 1)]));
}

function emptied(node: PageNode): Partial<PageNode> {
  for (const key of Object.keys(node)) Reflect.deleteProperty(node, key);
  return node;
}

function stringsOf(value: unknown): Record<string, string> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, entry]) =>
      typeof entry === "string" || typeof entry === "number" ? [[key, String(entry)]] : [],
    ),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
