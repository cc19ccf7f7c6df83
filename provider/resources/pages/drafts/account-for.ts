/** What a page holds after a pass, divided into what is accounted for and what still is somebody else's. Pure. */
import type { ForeignEdit } from "../../../foreign-edits.ts";
import { marksOf, type Footprint, type Marks } from "./footprint.ts";
import { foreignEdits, holdsOne, movedKeys, movedNodes, textsOf } from "./foreign-edits.ts";
import type { PassWrites } from "./own-writes.ts";
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
  const { published, before, after, footprint } = accounting;
  const own = asShown(accounting);
  const fieldsInTree = showsInTree(own, after) ?? footprint?.fieldsInTree ?? false;
  const at = published ? undefined : footprint?.at;
  if (published || footprint === undefined) {
    const slipped = before === undefined || own.broad ? [] : slippedIn(accounting, own);
    return { footprint: { ...marksOf(accounting.id, after), at, fieldsInTree, unsure: false }, slipped };
  }
  const kept = { ...unpublished(accounting, own, footprint), at, fieldsInTree, unsure: false };
  return { footprint: kept, slipped: [] };
}

/** The service may show a value otherwise than it was sent. */
function asShown({ own, after }: Accounting): PassWrites {
  const shown = [...own.keys].flatMap((key) => after.fields?.get(key) ?? []);
  return { ...own, values: [...own.values, ...shown] };
}

/** Undefined where nothing was written that could tell. */
function showsInTree({ values }: PassWrites, { nodes }: PageLook): boolean | undefined {
  const telling = textsOf(values).filter((text) => text.length > 8);
  if (telling.length === 0) return undefined;
  return telling.every((text) => [...nodes.values()].some((node) => holdsOne(node, [text])));
}

function slippedIn({ id, before, after, footprint }: Accounting, own: PassWrites): ForeignEdit[] {
  if (before === undefined) return [];
  const marks = marksOf(id, before);
  const edits = foreignEdits(
    { ...marks, fields: before.fields ? marks.fields : (footprint?.fields ?? marks.fields) },
    after,
    own,
  );
  // A node with an empty text of ours, or one of a letter, can't be told from somebody else's.
  const isTold = own.values.every((value) => textsOf([value]).length > 0);
  return isTold ? edits : edits.filter(({ kind }) => kind === "field");
}

/** The draft stays one: ours is accounted for as it is now, and what is somebody else's keeps its old marks. */
function unpublished(
  { id, before, after }: Accounting,
  own: PassWrites,
  old: Footprint,
): { fields: Marks; nodes: Marks } {
  const { fields, nodes } = marksOf(id, after);
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
    if (nodesBefore.has(nodeId) || !(own.broad || holdsOne(node, ours))) nodes.take(nodeId, old.nodes);
  }
  fields.keepBesides(after.fields?.keys() ?? [], old.fields);
  if (!own.broad) nodes.keepBesides(after.nodes.keys(), old.nodes);
  return { fields, nodes };
}
