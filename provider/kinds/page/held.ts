/** The values that a page holds, as inputs: those that are about to be written over, or all of them. */
import { orGone } from "../../account/presence.ts";
import type { PlannedWrites, Undoing } from "../../definition/define.ts";
import type { Held } from "../../history/kept.ts";
import { pages } from "./document/collection.ts";
import { Draft, type Over, type PageLife, type PagePass } from "./document/document.ts";
import { standsIn } from "./edits/foreign-edits.ts";
import { type Guarded, lookForEdits, textsAmong } from "./edits/guard.ts";
import { PARTS } from "./draft/nodes.ts";
import { isAtItsPlace, placeOf } from "./document/places.ts";
import { shippedIn } from "./document/readings.ts";
import { DRAFT, draftIn, isReleased } from "./document/released.ts";
import { unpublished } from "./shown.ts";
import { planWrites, type Writes, writesFor } from "./document/writes.ts";
import { editText, type ForeignEdit, isWrittenOver, keyOf } from "../../messages/foreign-edits.ts";
import { changedKeys } from "../../reconcile/diff.ts";
import { policyFor, policyOf } from "../../reconcile/foreign-edits.ts";
import type { ObjectState } from "../../reconcile/object-state.ts";
import {
  camelKeys,
  filterMap,
  isMap,
  type Json,
  type JsonMap,
  mapBy,
  mapEach,
  mapOf,
  same,
  without,
} from "../../values/json.ts";
import { nodePaths } from "../../account/builder-tree.ts";
import { mentions, render } from "../../values/placeholders.ts";

const ON_RECORD = ["name", "projectId", "publish"] as const;
/** Shown nowhere: only the declared values are known. */
const NEVER_SHOWN = ["tags", "productLabel", "delay", "variables"] as const;

/** A change that is about to be written. */
interface Change extends PlannedWrites {
  readonly writes: Writes;
  /** The findings of a pass that has looked. */
  readonly guarded?: Guarded;
}

type Planned = Change | undefined;

export function pageHeld(over: Over, change: PlannedWrites | undefined): Promise<Held> {
  return heldBy(over, change && { ...change, writes: writesFor(over.object, change) });
}

export async function heldBy(over: Over, writes: Planned): Promise<Held> {
  const { object } = over;
  const left = writes && textsAsLeft(over, writes);
  const content = left ?? (await contentHeld(over, writes));
  const { included, went } = writes ? await includedIn(over, writes) : NONE_INCLUDED;
  const alone = left ? {} : await draftHeld(over, writes, mapOf(content.then["content"]));
  const draft = { ...alone.draft, ...mapOf(went.sent["content"]) };
  const record = await recordHeld(over, writes);
  const parts = [record, declaredHeld(object, writes), content, went, await nodesHeld(over, writes)];
  // A publication also makes public what the draft says already, and writes over what visitors got.
  const { then, now: sent } = writes ? unpublished(object, writes.inputs) : { then: {}, now: {} };
  return {
    ...(included.length > 0 && { included }),
    ...alone,
    ...(Object.keys(draft).length > 0 && { draft }),
    then: parts.reduce((all, part) => withKeys(all, part.then), then),
    sent: parts.reduce((all, part) => withKeys(all, part.sent), sent),
    hidden: parts.flatMap(({ hidden }) => hidden),
  };
}

function withKeys(all: JsonMap, more: JsonMap): JsonMap {
  const merged = mapEach(more, (value, field) => (isMap(value) ? { ...mapOf(all[field]), ...value } : value));
  return { ...all, ...merged };
}

/**
 * Keeps the place of an adopted page in any case: its own texts have to be published there again. A release also moves a page whose move an
 * earlier run had held.
 */
async function recordHeld({ run, id, object }: Over, writes: Planned): Promise<Held> {
  const adopted = !object.recorded;
  const publish = writes?.inputs["publish"];
  const isPlaced = adopted || (isMap(publish) && placeOf(object) !== undefined && !isAtItsPlace(object, publish));
  const isDue = (field: string): boolean => !writes || writes.changed.has(field) || (isPlaced && field === "publish");
  const fields = ON_RECORD.filter(isDue);
  if (fields.length === 0) return NOTHING;
  const record = adopted ? undefined : await run.row(pages, id, object);
  const answer = adopted ? object.answer : record && camelKeys(record);
  if (!answer) return NOTHING;
  return { then: mapBy(fields, (field) => object.live(field, answer)), sent: sentOf(fields, writes), hidden: [] };
}

function declaredHeld({ declared }: ObjectState, writes: Planned): Held {
  const fields = NEVER_SHOWN.filter((field) => writes === undefined || writes.changed.has(field));
  const hidden = writes ? fields.filter((field) => field !== "variables" && !declared.has(field)) : [];
  return { then: mapBy(fields, (field) => declared.get(field)), sent: sentOf(fields, writes), hidden };
}

/**
 * Returns the texts that are about to be written over, if the pass has seen by the tree alone that the draft is as our last publication left
 * it. The state then has them, and the content map would tell nothing new. Undefined if the map has to be read: a refresh has learned texts of
 * others, too.
 */
function textsAsLeft({ object }: Over, { changed, removed, writes, guarded }: Change): Held | undefined {
  const tree = guarded?.found.length === 0 && guarded.shipped ? guarded.document : undefined;
  const isRead = object.recorded && !object.unread && object.answer["status"] === "published";
  const isOurs = !object.written.has("content");
  const isSettled = isOurs && object.unfinished.size === 0 && Object.keys(object.published).length === 0;
  if (tree === undefined || tree.fields !== undefined || !isRead || !isSettled) return undefined;
  if (changed.has("variables") || removed.has("variables")) return undefined;
  const then = filterMap(mapOf(object.answer["content"]), (_, key) => key in writes.content);
  const [known, sent] = [then, writes.content].map((texts) => Object.keys(texts).length);
  if (sent === 0 || known !== sent || !Object.values(then).every((text) => standsIn(tree, text))) return undefined;
  return { then: { content: then }, sent: { content: writes.content }, hidden: [] };
}

/** Returns the content that the page holds. If our own draft was never published, it returns the public texts instead. */
async function contentHeld({ object, document: draft }: Over, writes: Planned): Promise<Held> {
  const sent = { ...writes?.writes.content };
  const variables = writes?.changed.has("variables") ? writes.inputs["variables"] : undefined;
  if (writes && Object.keys(sent).length === 0 && !isMap(variables)) return NOTHING;
  const { fields } = await draft.fields();
  const values = mapOf(variables);
  // Variables also replace placeholders in texts that the code doesn't declare.
  for (const [key, value] of fields.entries())
    if (!(key in sent) && mentions(value, values)) sent[key] = render(value, values);
  const known = mapOf(object.answer["content"]);
  const published = mapOf(object.published["content"]);
  const then: JsonMap = {};
  const hidden: string[] = [];
  for (const key of writes ? Object.keys(sent) : fields.keys()) {
    const shown = fields.value(key) ?? (fields.has(key) ? known[key] : undefined);
    const value = writes !== undefined && waits(object, key, shown) ? published[key] : shown;
    if (value !== undefined) then[key] = value;
    else if (fields.has(key)) hidden.push(`content.${key}`);
  }
  return { then: { content: then }, sent: writes ? { content: sent } : {}, hidden };
}

/** Tells if the draft has our own text, which was never published. The public one is known then. A refresh learns the texts of others. */
function waits({ answer, published, written }: ObjectState, key: string, shown: Json | undefined): boolean {
  const isOurs = same(shown, mapOf(answer["content"])[key]) && !(key in mapOf(written.get("content")?.declared));
  return isOurs && mapOf(published["content"])[key] !== undefined;
}

type HeldDraft = Pick<Held, "unpublished" | "draft" | "draftUnknown" | "waited">;

/**
 * Returns texts in the draft of a published page that no visitor got, before a run writes over them. If the content map shows the draft,
 * they are among its values. If it shows the published version, the builder tree has them, as far as it shows texts of fields. `content`:
 * the values in the map for the keys that are about to be written, or that go with the page.
 */
async function draftHeld(over: Over, writes: Planned, content: JsonMap): Promise<HeldDraft> {
  const { object, document: draft } = over;
  if (object.answer["status"] !== "published" || Object.keys(content).length === 0) return {};
  const { fields } = await draft.fields();
  const shipped = shippedIn(object.notes);
  const isMoved = (key: string, shown: Json | undefined): boolean =>
    shipped?.fields.holds(key, shown) !== true && !(writes && waits(object, key, shown));
  const moved = Object.keys(content).filter((key) => isMoved(key, fields.value(key)));
  const isPlanned = writes !== undefined && isMap(writes.inputs["publish"]);
  // The pass's own look says nothing of edits that say the same as the code by now.
  const edits = isPlanned || moved.length > 0 ? (await lookForEdits(over)).edits : [];
  const inMap = (edit: ForeignEdit): boolean => edit.kind === "field" && same(edit.now, fields.value(keyOf(edit)));
  const isUnnamed = edits.some(({ kind }) => kind === "unnamed");
  const named = edits.filter((edit) => edit.kind === "field");
  const isNamed = (key: string): boolean => named.some((edit) => keyOf(edit) === key && inMap(edit));
  const unpublishedKeys = moved.filter((key) => isUnnamed || isNamed(key));
  const inTree = named.flatMap((edit) =>
    edit.now === undefined || inMap(edit) || !(keyOf(edit) in content) ? [] : [[keyOf(edit), edit.now] as const],
  );
  const unknown = edits.flatMap((edit) => (edit.kind === "node" ? (edit.insteadOf ?? []) : []));
  const draftUnknown = [...new Set(unknown.map((at) => keyOf({ at })))].filter((key) => key in content);
  return {
    ...(unpublishedKeys.length > 0 && { unpublished: unpublishedKeys }),
    ...(inTree.length > 0 && { draft: Object.fromEntries(inTree) }),
    ...(draftUnknown.length > 0 && { draftUnknown }),
    ...(writes === undefined && (await hasWaited(over)) && { waited: true as const }),
  };
}

interface Included {
  /** Edits in words. Nobody knows what visitors got in their place. */
  readonly included: readonly string[];
  /** Texts with the ones that visitors got before. */
  readonly went: Held;
}

async function includedIn(over: Over, writes: Change): Promise<Included> {
  const { run, id, object, document } = over;
  if (!isMap(writes.inputs["publish"]) || object.answer["status"] !== "published") return NONE_INCLUDED;
  const own = policyOf(writes.inputs["onForeignEdits"]);
  const { option, stack, reviewed } = run.settings.foreignEdits ?? {};
  if ((option ?? own ?? stack) !== "include" && reviewed?.[id] === undefined) return NONE_INCLUDED;
  const looked = writes.guarded ?? (await lookForEdits(over, writes.writes));
  const edits = writes.guarded?.found ?? looked.edits;
  const along = policyFor(run, id, edits, own) === "include" ? edits.filter((edit) => !isWrittenOver(edit)) : [];
  if (along.length === 0) return NONE_INCLUDED;
  const { fields } = await document.fields();
  const texts = textsAmong(along).flatMap((edit) => {
    if (edit.now === undefined) return [];
    const key = keyOf(edit);
    const known = [...[object.published, object.answer].map((of) => mapOf(of["content"])[key]), fields.value(key)];
    const then = known.find((text) => text !== undefined && looked.shipped?.fields.holds(key, text) === true);
    return then === undefined ? [] : [{ edit, key, then, now: edit.now }];
  });
  const content = (side: "then" | "now"): JsonMap =>
    texts.length === 0 ? {} : { content: Object.fromEntries(texts.map((text) => [text.key, text[side]])) };
  return {
    included: along.filter((edit) => !texts.some((text) => text.edit === edit)).map(editText),
    went: { then: content("then"), sent: content("now"), hidden: [] },
  };
}

/** Tells if the program's last change is not public. */
async function hasWaited({ run, id, object }: Over): Promise<boolean> {
  if (object.unfinished.has("publish")) return true;
  const draft = draftIn(object.answer[DRAFT]);
  const at = draft && (await run.row(pages, id, object))?.published_at;
  return typeof at === "string" && draft !== undefined && Date.parse(at) === Date.parse(draft.at);
}

/**
 * Writes texts back to a page that was published just now: they were in its draft before, and nobody had published them. A page that is
 * made anew may have other fields.
 */
export const pageRestoresDraft: Required<Undoing<PageLife, Draft>>["restoresDraft"] = async (
  run,
  id,
  { content },
  { publish } = {},
) => {
  // A release does so once it is out. Before that, the texts would be an edit that holds it back.
  if (!isMap(content)) return;
  if (isReleased({ publish })) {
    run.draftsToCome.set(id, { content });
    return;
  }
  const { fields } = await new Draft(run, id).fields();
  const updates = filterMap(content, (_, key) => fields.has(key));
  if (Object.keys(updates).length > 0) await run.api.pages.updateContent({ page_id: id, updates });
};

function sentOf(fields: readonly string[], writes: Planned): JsonMap {
  return mapBy(fields, (field) => writes?.inputs[field]);
}

const NOTHING: Held = { then: {}, sent: {}, hidden: [] };
const NONE_INCLUDED: Included = { included: [], went: NOTHING };

/**
 * Returns the values to restore, without the texts that come back by themselves, as a template or a variable renders them. Written as
 * content, these would no longer follow it. A page that is made anew may have other fields.
 */
export async function pageRestores(pass: PagePass, values: JsonMap): Promise<JsonMap> {
  const { run, id, now, object, document } = pass;
  const { content, nodes, ...others } = values;
  // Nodes of which nothing was known stay as they are.
  const isKnown = (held: Json): boolean => isMap(held) && Object.keys(held).length > 0;
  const rest = { ...others, ...(isMap(nodes) && { nodes: filterMap(nodes, isKnown) }) };
  if (!isMap(content) || Object.keys(content).length === 0)
    return { ...rest, ...(content !== undefined && { content }) };
  const updates = planWrites(pass).content;
  if (object.recorded) return { ...rest, content: filterMap(content, (value, key) => !same(updates[key], value)) };
  const { fields } = await document.fields();
  const lost = Object.keys(content).filter((key) => !fields.has(key));
  if (lost.length > 0) {
    const some = lost.slice(0, 8).join(", ");
    const text = `The page that was made anew (${id}) has no content key ${some}${lost.length > 8 ? ", …" : ""}, so what these held doesn't come back.`;
    run.warn({ code: "of-kind", kind: "page", id, topic: "fields-lost", text });
  }
  const comes = (key: string): Json => render(fields.value(key) ?? null, now.variables ?? {});
  return { ...rest, content: filterMap(content, (value, key) => fields.has(key) && !same(comes(key), value)) };
}

/** A property that wasn't there is null. A patch can't take it away again, but the whole node can be sent without it. */
async function nodesHeld({ run, id, object }: Over, writes: Planned): Promise<Held> {
  const declared = object.declared.get("nodes");
  if (writes && !writes.changed.has("nodes")) return NOTHING;
  const due = writes ? changedKeys(declared, writes.inputs["nodes"]) : mapOf(declared);
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

function patchHeld(nodeId: string, wanted: JsonMap, node: JsonMap, hidden: string[]): JsonMap {
  const patch: JsonMap = {};
  for (const part of PARTS) {
    const live = mapOf(node[part]);
    const names = Object.keys(mapOf(wanted[part]));
    const unshown = hasNodes(node) ? names.filter((name) => live[name] === undefined) : [];
    const before = without(
      mapBy(names, (name) => live[name] ?? null),
      unshown,
    );
    hidden.push(...unshown.map((name) => `nodes.${nodeId}.${part}.${name}`));
    if (Object.keys(before).length > 0) patch[part] = before;
  }
  return patch;
}

/** Tells if a node has others inside. The service doesn't show if those keep their ids when the node is replaced. */
function hasNodes(node: JsonMap): boolean {
  return nodePaths(node).size > 1;
}
