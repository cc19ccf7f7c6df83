/**
 * No stowaways, and nothing written over unseen: before its first write a pass looks whether the draft holds edits that are not
 * ours, which a publication would take along or a write would replace. By word they are held or included; afterwards it is
 * told what came in between.
 */
import type { PlannedWrites } from "../../definition/define.ts";
import { pageKey } from "./collection.ts";
import { editedByDates, publishedByOthers } from "./dates.ts";
import { Draft, type PageDocument, type PageLife, type PagePass } from "./document.ts";
import { foreignEdits, type Own, showsFields, writtenOver } from "./foreign-edits.ts";
import { BY_KEY, type Shipped, shippedAs, shippedIn, withPublished } from "./readings.ts";
import { DRAFT } from "./released.ts";
import { mentions, plain } from "./texts.ts";
import { without, type Writes, writesFor } from "./writes.ts";
import {
  editsDigest,
  type ForeignEdit,
  type ForeignEditsNotice,
  type ForeignEditsWord,
  isWrittenOver,
} from "../../messages/foreign-edits.ts";
import { notesOfHalfMade } from "../../reconcile/creation.ts";
import { ObjectState } from "../../reconcile/object-state.ts";
import type { RunContext } from "../../reconcile/run-context.ts";
import { isMap, type Json, type JsonMap, mapOf, same } from "../../values/json.ts";

/** What a look before the first write found. */
interface Looked {
  readonly edits: readonly ForeignEdit[];
  /** The draft then; undefined where nobody had to look. */
  readonly document: PageDocument | undefined;
  /** What the draft is held against. */
  readonly shipped: Shipped | undefined;
}

export interface Guarded extends Looked {
  readonly isHeld: boolean;
  /** What is left to write: without values of others that are held. */
  readonly writes: Writes;
}

export const UNGUARDED = { edits: [], document: undefined, shipped: undefined, isHeld: false } as const;

interface Looking {
  readonly draft: Draft;
  readonly writes: Writes;
  readonly publishes: boolean;
  /** The answer from before the pass. */
  readonly known?: JsonMap;
}

/** Reads only. */
export async function lookForEdits(
  run: RunContext,
  id: string,
  object: ObjectState,
  { draft, writes, publishes, known = object.answer }: Looking,
): Promise<Looked> {
  const isPublic = object.answer["status"] === "published";
  const shipped = shippedIn(object.notes, id);
  if (publishes && shipped !== undefined) return compare(run, id, object, { draft, writes, shipped, known });
  const dated = !publishes || shipped !== undefined ? [] : await byDates(run, id, object, known);
  const document = publishes && isPublic ? await draft.whole() : await documentOver(object, writes, draft);
  const over = document === undefined || isUndo(run) ? [] : writtenOver(shipped, document, writes);
  return { edits: [...over, ...dated], document, shipped };
}

/** An undo has asked about later edits itself. */
export function isUndo({ settings }: RunContext): boolean {
  return settings.restore !== undefined;
}

/** Of a page that a killed run has made, and left no word of, that somebody has edited it is told by its dates: we write a word first. */
async function byDates(run: RunContext, id: string, object: ObjectState, answer: JsonMap): Promise<ForeignEdit[]> {
  const { recorded } = object;
  const { status } = object.answer;
  // Of a page that is to be taken over nothing is known yet.
  if (status === "published" || (status === undefined && !object.wrote))
    return editedByDates(run, id, { answer, recorded });
  const { createdAt, updatedAt } = object.answer;
  const isResumed = !object.recorded && !object.wrote && object.identity !== undefined && !run.adopted.has(pageKey(id));
  if (!isResumed || typeof createdAt !== "string" || typeof updatedAt !== "string") return [];
  return Date.parse(updatedAt) > Date.parse(createdAt)
    ? [{ kind: "unnamed", editedAt: updatedAt, madeAt: createdAt }]
    : [];
}

/** What is read of a draft before values in it are replaced; undefined where nothing known is. */
async function documentOver(object: ObjectState, writes: Writes, draft: Draft): Promise<PageDocument | undefined> {
  const isKnown = (field: "content" | "nodes"): boolean =>
    Object.keys(writes[field]).some((key) => Object.hasOwn(mapOf(object.answer[field]), key));
  if (!object.recorded || !BY_KEY.some(isKnown)) return undefined;
  const { fields } = isKnown("content") ? await draft.fields() : { fields: undefined };
  const nodes = isKnown("nodes") ? await draft.nodes() : new Map();
  return { fields: fields?.all(), nodes };
}

interface Comparing {
  readonly draft: Draft;
  readonly writes: Writes;
  readonly shipped: Shipped;
  readonly known: JsonMap;
}

/** One read, where that tells that nothing moved; another one for the names of what did. */
async function compare(run: RunContext, id: string, object: ObjectState, given: Comparing): Promise<Looked> {
  const { draft, writes, shipped, known } = given;
  const tree = await draft.tree();
  const isAll = shipped.nodes.size > 0 && tree.nodes.size > 1 && showsFields(tree, writes);
  const found = (one: PageDocument): ForeignEdit[] => [
    ...(isUndo(run) ? [] : writtenOver(shipped, one, writes)),
    ...foreignEdits(shipped, one, writes),
  ];
  if (isAll && found(tree).length === 0) return { edits: [], document: tree, shipped };
  const document = await draft.whole();
  const all = found(document);
  const [over, edits] = [all.filter(isWrittenOver), all.filter((edit) => !isWrittenOver(edit))];
  const isAsked = edits.length > 0 && object.answer["status"] === "published" && !run.putAside.has(id);
  if (isAsked && (await publishedByOthers(run, id, shipped, known)))
    return { edits: over, document, shipped: { ...shippedAs(id, document), at: shipped.at, lag: shipped.lag } };
  return { edits: all, document, shipped };
}

/** Before the first write: what is there then is not this pass's. */
export async function guard(pass: PagePass, writes: Writes, known: JsonMap): Promise<Guarded> {
  const { run, id, now, object, document: draft } = pass;
  const publishes = now.publish !== undefined;
  const looked = await lookForEdits(run, id, object, { draft, writes, publishes, known });
  // What a release publishes, it looks at itself; what is written over, nobody else does.
  const edits = now.publish?.release === undefined ? looked.edits : looked.edits.filter(isWrittenOver);
  const isHeld = wordFor(run, id, edits, now.onForeignEdits) === "hold";
  if (isHeld) run.heldBack.add(id);
  if (publishes && object.answer["status"] === "published") run.looked.add(id);
  return { ...looked, edits, isHeld, writes: isHeld ? withoutOver(writes, looked.edits) : writes };
}

function withoutOver(writes: Writes, edits: readonly ForeignEdit[]): Writes {
  const keys = edits.flatMap((edit) => (edit.kind === "field" && edit.over ? edit.key : []));
  const nodeIds = edits.flatMap((edit) => (edit.kind === "node" && edit.over ? edit.nodeId : []));
  const left = { content: without(writes.content, keys), nodes: without(writes.nodes, nodeIds) };
  return { ...writes, ...left, held: { content: keys, nodes: nodeIds } };
}

/** What is done about these edits; undefined where there is none. */
export function wordFor(
  run: RunContext,
  id: string,
  edits: readonly ForeignEdit[],
  own: ForeignEditsWord | undefined,
): ForeignEditsWord | undefined {
  if (edits.length === 0) return undefined;
  // Another page took its address, for which it had to be published elsewhere: they are public already.
  if (run.putAside.has(id)) return "include";
  const { option, stack, reviewed } = run.settings.foreignEdits ?? {};
  if (reviewed?.[id] === editsDigest(edits)) return "include";
  return option ?? own ?? stack ?? "hold";
}

export function wordOf(declared: Json | undefined): ForeignEditsWord | undefined {
  return declared === "hold" || declared === "include" ? declared : undefined;
}

export function tell(
  { run, id, now, object }: Pick<PagePass, "run" | "id" | "now" | "object">,
  outcome: ForeignEditsNotice["outcome"],
  edits: readonly ForeignEdit[],
): void {
  if (edits.length === 0) return;
  const isDraft = object.answer["status"] !== "published" && { isDraft: true as const };
  run.warnOnce({ code: "foreign-edits", kind: "page", id, name: now.name, outcome, edits, ...isDraft });
}

/** Edits that came between the look and the publication. `known`: what the page had shipped before. */
export function slippedIn(
  id: string,
  before: PageDocument,
  after: PageDocument,
  { writes, known }: { writes: Own; known: Shipped | undefined },
): ForeignEdit[] {
  if (writes.broad) return [];
  const looked = shippedAs(id, before);
  // The look before may have shown less than what was there.
  const shipped = {
    ...looked,
    fields: known ? looked.fields.with(known.fields) : looked.fields,
    nodes: known && looked.nodes.size > 0 ? looked.nodes.with(known.nodes) : looked.nodes,
  };
  const there = new Set([...before.nodes.values()].flatMap(({ leaves }) => [...leaves.values()].map(plain)));
  // A content map of what is live shows only now what the draft held before.
  return foreignEdits(shipped, after, writes).filter(
    (edit) => edit.kind !== "field" || edit.now === undefined || !there.has(plain(edit.now)),
  );
}

/** What is public of what the pass has written, where it didn't publish it. */
export function leftPublished(
  { document, writes: { then, content, nodes } }: Guarded,
  { variables = {} }: PageLife,
): JsonMap {
  if (then.answer["status"] !== "published") return {};
  const fields = document?.fields;
  const shown = (key: string): Json | undefined => fields?.get(key) ?? mapOf(then.answer["content"])[key];
  const replaced = [...(fields ?? [])].flatMap(([key, value]) =>
    value !== undefined && !(key in content) && mentions(value, variables) ? [key] : [],
  );
  const texts = [...Object.keys(content), ...replaced].flatMap((key): [string, Json][] => {
    const value = shown(key);
    return value === undefined || same(value, content[key]) ? [] : [[key, value]];
  });
  const looks = Object.keys(nodes).flatMap((nodeId): [string, Json][] => {
    const value = mapOf(then.answer["nodes"])[nodeId];
    return value === undefined || same(value, nodes[nodeId]) ? [] : [[nodeId, value]];
  });
  const delay = then.declared.get("delay");
  return withPublished(then.published, {
    ...(texts.length > 0 && { content: Object.fromEntries(texts) }),
    ...(looks.length > 0 && { nodes: Object.fromEntries(looks) }),
    ...(delay !== undefined && { delay }),
  });
}

/** What would go along if this change were applied now, or be written over; without one, what waits. */
export async function pageStowaways(
  run: RunContext,
  id: string,
  object: ObjectState,
  change?: PlannedWrites,
): Promise<readonly ForeignEdit[]> {
  const isPublic = object.answer["status"] === "published";
  const publishes = change === undefined || isMap(change.inputs["publish"]);
  // What its release has published since, its own state doesn't tell.
  const isAsked = isPublic || !object.recorded || object.answer[DRAFT] !== undefined || shippedIn(object.notes, id);
  if (change === undefined && !isAsked) return [];
  if (change && onlyTheWord(change.changed)) return [];
  const writes = writesFor(object, change);
  const { edits } = await lookForEdits(run, id, object, { draft: new Draft(run, id), writes, publishes });
  return edits;
}

/** What to do about edits of others is no change of the page. */
export function onlyTheWord(changed: ReadonlySet<string>): boolean {
  return [...changed].every((field) => field === "onForeignEdits");
}

const LONGEST_MS = 2_000;

/**
 * A page that makes way for another one is published elsewhere, and its draft with it: the edits of others that this would bring
 * before visitors keep it where it is; none where it may go.
 */
export async function keepingItThere(run: RunContext, id: string): Promise<readonly ForeignEdit[]> {
  const known = await run.comesTo(() => run.settings.seen?.objectOf(pageKey(id)), LONGEST_MS);
  const state = known?.state ?? unheard(run, id);
  const edits = await pageStowaways(run, id, state);
  const word = wordFor(run, id, edits, wordOf(known?.inputs["onForeignEdits"]));
  return word === "hold" ? edits : [];
}

/** Of a page that this process has heard nothing of, and our record tells nothing, dates decide. */
function unheard(run: RunContext, id: string): ObjectState {
  const object = new ObjectState({ rule: () => ({}) }, id);
  object.notes = notesOfHalfMade(run, id);
  object.answer = { status: "published" };
  return object;
}
