import { allNodes, subtree } from "./tree.ts";
import type { ContentField, ContentResult, PageDocument, PageNode } from "./types.ts";

/** The editable properties of `misc`, by the node's type. */
const editable: Readonly<Record<string, readonly string[]>> = {
  heading: ["text"],
  text: ["text"],
  item: ["text"],
  button: ["text", "url"],
  image: ["src", "alt"],
  video: ["title", "src", "poster"],
  testimonial: ["quote", "author", "role"],
  stat: ["value", "label"],
  price: ["amount", "compare", "period"],
  faq: ["question", "answer"],
  form: ["thanks"],
  input: ["label", "placeholder"],
  quiz: ["thanks"],
  question: ["text"],
  option: ["text"],
};

function isEditable(node: PageNode): boolean {
  return Object.hasOwn(editable, node.type);
}

/** Returns the editable fields of a page, in document order, under unique keys. `asSent`: a number stays a number. */
export function contentFields(document: PageDocument, asSent = false): ContentField[] {
  return slots(document).map(({ key, node, property }) => ({
    key,
    value: valueOf(node.misc[property], asSent),
    label: labelOf(key),
    type: typeOf(property),
    nodeId: node.id,
  }));
}

/**
 * Sets fields by key. It returns keys that the page does not have in `missing`, and applies the others all the same. `asSent`: a number stays a
 * number.
 */
export function applyContent(
  document: PageDocument,
  updates: Readonly<Record<string, unknown>>,
  asSent = false,
): ContentResult {
  const copy = structuredClone(document);
  const byKey = new Map(slots(copy).map((slot) => [slot.key, slot]));
  const applied: [string, ContentField["value"]][] = [];
  const missing: string[] = [];
  const touched = new Set<PageNode>();
  for (const [key, value] of Object.entries(updates)) {
    const slot = byKey.get(key);
    if (!slot) {
      missing.push(key);
      continue;
    }
    const kept = valueOf(value, asSent);
    if (slot.node.misc[slot.property] !== kept) touched.add(slot.node);
    slot.node.misc[slot.property] = kept;
    applied.push([key, kept]);
  }
  return { document: copy, applied: Object.fromEntries(applied), missing, changedSections: sectionsOf(copy, touched) };
}

/** Returns the number of sections that hold at least one of these nodes. */
export function sectionsOf(document: PageDocument, nodes: ReadonlySet<PageNode>): number {
  return document.sections.filter((section) => subtree(section).some((node) => nodes.has(node))).length;
}

interface Slot {
  key: string;
  node: PageNode;
  property: string;
}

function slots(document: PageDocument): Slot[] {
  const taken = new Set<string>();
  return allNodes(document)
    .filter(isEditable)
    .flatMap((node) =>
      (editable[node.type] ?? []).map((property) => {
        const key = unique(keyOf(node, property), taken);
        return { key, node, property };
      }),
    );
}

/** Returns the key of a property. The text of a node that has only a text needs no suffix: `hero.title`, but `hero.cta.url`. */
function keyOf(node: PageNode, property: string): string {
  const name = typeof node.misc.name === "string" && node.misc.name !== "" ? node.misc.name : node.id;
  return editable[node.type]?.length === 1 && property === "text" ? name : `${name}.${property}`;
}

function unique(wanted: string, taken: Set<string>): string {
  let key = wanted;
  for (let n = 2; taken.has(key); n++) key = `${wanted}-${n}`;
  taken.add(key);
  return key;
}

function valueOf(value: unknown, asSent: boolean): ContentField["value"] {
  return asSent && (typeof value === "number" || typeof value === "boolean") ? value : textOf(value);
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function labelOf(key: string): string {
  const words = key.replace(/[._-]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function typeOf(property: string): ContentField["type"] {
  if (property === "url") return "url";
  return property === "src" || property === "poster" ? "image" : "text";
}
