/** What a page holds after a pass, divided into what is accounted for and what still is somebody else's. Pure. */
import type { ForeignEdit } from "../../../messages/foreign-edits.ts";
import { same, type Json } from "../../../values/json.ts";
import { mentions, render } from "../variables.ts";
import { marksOf, valueText, wholeMark, type Footprint } from "./footprint.ts";
import { foreignEdits, holdsOne, movedKeys, movedNodes, textsOf } from "./foreign-edits.ts";
import { foretold, textOf } from "./foretold.ts";
import { isMovedBy } from "./leaves.ts";
import { underFormerIds } from "./renamed.ts";
import { NO_WRITES, type PassWrites, type Written } from "./own-writes.ts";
import type { PageLook } from "./page-look.ts";

export interface Accounting {
  readonly id: string;
  readonly published: boolean;
  /** Of the draft before the pass wrote to it; undefined where it was never published, or nothing was known of it. */
  readonly before: (PageLook & { edits: readonly ForeignEdit[] }) | undefined;
  readonly after: PageLook;
  readonly own: PassWrites;
  readonly footprint: Footprint | undefined;
}

export interface Accounted {
  readonly footprint: Footprint;
  /** Edits that came between the look and the publication. */
  readonly slipped: readonly ForeignEdit[];
}

export function accountFor(accounting: Accounting): Accounted {
  const { id, published, before, after, footprint } = accounting;
  const own = asShown(accounting);
  const shown = shownInTree(accounting);
  const at = published ? undefined : footprint?.at;
  const known = {
    at,
    lag: footprint?.lag,
    fieldsInTree: shown?.inAnyForm ?? footprint?.fieldsInTree ?? false,
    unsure: false,
    late: shown === undefined ? footprint?.late === true : !shown.asSent,
  };
  if (published || footprint === undefined) {
    const slipped = before === undefined || own.broad ? [] : slippedIn(accounting, own);
    const marks = marksOf(id, after);
    const fields = after.fields === undefined ? (footprint?.fields ?? marks.fields) : marks.fields;
    return { footprint: withSent({ ...marks, fields, ...known }, accounting), slipped };
  }
  const draft = unpublished(accounting, own, footprint);
  const isAllOurs = before?.edits.length === 0 && foreignEdits(draft, after, NO_WRITES).length === 0;
  const kept = { ...draft, whole: isAllOurs ? wholeMark(id, after) : undefined, ...known };
  return { footprint: withSent(kept, accounting), slipped: [] };
}

/** The service may show a value otherwise than it was sent, and what a node was given under the content key of its text. */
function asShown({ own, after }: Accounting): PassWrites {
  const patched = new Set(textsOf([...leavesOf(own.patches)]));
  const shown = [...(after.fields ?? [])].filter(([, value]) => patched.has(valueText(value)));
  const keys = new Set([...own.keys, ...shown.map(([key]) => key)]);
  return { ...own, keys, values: [...own.values, ...[...keys].flatMap((key) => after.fields?.get(key) ?? [])] };
}

function* leavesOf(value: Json): Generator<Json> {
  if (typeof value !== "object" || value === null) yield value;
  else for (const item of Object.values(value)) yield* leavesOf(item);
}

/**
 * What this stack has written is ours, also where the look after it doesn't show it yet, or a later one shows what was there
 * before: a service may answer reads from a copy that lags behind.
 */
function withSent(kept: Footprint, { before, after, own, footprint: old }: Accounting): Footprint {
  const { fields, nodes } = kept;
  const sent = new Map(textsSent(own, [before, after]));
  for (const [key, value] of old && after.fields ? after.fields : [])
    if (old && !sent.has(key)) fields.takeIfOlder(key, valueText(value), old.fields);
  for (const [key, value] of sent) {
    if (!fields.has(key)) continue;
    for (const shown of [textOf(value), value]) fields.addSent(key, valueText(shown));
    if (old) fields.addFormer(key, old.fields);
  }
  const ours = textsOf(own.values);
  const written = inPlaceOf(sent, [before, after]);
  for (const [id, node] of after.nodes) {
    const isOwn = id !== "" && own.nodeIds.has(id);
    if (isOwn && before?.nodes.get(id)?.own === node.own) nodes.setAny(id);
    else if (old && (isOwn || holdsOne(node, ours) || isOurs(id, { before, after, own })))
      nodes.addFormer(id, old.nodes);
    else if (old) nodes.takeIfOlder(id, node.own, old.nodes);
    // Of one that holds an edit of somebody else, nothing is foretold.
    if (id !== "" && nodes.holds(id, node.own))
      for (const later of foretold(node.own, written, own.variables)) nodes.addSent(id, later);
  }
  return kept;
}

/** What was sent in the place of what the looks show under its key. */
function inPlaceOf(sent: ReadonlyMap<string, Json>, looks: readonly (PageLook | undefined)[]): Written[] {
  return [...sent].flatMap(([key, now]) =>
    looks.flatMap((look) => {
      const then = look?.fields?.get(key);
      return then === undefined || same(then, now) ? [] : [{ now, then }];
    }),
  );
}

/** Placeholders are replaced in fields that nobody names. */
function textsSent({ sent, variables }: PassWrites, looks: readonly (PageLook | undefined)[]): [string, Json][] {
  const replaced = looks.flatMap((look) =>
    [...(look?.fields ?? [])].flatMap(([key, value]): [string, Json][] =>
      value !== undefined && !(key in sent) && mentions(value, variables) ? [[key, render(value, variables)]] : [],
    ),
  );
  return [...Object.entries(sent), ...replaced];
}

/** Undefined where nothing was written that could tell. A text may show as it was sent, or as the content map has it. */
function shownInTree({ own: { sent }, after: { fields, nodes } }: Accounting) {
  const forms = Object.entries(sent).map(([key, value]) => textsOf([value, fields?.get(key) ?? null]));
  const telling = forms.filter(([text = ""]) => text.length > 8);
  if (telling.length === 0) return undefined;
  // No text goes over a line: in JSON its end is written out.
  const all = { own: [...nodes.values()].map(({ own }) => own).join("\n") };
  const shows = (texts: readonly string[]): boolean => holdsOne(all, texts);
  return { inAnyForm: telling.every(shows), asSent: telling.every(([text = ""]) => shows([text])) };
}

function slippedIn({ id, before, after: shown, footprint }: Accounting, own: PassWrites): ForeignEdit[] {
  if (before === undefined) return [];
  const after = { ...shown, nodes: underFormerIds(before.nodes, shown.nodes) };
  const marks = marksOf(id, before);
  const edits = foreignEdits(
    { ...marks, fields: before.fields ? marks.fields : (footprint?.fields ?? marks.fields) },
    after,
    own,
  );
  const isExplained = (edit: ForeignEdit): boolean =>
    edit.kind === "node" && isOurs(edit.nodeId, { before, after, own });
  return edits.filter((edit) => !isExplained(edit) && !isKnown(edit, after, footprint) && !wasThere(edit, before));
}

/** Nothing moved in the node but what was written. */
function isOurs(nodeId: string, { before, after, own }: Pick<Accounting, "before" | "after" | "own">): boolean {
  const [then, now] = [before, after].map((look) => look?.nodes.get(nodeId)?.own);
  return then !== undefined && now !== undefined && isMovedBy(own.values, then, now);
}

/** The look before may have shown less than what was there. */
function isKnown(edit: ForeignEdit, after: PageLook, footprint: Footprint | undefined): boolean {
  if (edit.kind === "field") return footprint?.fields.holds(edit.key, valueText(edit.now)) === true;
  const node = edit.kind === "node" ? after.nodes.get(edit.nodeId) : undefined;
  return edit.kind === "node" && node !== undefined && footprint?.nodes.holds(edit.nodeId, node.own) === true;
}

/** A content map of what is live shows only now what the draft held before. */
export function wasThere(edit: ForeignEdit, { nodes }: Pick<PageLook, "nodes">): boolean {
  if (edit.kind !== "field" || edit.now === undefined) return false;
  const texts = textsOf([edit.now]);
  return [...nodes.values()].some((node) => holdsOne(node, texts));
}

/** The draft stays one: ours is accounted for as it is now, and what is somebody else's keeps its old marks. */
function unpublished(
  { id, before, after }: Accounting,
  own: PassWrites,
  old: Footprint,
): Pick<Footprint, "fields" | "nodes" | "styles"> {
  const { fields, nodes, styles } = marksOf(id, after);
  const edits = before?.edits ?? [];
  const keysBefore = new Set(edits.flatMap((edit) => (edit.kind === "field" ? edit.key : [])));
  const nodesBefore = new Set(edits.flatMap((edit) => (edit.kind === "node" ? edit.nodeId : [])));
  const foreignKeys = movedKeys(old.fields, after, own).filter((key) => !own.broad || keysBefore.has(key));
  for (const key of foreignKeys) fields.take(key, old.fields);
  const ours = textsOf(own.values);
  const theirs = textsOf(foreignKeys.map((key) => after.fields?.get(key) ?? null));
  // Its fields are watched one by one: ours and theirs in one node could not be told apart once theirs is undone.
  const shared = [...after.nodes].filter(([, node]) => holdsOne(node, theirs)).map(([nodeId]) => nodeId);
  for (const nodeId of shared) nodes.setAny(nodeId);
  for (const [nodeId, node] of movedNodes(old.nodes, after, own)) {
    if (shared.includes(nodeId)) continue;
    const isExplained = own.broad || holdsOne(node, ours) || isOurs(nodeId, { before, after, own });
    if (nodesBefore.has(nodeId) || !isExplained) nodes.take(nodeId, old.nodes);
  }
  for (const nodeId of nodesBefore) if (own.nodeIds.has(nodeId)) nodes.take(nodeId, old.nodes);
  for (const nodeId of after.nodes.keys()) {
    const isOurs = (own.nodeIds.has(nodeId) || !old.nodes.has(nodeId)) && !nodesBefore.has(nodeId);
    if (old.styles && !isOurs) styles.take(nodeId, old.styles);
  }
  fields.keepBesides(after.fields?.keys() ?? [], old.fields);
  if (!own.broad) nodes.keepBesides(after.nodes.keys(), old.nodes);
  return { fields, nodes, styles: old.styles && styles };
}
