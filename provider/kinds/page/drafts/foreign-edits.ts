/** Which edits in a page's draft are not ours: its look held against what it held when we last published it. Pure. */
import type { ForeignEdit } from "../../../messages/foreign-edits.ts";
import type { Json } from "../../../values/json.ts";
import { valueText, type Footprint, type Marks } from "./footprint.ts";
import type { NodeLook, PageLook } from "./page-look.ts";

/** What this pass writes, or wrote: no edit of somebody else, whatever stands there. */
export interface OwnWrites {
  readonly keys: ReadonlySet<string>;
  readonly nodeIds: ReadonlySet<string>;
  /** Values of content keys: a node that holds one of them was changed by us. */
  readonly values: readonly Json[];
}

export function foreignEdits(
  { fields, nodes, styles }: Pick<Footprint, "fields" | "nodes" | "styles">,
  look: PageLook,
  own: OwnWrites,
) {
  const keys = movedKeys(fields, look, own);
  const named = keys.flatMap((key): ForeignEdit[] => [{ kind: "field", key, now: look.fields?.get(key) }]);
  const explained = textsOf([...own.values, ...[...keys, ...own.keys].map((key) => look.fields?.get(key) ?? null)]);
  const live = textsOf(look.fields ? [...look.fields.values()].map((value) => value ?? null) : []);
  const changed = movedNodes(nodes, look, own).filter(
    ([id, node]) => !holdsOne(node, explained) || isRestyled(id, node, styles),
  );
  return [
    ...named,
    ...gone("field", look.fields ? fields.besides(look.fields.keys()) : 0),
    ...changed.map(([nodeId, node]) => nodeEdit(nodeId, node, nodes, live)),
    ...(named.length === 0 && changed.length === 0 ? gone("node", nodesGone(nodes, look)) : []),
  ];
}

/** A text of ours explains what a node says, and not how it looks. */
function isRestyled(id: string, { style }: NodeLook, styles: Marks | undefined): boolean {
  if (styles === undefined || id === "") return false;
  return styles.has(id) ? !styles.holds(id, style) : style !== "";
}

function nodesGone(nodes: Marks, look: PageLook): number {
  return look.nodes.size === 0 ? 0 : nodes.besides(look.nodes.keys());
}

export function movedKeys(fields: Marks, look: PageLook, { keys }: Pick<OwnWrites, "keys">): string[] {
  const entries = [...(look.fields ?? [])];
  return entries.flatMap(([key, value]) => (keys.has(key) || fields.holds(key, valueText(value)) ? [] : [key]));
}

export function movedNodes(
  nodes: Marks,
  look: PageLook,
  { nodeIds }: Pick<OwnWrites, "nodeIds">,
): [string, NodeLook][] {
  // The key could not read the builder when the page was published: then every node would look new.
  if (nodes.isEmpty) return [];
  return [...look.nodes].filter(([id, { own }]) => !nodeIds.has(id) && !nodes.holds(id, own));
}

export function holdsOne({ own }: Pick<NodeLook, "own">, texts: readonly string[]): boolean {
  return texts.some((text) => own.includes(text));
}

/** Values as they stand in the JSON of a node. A text of a few letters stands everywhere, and explains nothing. */
export function textsOf(values: readonly Json[]): string[] {
  const texts = values.map((value) => JSON.stringify(typeof value === "string" ? value : JSON.stringify(value)));
  return texts.filter((text) => text.length > '""'.length + 1);
}

/**
 * Where the content map shows what is live, and the tree the draft: the edits of nodes, with those of `keys` whose text is in
 * no node any more. `fieldsInTree`: such texts show there; else the texts of the other fields have to tell.
 */
export function withReplacedTexts(
  edits: readonly ForeignEdit[],
  { fields, nodes }: PageLook,
  { keys, fieldsInTree }: { keys: Iterable<string>; fieldsInTree: boolean },
): ForeignEdit[] {
  const isIn = (value: Json | undefined): boolean => {
    const texts = textsOf([value ?? null]);
    return texts.length === 0 || [...nodes.values()].some((node) => holdsOne(node, texts));
  };
  const wanted = new Set(keys);
  const lost = [...(fields ?? [])].flatMap(([key, value]) => (wanted.has(key) && !isIn(value) ? [key] : []));
  const others = [...(fields ?? [])].filter(
    ([key, value]) => !lost.includes(key) && textsOf([value ?? null]).length > 0,
  );
  const shows = fieldsInTree || (others.length > 0 && others.every(([, value]) => isIn(value)));
  if (lost.length === 0 || !shows) return [...edits];
  return edits.map((edit) => (edit.kind === "node" && !edit.isNew ? { ...edit, insteadOf: lost } : edit));
}

function nodeEdit(nodeId: string, { path, texts }: NodeLook, nodes: Marks, live: readonly string[]): ForeignEdit {
  const said = new Set(live);
  return {
    kind: "node",
    nodeId,
    path,
    isNew: !nodes.has(nodeId),
    texts: texts.filter((text) => !said.has(JSON.stringify(text))),
  };
}

function gone(what: "field" | "node", count: number): ForeignEdit[] {
  return count === 0 ? [] : [{ kind: "gone", what, count }];
}
