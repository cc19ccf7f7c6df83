/** What a page's draft holds that is not ours, and what its publication does about that. */
import {
  editsDigest,
  isWrittenOver,
  type ForeignEdit,
  type ForeignEditsWord,
} from "../../../messages/foreign-edits.ts";
import type { PlannedWrites } from "../../../definition/define.ts";
import { isMap } from "../../../values/json.ts";
import type { ObjectState } from "../../../reconcile/object-state.ts";
import type { RunContext } from "../../../reconcile/run-context.ts";
import { readFields, type PageFields } from "../page-fields.ts";
import { DRAFT } from "../release-draft-name.ts";
import { withOwnTexts, withoutWritten } from "./draft-texts.ts";
import { editedByDates, publishedByOthers } from "./by-dates.ts";
import { footprintIn, marksOf, wholeMark, type Footprint } from "./footprint.ts";
import { foreignEdits, withReplacedTexts } from "./foreign-edits.ts";
import {
  NO_WRITES,
  withDeclared,
  withLate,
  withMarked,
  withoutEdited,
  withSaid,
  writesOf,
  writtenBy,
  type PassWrites,
} from "./own-writes.ts";
import { nodesOfOurs } from "./patched-nodes.ts";
import { lookAtPage, lookAtTree, type PageLook } from "./page-look.ts";

export interface Stowaways {
  readonly edits: readonly ForeignEdit[];
  /** Edits that go, and don't go live. */
  readonly writtenOver?: readonly ForeignEdit[];
  readonly look: PageLook | undefined;
  readonly own: PassWrites;
  /** What the next look is held against. */
  readonly footprint?: Footprint | undefined;
}

/** What is known of a page whose draft is looked at. */
export type KnownPage = Pick<ObjectState, "answer" | "edited" | "notes" | "declared" | "recorded" | "identity">;

/** Edits of others in the draft of a published page. Reads only. `writes`: what is being written over them. */
export async function findStowaways(
  run: RunContext,
  id: string,
  page: KnownPage,
  writes: PassWrites,
  fields = () => readFields(run, id),
  handed?: PageLook,
): Promise<Stowaways> {
  const footprint = footprintIn(page.notes, id);
  if (footprint === undefined) return { edits: await editedByDates(run, id, page), look: undefined, own: writes };
  const found = await compare({ run, id, page, fields, handed }, footprint, writes);
  const named = found.edits.filter(({ kind }) => kind === "field");
  // The tree is as it was published, under other ids.
  if (named.length < found.edits.length && footprint.whole === wholeMark(id, found.look)) {
    const { nodes, styles } = marksOf(id, found.look);
    return { ...found, edits: named, footprint: { ...footprint, nodes, styles } };
  }
  const isAsked = found.edits.length > 0 && !run.putAside.has(id);
  const isPublic = isAsked && (await publishedByOthers(run, id, footprint, page.answer));
  // All of it is what the page last published.
  if (isPublic) return { ...found, edits: [], footprint: { ...footprint, ...marksOf(id, found.look) } };
  return { ...found, footprint };
}

interface Compared extends Stowaways {
  readonly look: PageLook;
}

interface Looked {
  readonly run: RunContext;
  readonly id: string;
  readonly page: KnownPage;
  readonly fields: () => Promise<PageFields>;
  /** The tree, where it was read just now. */
  readonly handed: PageLook | undefined;
}

/** One read, where that tells that nothing moved; another one for the names of what did. */
async function compare(
  { run, id, page, fields, handed }: Looked,
  footprint: Footprint,
  writes: PassWrites,
): Promise<Compared> {
  const written = footprint.unsure ? withDeclared(writes, page) : writes;
  const held = (look: PageLook): Compared => {
    const marked = withMarked(withSaid(withoutEdited(written, look), look), look, page.identity);
    const own = footprint.late ? withLate(marked, page, look, footprint.fields) : marked;
    const nodeIds = nodesOfOurs(own, footprint, look, page);
    const keys = writes === NO_WRITES ? declaredKeys(page) : writes.keys;
    const all = foreignEdits(footprint, look, { ...own, nodeIds });
    const others = withoutWritten(all, footprint.nodes, look, writtenBy(own, page, look));
    const moved = withOwnTexts(others, footprint.nodes, look, written);
    const edits = withReplacedTexts(moved, look, { keys, fieldsInTree: footprint.fieldsInTree });
    return { look, own, edits: edits.filter((edit) => !isWrittenOver(edit)), writtenOver: edits.filter(isWrittenOver) };
  };
  const tree = (): Promise<PageLook> => (handed ? Promise.resolve(handed) : lookAtTree(run, id));
  if (!footprint.fieldsInTree || footprint.nodes.someAny) return held(await lookAtPage(run, id, fields, tree));
  const byTree = held(await tree());
  return byTree.edits.length === 0 && byTree.look.nodes.size > 0 ? byTree : held(await lookAtPage(run, id, fields));
}

function declaredKeys({ declared }: KnownPage): string[] {
  const content = declared.get("content");
  return isMap(content) ? Object.keys(content) : [];
}

/** What would go along if this change were applied now, or be written over; without one, what waits. */
export async function pageStowaways(
  run: RunContext,
  id: string,
  object: ObjectState,
  change?: PlannedWrites,
): Promise<readonly ForeignEdit[]> {
  // What its release has published since, its own state doesn't tell.
  if (object.recorded && object.answer["status"] !== "published" && !object.answer[DRAFT]) return [];
  if (change && (!isMap(change.inputs["publish"]) || onlyTheWord(change.changed))) return [];
  const own = change ? writesOf({ ...change, now: change.inputs, object }) : NO_WRITES;
  const { edits, writtenOver = [] } = await findStowaways(run, id, object, own);
  return [...edits, ...writtenOver];
}

/** What a publication of the page does about these edits; undefined where there is none. */
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

/** What to do about edits of others is no change of the page. */
export function onlyTheWord(changed: ReadonlySet<string>): boolean {
  return [...changed].every((field) => field === "onForeignEdits");
}
