/**
 * Finds the edits in a page's draft that are not ours, and the values of a pass that somebody else has changed since. An edit is a leaf
 * that is not as it was published and says nothing that we say. If the content map shows the published version, an edited text stands in
 * the tree alone. The leaf that held the published text at the publication then tells its key. Pure.
 */
import type { PageDocument } from "../document/document.ts";
import { fieldName, isStyle, isWhole, leavesSet, type Ours } from "../document/ours.ts";
import { type Leaf, leafName, leavesIn, type Shipped } from "../document/readings.ts";
import { innerText, plain, sayingInstead } from "../document/texts.ts";
import { isSuspected, type Writes } from "../document/writes.ts";
import type { ForeignEdit } from "../../../messages/foreign-edits.ts";
import { isSameAddress } from "../../../values/addresses.ts";
import { type Json, type JsonMap, mapOf, same } from "../../../values/json.ts";
import type { Path } from "../../../values/paths.ts";
import { namesNodes } from "../../../account/builder-tree.ts";
import { asText, render } from "../../../values/placeholders.ts";

/** The values that a pass writes, and those that we say. */
export type Own = Pick<Writes, "content" | "nodes" | "broad" | "ours" | "then">;

/** A text of a few letters stands everywhere, so it tells nothing. */
const TELLING = 8;

interface Edited {
  readonly leaf: Leaf;
  /** Content keys whose text it held. */
  readonly keys: readonly string[];
}

/** Returns the edits that a publication would take along, without those that the pass writes over anyway. */
export function foreignEdits(shipped: Shipped, document: PageDocument, writes: Own): ForeignEdit[] {
  const keys = movedKeys(shipped, document).filter((key) => !Object.hasOwn(writes.content, key));
  const named = keys.filter((key) => !writes.ours.says(document.fields?.get(key), fieldName(key)));
  const fields = named.map((key): ForeignEdit => ({
    kind: "field",
    at: contentAt(key),
    now: document.fields?.get(key),
  }));
  const moved = movedLeaves(shipped, document).filter((leaf) => !isSent(leaf, writes));
  const others = editedIn(moved, shipped, document, writes).filter(
    ({ keys: of }) => !of.some((key) => Object.hasOwn(writes.content, key) || named.includes(key)),
  );
  const inTree = others.flatMap(({ leaf, keys: [key = "", ...more] }): ForeignEdit[] =>
    key === "" || more.length > 0 ? [] : [{ kind: "field", at: contentAt(key), now: innerText(leaf.value) }],
  );
  const unnamed = others.filter(({ keys: of }) => of.length !== 1);
  const nodes = Map.groupBy(unnamed, ({ leaf }) => leaf.nodeId);
  const found = [...fields, ...inTree, ...[...nodes].map(([id, all]) => nodeEdit(id, shipped, document, all))];
  return [...found, ...gone(shipped, document, writes, found.length > 0)];
}

/** Returns the values that the pass writes and that somebody has changed since we left them. */
export function replacedEdits(shipped: Shipped | undefined, document: PageDocument, writes: Writes): ForeignEdit[] {
  const moved = shipped ? editedIn(movedLeaves(shipped, document), shipped, document, writes) : [];
  const left = mapOf(writes.then.answer["content"]);
  const content = Object.entries(writes.content).flatMap(([key, code]): ForeignEdit[] => {
    const leaf = moved.find(({ keys }) => same(keys, [key]))?.leaf;
    const now = leaf === undefined ? document.fields?.get(key) : innerText(leaf.value);
    const isKnown = Object.hasOwn(left, key) || shipped?.fields.has(key) === true;
    if (now === undefined || !isKnown) return [];
    // Somebody may have typed the very text of the code, with its placeholders.
    const isFilled = saysAlike(code, render(now, writes.values));
    const isLeft = isFilled || [left[key], code].some((one) => one !== undefined && saysAlike(one, now));
    if (isLeft || isSuspected(writes, key, now) || writes.ours.says(now, fieldName(key))) return [];
    // A look that lags shows the text from before our write. An undo that brought a text of somebody back left it as an edit.
    const mayLag = leaf === undefined && !(writes.then.unread && Object.hasOwn(left, key));
    if (mayLag && shipped && (shipped.fields.holds(key, now) || shipped.nodes.holdsAnywhere(now))) return [];
    const over = { ...(left[key] !== undefined && { then: left[key] }), code };
    return [{ kind: "field", at: contentAt(key), now, over }];
  });
  return [...content, ...nodesWrittenOver(shipped, document, writes)];
}

/** Tells if both say the same. An address that its release has put right counts, too. */
function saysAlike(one: Json, other: Json): boolean {
  return plain(one) === plain(other) || isSameAddress(one, other);
}

function nodesWrittenOver(shipped: Shipped | undefined, { nodes }: PageDocument, writes: Writes): ForeignEdit[] {
  const left = mapOf(writes.then.answer["nodes"]);
  return Object.entries(writes.nodes).flatMap(([nodeId, node]): ForeignEdit[] => {
    const view = nodes.get(nodeId);
    const was = new Map(leavesSet(nodeId, left[nodeId] ?? {}));
    return leavesSet(nodeId, node).flatMap(([name, code]): ForeignEdit[] => {
      const place = name.slice(nodeId.length + 1);
      const [now, then] = [view?.leaves.get(place), was.get(name)];
      const isKnown = then !== undefined || shipped?.nodes.has(name) === true;
      if (now === undefined || !isKnown || shipped?.nodes.holds(name, now) === true) return [];
      if ([then, code].some((one) => one !== undefined && asText(one) === asText(now))) return [];
      if (writes.ours.says(now, name)) return [];
      const at = ["nodes", nodeId, ...place.split("/")];
      const over = { place, ...(then !== undefined && { then }), code };
      return [{ kind: "node", nodeId, at, path: view?.path ?? "", isNew: false, texts: [asText(now)], over }];
    });
  });
}

function contentAt(key: string): Path {
  return ["content", key];
}

export function standsIn({ nodes }: PageDocument, text: Json): boolean {
  const said = plain(text);
  return said.length > TELLING && leavesIn(nodes).some(({ value }) => plain(value) === said);
}

/** Tells if each leaf of the tree is as it was published, or says one of our texts as they were then. */
export function isAsLeft({ nodes: shipped }: Shipped, { nodes }: PageDocument, texts: JsonMap): boolean {
  const said = new Set(Object.values(texts).map(plain));
  const leaves = leavesIn(nodes);
  const isLeft = ({ name, value }: Leaf): boolean =>
    shipped.holds(name, value) || (!isStyle(name) && said.has(plain(value)));
  return nodes.size > 1 && leaves.every(isLeft) && shipped.besides(leaves.map(({ name }) => name)) === 0;
}

/** Tells if the tree has each of these texts word for word, as the content map shows it. No service spells such texts in the one and not in the other. */
export function hasEach({ nodes }: PageDocument, texts: JsonMap): boolean {
  const said = new Set<Json>(leavesIn(nodes).map(({ value }) => value));
  return Object.values(texts).every((text) => typeof text === "string" && plain(text) === text && said.has(text));
}

/** Tells if the tree shows texts that are written by content keys. One read of the tree then tells all. */
export function showsFields({ nodes }: PageDocument, { said, then }: Writes): boolean {
  const texts = [...Object.values(mapOf(then.answer["content"])), ...Object.values(said)];
  return texts.some((text) => standsIn({ nodes, fields: undefined }, text));
}

function movedKeys({ fields: shipped }: Shipped, { fields }: PageDocument): string[] {
  if (fields === undefined || shipped.size === 0) return [];
  return [...fields].flatMap(([key, value]) => (shipped.holds(key, value) ? [] : [key]));
}

function movedLeaves({ nodes: shipped }: Shipped, { nodes }: PageDocument): Leaf[] {
  if (shipped.size === 0) return [];
  const all = leavesIn(nodes);
  // The same values under other names are no edits.
  const names = all.map(({ name }) => name);
  if (areRenamed(names, shipped))
    return all.filter(({ value }) => !namesNodes(value, nodes) && !shipped.holdsAnywhere(value));
  return all.filter(({ name, value }) => !shipped.holds(name, value));
}

/**
 * Tells if the nodes have new ids, which a service may give them when it publishes the page. Digests of names are short: among many new
 * ones, one or two may seem known all the same.
 */
function areRenamed(names: readonly string[], shipped: Shipped["nodes"]): boolean {
  const ofNodes = names.filter((name) => !name.startsWith("/"));
  const known = ofNodes.filter((name) => shipped.has(name)).length;
  return names.length > 0 && known <= ofNodes.length / 50;
}

function isSent({ nodeId, name }: Leaf, writes: Own): boolean {
  const node = writes.nodes[nodeId];
  return node !== undefined && (leavesSet(nodeId, node).some(([one]) => one === name) || isWhole(node));
}

/** Returns the leaves that don't say what we say there, with the content keys that have the text of each. */
function editedIn(moved: readonly Leaf[], shipped: Shipped, document: PageDocument, { ours, then }: Own): Edited[] {
  return moved.flatMap((leaf): Edited[] => {
    const shown = keysShownBy(leaf, shipped, document, then);
    if (isOurs(leaf, shown, shipped, ours) || isFilled(leaf, shipped, document, ours)) return [];
    const keys = keysOf(leaf, shipped, document);
    return [{ leaf, keys: keys.length > 0 ? keys : shown }];
  });
}

/** `shown`: the content keys that the leaf showed when the page was published. It has to say a text of one of them. */
function isOurs({ name, value }: Leaf, shown: readonly string[], { fields, nodes }: Shipped, ours: Ours): boolean {
  if (ours.says(value, name)) return true;
  if (isStyle(name) || !ours.saysInField(value)) return false;
  // Nobody knows the field of a new leaf, nor of one between tags whose text is known by its digest alone.
  if (shown.length === 0) return !nodes.has(name) || fields.size === 0 || innerText(value) !== value;
  return shown.some((key) => ours.says(innerText(value), fieldName(key)));
}

/**
 * Tells if the leaf was empty and says what we say in a content field. Nobody reads the tree after a first publication, and an empty leaf shows
 * no field by its text. The content map has to show the text there: another leaf that says it is somebody's.
 */
function isFilled({ name, value }: Leaf, { nodes }: Shipped, { fields }: PageDocument, ours: Ours): boolean {
  if (isStyle(name) || !["", null].some((none) => nodes.holds(name, none))) return false;
  return [...(fields ?? [])].some(
    ([key, text]) => text !== undefined && plain(text) === plain(value) && ours.says(text, fieldName(key)),
  );
}

/** Returns the content keys whose text this leaf had when the page was published. Several keys may have had the same text. */
function keysShownBy(leaf: Leaf, shipped: Shipped, { fields }: PageDocument, then: Own["then"]): string[] {
  if (isStyle(leaf.name)) return [];
  const [answer, published] = [mapOf(then.answer["content"]), mapOf(then.published["content"])];
  const keys = new Set([...(fields?.keys() ?? []), ...Object.keys({ ...answer, ...published })]);
  const hadText = (text: Json | undefined): boolean =>
    text !== undefined &&
    text !== "" &&
    sayingInstead(leaf.value, text).some((form) => shipped.nodes.holds(leaf.name, form));
  const isShown = (key: string): boolean =>
    shipped.nodes.shares(leaf.name, shipped.fields, key) ||
    [fields?.get(key), answer[key], published[key]].some(hadText);
  return [...keys].filter(isShown);
}

/** Returns the content keys that somebody has changed to the text which this leaf has, as far as the content map shows the draft. */
function keysOf({ name, value }: Leaf, { fields: known }: Shipped, { fields }: PageDocument): string[] {
  if (isStyle(name) || known.size === 0) return [];
  return [...(fields ?? [])].flatMap(([key, shown]) => {
    const isMoved = shown !== undefined && shown !== "" && !known.holds(key, shown);
    return isMoved && plain(shown) === plain(value) ? [key] : [];
  });
}

function nodeEdit(nodeId: string, { nodes: shipped }: Shipped, { nodes }: PageDocument, moved: readonly Edited[]) {
  const { path = "", texts = [], leaves } = nodes.get(nodeId) ?? {};
  const isNew = ![...(leaves?.keys() ?? [])].some((place) => shipped.has(leafName(nodeId, place)));
  const said = new Set(moved.map(({ leaf }) => leaf.value));
  const keys = [...new Set(moved.flatMap((one) => one.keys))];
  const insteadOf = keys.length > 0 && { insteadOf: keys.map(contentAt) };
  return { kind: "node", nodeId, path, isNew, texts: texts.filter((text) => said.has(text)), ...insteadOf } as const;
}

function gone(shipped: Shipped, { fields, nodes }: PageDocument, writes: Own, isTold: boolean): ForeignEdit[] {
  const { ours, broad } = writes;
  const lost = fields === undefined ? 0 : shipped.fields.besides(fields.keys());
  const names = leavesIn(nodes).map(({ name }) => name);
  const isAsked = !isTold && !broad && !ours.isWhole && names.length > 0 && !areRenamed(names, shipped.nodes);
  // A setting that the pass empties goes.
  const sent = Object.entries(writes.nodes).flatMap(([id, node]) => leavesSet(id, node).map(([name]) => name));
  const settings = isAsked ? shipped.nodes.besides([...names, ...sent]) : 0;
  return [
    ...(lost === 0 ? [] : [{ kind: "gone", what: "field", count: lost } as const]),
    ...(settings === 0 || lost > 0 ? [] : [{ kind: "gone", what: "setting", count: settings } as const]),
  ];
}
