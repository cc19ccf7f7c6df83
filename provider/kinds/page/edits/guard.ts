/**
 * No stowaways, and nothing written over unseen. Before its first write a pass looks if the draft holds edits that are not ours: a
 * publication would take them along, or a write would replace them. The settings say if they are held or included. Afterwards the run tells
 * what came in between.
 */
import type { Planning } from "../../../definition/define.ts";
import { pageKey } from "../document/collection.ts";
import { editedByDates, publishedByOthers } from "./dates.ts";
import { Draft, type Over, type PageDocument, type PageLife, type PagePass } from "../document/document.ts";
import { foreignEdits, type Own, replacedEdits, showsFields } from "./foreign-edits.ts";
import {
  BY_KEY,
  broughtBy,
  byKey,
  newSalt,
  leavesIn,
  type Shipped,
  shippedAs,
  shippedIn,
  withPublished,
} from "../document/readings.ts";
import { DRAFT } from "../document/released.ts";
import { isOfRecord, recordEdits } from "./record.ts";
import { plain } from "../document/texts.ts";
import { type Writes, writesFor } from "../document/writes.ts";
import { ApplyError } from "../../../messages/errors.ts";
import {
  type FieldEdit,
  type ForeignEdit,
  type ForeignEditsNotice,
  halfDoneText,
  isWrittenOver,
  keyOf,
} from "../../../messages/foreign-edits.ts";
import { notesOfHalfMade } from "../../../reconcile/creation.ts";
import { isUndo, policyFor, policyOf } from "../../../reconcile/foreign-edits.ts";
import { ObjectState } from "../../../reconcile/object-state.ts";
import type { RunContext } from "../../../reconcile/run-context.ts";
import { filterMap, isMap, type Json, type JsonMap, mapBy, mapOf, same, without } from "../../../values/json.ts";
import { mentions } from "../../../values/placeholders.ts";

interface Looked {
  readonly edits: readonly ForeignEdit[];
  /** The draft at that time; undefined if nobody had to look. */
  readonly document: PageDocument | undefined;
  /** The record that the draft is compared with. */
  readonly shipped: Shipped | undefined;
}

export interface Guarded extends Looked {
  /** All edits of the look, with those that a release looks at itself. */
  readonly found: readonly ForeignEdit[];
  readonly isHeld: boolean;
  /** The writes that are left, without values of others that are held. */
  readonly writes: Writes;
}

/** `known`: the answer from before the pass. */
export async function lookForEdits(
  over: Over,
  writes = writesFor(over.object, undefined),
  publishes = true,
  known = over.object.answer,
): Promise<Looked> {
  const looked = await lookAtDraft(over, writes, publishes, known);
  return { ...looked, edits: [...(await recordEdits(over, writes)), ...looked.edits] };
}

async function lookAtDraft(over: Over, writes: Writes, publishes: boolean, known: JsonMap): Promise<Looked> {
  const { run, object, document: draft } = over;
  const isPublic = object.answer["status"] === "published";
  const shipped = shippedIn(object.notes);
  if (publishes && shipped !== undefined) return compare(over, shipped, writes, known);
  const dated = !publishes || shipped !== undefined ? [] : await byDates(over, known);
  const document = publishes && isPublic ? await draft.whole() : await documentOver(object, writes, draft);
  const replaced = document === undefined ? [] : replacedIn(run, shipped, document, writes);
  return { edits: [...replaced, ...dated], document, shipped };
}

/**
 * Finds edits by dates. If a killed run made the page and left no record, a later date means that somebody has edited it: we record before
 * we write.
 */
async function byDates({ run, id, object }: Over, answer: JsonMap): Promise<ForeignEdit[]> {
  const { recorded, wrote, identity } = object;
  const { status, createdAt, updatedAt } = object.answer;
  // Nothing is known yet of a page that is to be adopted.
  if (status === "published" || (status === undefined && !wrote)) return editedByDates(run, id, { answer, recorded });
  const isResumed = !recorded && !wrote && identity !== undefined && !run.adopted.has(pageKey(id));
  if (!isResumed || typeof createdAt !== "string" || typeof updatedAt !== "string") return [];
  const isEdited = Date.parse(updatedAt) > Date.parse(createdAt);
  return isEdited ? [{ kind: "unnamed", editedAt: updatedAt, madeAt: createdAt }] : [];
}

/** Reads the draft before values in it are replaced; undefined if none of these values is known. */
async function documentOver(object: ObjectState, writes: Writes, draft: Draft): Promise<PageDocument | undefined> {
  const isKnown = (field: "content" | "nodes"): boolean =>
    Object.keys(writes[field]).some((key) => Object.hasOwn(mapOf(object.answer[field]), key));
  if (!object.recorded || !BY_KEY.some(isKnown)) return undefined;
  const { fields } = isKnown("content") ? await draft.fields() : { fields: undefined };
  const nodes = isKnown("nodes") ? await draft.nodes() : new Map();
  return { fields: fields?.all(), nodes };
}

/** Makes one read if that tells that nothing moved, and another one for the names of the moved values. */
async function compare(over: Over, shipped: Shipped, writes: Writes, known: JsonMap): Promise<Looked> {
  const { run, id, object, document: draft } = over;
  const tree = await draft.tree();
  const isAll = shipped.nodes.size > 0 && tree.nodes.size > 1 && showsFields(tree, writes);
  const found = (one: PageDocument): ForeignEdit[] => [
    ...replacedIn(run, shipped, one, writes),
    ...foreignEdits(shipped, one, writes),
  ];
  if (isAll && found(tree).length === 0) return { edits: [], document: tree, shipped };
  const document = await draft.whole();
  const all = found(document);
  const edits = all.filter((edit) => !isWrittenOver(edit));
  const isAsked = edits.length > 0 && object.answer["status"] === "published" && !run.putAside.has(id);
  if (!isAsked || !(await publishedByOthers(run, id, shipped, known))) return { edits: all, document, shipped };
  const { fields, nodes } = shippedAs(shipped.salt, document);
  const left = all.filter(isWrittenOver);
  return { edits: left, document, shipped: { ...shipped, fields, nodes, others: broughtBy(edits, shipped.others) } };
}

/** An undo has compared all values itself but the texts that a killed run may have rendered. */
function replacedIn(run: RunContext, ...looked: Parameters<typeof replacedEdits>): ForeignEdit[] {
  const [edits, [, , { suspected }]] = [replacedEdits(...looked), looked];
  if (!isUndo(run)) return edits;
  return edits.filter((edit) => edit.kind === "field" && Object.hasOwn(suspected, keyOf(edit)));
}

/** Looks before the first write: an edit that is there then is not this pass's. */
export async function guard(pass: PagePass, writes: Writes, known: JsonMap): Promise<Guarded> {
  const { run, id, now, object } = pass;
  const publishes = now.publish !== undefined;
  const looked = await lookForEdits(pass, writes, publishes, known);
  // A release looks itself at the edits that it publishes. Nobody else looks at values that are written over.
  const edits = now.publish?.release === undefined ? looked.edits : looked.edits.filter(isWrittenOver);
  // The review saw them all.
  const isHeld = edits.length > 0 && policyFor(run, id, looked.edits, now.onForeignEdits) === "hold";
  if (isHeld) run.heldBack.add(id);
  if (publishes && object.answer["status"] === "published") run.looked.add(id);
  const due = withoutWaiting(isUndo(run) ? withoutRendered(writes, looked) : writes, edits);
  return { ...looked, found: looked.edits, edits, isHeld, writes: isHeld ? withoutOver(due, looked.edits) : due };
}

/**
 * An undo renders the texts of the template again, too. Nobody has compared those that it has no value for: a text that somebody has put in the
 * place of one stays.
 */
function withoutRendered(writes: Writes, { shipped, document }: Looked): Writes {
  const edits = document === undefined ? [] : replacedEdits(shipped, document, writes);
  const left = textsAmong(edits)
    .map(keyOf)
    .filter((key) => !Object.hasOwn(writes.said, key));
  return { ...writes, content: without(writes.content, left) };
}

/** The draft says the texts that wait to be published, unless somebody has changed them there. */
function withoutWaiting(writes: Writes, edits: readonly ForeignEdit[]): Writes {
  const changed = textsAmong(edits.filter(isWrittenOver)).map(keyOf);
  const left = writes.waiting.filter((key) => !changed.includes(key));
  return left.length === 0 ? writes : { ...writes, content: without(writes.content, left) };
}

function withoutOver(writes: Writes, edits: readonly ForeignEdit[]): Writes {
  const over = edits.filter(isWrittenOver);
  const held = {
    content: textsAmong(over).map(keyOf),
    nodes: over.flatMap((edit) => (edit.kind === "node" ? [edit.nodeId] : [])),
    record: over.flatMap((edit) => (edit.kind === "field" && isOfRecord(edit) ? [String(edit.at[0])] : [])),
  };
  return {
    ...writes,
    content: without(writes.content, held.content),
    nodes: without(writes.nodes, held.nodes),
    record: without(writes.record, held.record),
    held,
  };
}

/** Returns the edits of content fields. */
export function textsAmong(edits: readonly ForeignEdit[]): FieldEdit[] {
  return edits.filter((edit) => edit.kind === "field").filter((edit) => !isOfRecord(edit));
}

const NOTICE = { code: "foreign-edits", kind: "page" } as const;

/** `more`: of a page in a release. */
export function tell(
  { run, id, now, object }: Pick<PagePass, "run" | "id" | "now" | "object">,
  outcome: ForeignEditsNotice["outcome"],
  edits: readonly ForeignEdit[],
  more: Pick<ForeignEditsNotice, "heldBy" | "isPublic"> = {},
): void {
  if (edits.length === 0 && more.heldBy === undefined) return;
  const isDraft = object.answer["status"] !== "published" && { isDraft: true as const };
  const notice = { ...NOTICE, id, name: now.name, outcome, edits, ...isDraft, ...more };
  // The pass of a page includes other edits than its release does, and both find those that hold it.
  if (outcome === "included") run.warn(notice);
  else run.warnOnce(notice);
}

/** Finds edits that came between the look and the publication. `known`: the record of the publication before. */
export function slippedIn(before: PageDocument, after: PageDocument, writes: Own, known?: Shipped): ForeignEdit[] {
  if (writes.broad) return [];
  const looked = shippedAs(known?.salt ?? newSalt(), before);
  // The look before may have shown less than was there.
  const shipped = {
    ...looked,
    fields: known ? looked.fields.with(known.fields) : looked.fields,
    nodes: known && looked.nodes.size > 0 ? looked.nodes.with(known.nodes) : looked.nodes,
  };
  const there = new Set(leavesIn(before.nodes).map(({ value }) => plain(value)));
  // A written field has the text that the look shows, as the service spells it. A leaf that says another one is somebody's.
  const ours = writes.ours.and({ fields: mapBy(Object.keys(writes.content), (key) => after.fields?.get(key)) });
  // A content map of the published version shows only now what the draft held before.
  return foreignEdits(shipped, after, { ...writes, ours, content: {} }).filter(
    (edit) => edit.kind !== "field" || edit.now === undefined || !there.has(plain(edit.now)),
  );
}

/** Returns the public values of everything that the pass has written and not published, where the draft says something else. */
export function leftPublished({ document, writes }: Guarded, { variables = {} }: PageLife): JsonMap {
  const { then, content, nodes, interrupted } = writes;
  if (then.answer["status"] !== "published") return {};
  const fields = document?.fields;
  const shown = (key: string): Json | undefined => fields?.get(key) ?? mapOf(then.answer["content"])[key];
  const isReplaced = (key: string, value: Json | undefined): boolean =>
    value !== undefined && !(key in content) && mentions(value, variables);
  // A killed run may have replaced some of them.
  const isSame = same(then.declared.get("variables") ?? {}, variables) && !interrupted.has("variables");
  const replaced = isSame ? [] : [...(fields ?? [])].flatMap((field) => (isReplaced(...field) ? [field[0]] : []));
  const looks = filterMap(mapOf(then.answer["nodes"]), (_, key) => key in nodes);
  const texts = mapBy([...Object.keys(content), ...replaced], shown);
  const left = withPublished(then.published, { content: texts, nodes: looks });
  const delay = left["delay"] ?? then.declared.get("delay");
  const written: JsonMap = { content, nodes };
  const isOpen = (field: string) => (value: Json, key: string) => !same(value, mapOf(written[field])[key]);
  return { ...byKey((field) => filterMap(mapOf(left[field]), isOpen(field))), ...(delay !== undefined && { delay }) };
}

/** Finds the edits that would go along or be written over if this change were applied now; without a change, the edits that wait. */
export const pageForeignEdits: Required<Planning>["foreignEdits"] = async (run, id, object, change) => {
  const isPublic = object.answer["status"] === "published";
  const publishes = change === undefined || isMap(change.inputs["publish"]);
  // The page's own state doesn't tell what its release has published since.
  const isAsked = isPublic || !object.recorded || object.answer[DRAFT] !== undefined || shippedIn(object.notes);
  if (change === undefined && !isAsked) return [];
  if (change?.changed.size === 0) return [];
  const over = { run, id, object, document: new Draft(run, id) };
  return (await lookForEdits(over, writesFor(object, change), publishes)).edits;
};

/**
 * Returns what goes with a page that is deleted or replaced: the edits that wait in its draft, and the texts that visitors read and that
 * somebody wrote in the app. `isMoved`: its date tells of an edit.
 */
export const pageGoing: Required<Planning>["going"] = async (run, id, object, isMoved) => {
  const known = shippedIn(object.notes);
  if (!isMoved && (known?.others ?? []).length === 0) return { edits: [], published: [] };
  const document = new Draft(run, id);
  const isPublic = object.answer["status"] === "published";
  if (!isPublic || known === undefined) return { edits: await pageForeignEdits(run, id, object), published: [] };
  const { edits, shipped = known } = await lookForEdits({ run, id, object, document });
  const left = mapOf(object.answer["content"]);
  if (shipped.others.length === 0) return { edits, published: [] };
  const { fields } = await document.fields();
  const isTold = (key: string): boolean => edits.some((edit) => edit.kind === "field" && keyOf(edit) === key);
  const published = shipped.others.flatMap((key): ForeignEdit[] => {
    const now = fields.value(key);
    const isOurs = now === undefined || same(now, left[key]);
    return isOurs || isTold(key) ? [] : [{ kind: "field", at: ["content", key], now }];
  });
  return { edits, published };
};

/**
 * Returns the edits of others that keep a page where it is; none if it may go. A page that makes way for another one is published elsewhere
 * with its draft, which would bring these edits before visitors.
 */
export function keepingItThere(run: RunContext, id: string): Promise<readonly ForeignEdit[]> {
  return heldEdits(run, id, (inputs) => policyOf(inputs?.["onForeignEdits"]));
}

/** Refuses to copy a page for visitors while its draft holds edits of others: the service copies the draft. */
export async function refuseHalfDone(run: RunContext, source: string, declared: PageLife): Promise<void> {
  const { publish, onForeignEdits } = declared;
  // The run has just published all of it.
  const isPublic = run.looked.has(source) && !run.heldBack.has(source);
  if (publish === undefined || run.isPreview || isPublic || isUndo(run)) return;
  const edits = await heldEdits(run, source, () => onForeignEdits);
  if (edits.length > 0) throw new ApplyError(halfDoneText(source, edits));
}

const LONGEST_MS = 2_000;

/** `policyIn`: the policy of the page by its inputs, if this process has heard of it. */
async function heldEdits(
  run: RunContext,
  id: string,
  policyIn: (inputs: JsonMap | undefined) => PageLife["onForeignEdits"],
): Promise<readonly ForeignEdit[]> {
  const known = await run.comesTo(() => run.settings.seen?.objectOf(pageKey(id)), LONGEST_MS);
  const edits = await pageForeignEdits(run, id, known?.state ?? unheard(run, id));
  return policyFor(run, id, edits, policyIn(known?.inputs)) === "hold" ? edits : [];
}

/** Makes a state for a page that this process has heard nothing of. If our record tells nothing, dates decide. */
function unheard(run: RunContext, id: string): ObjectState {
  const object = new ObjectState({ rule: () => ({}) }, id);
  object.notes = notesOfHalfMade(run, id);
  object.answer = { status: "published" };
  return object;
}
