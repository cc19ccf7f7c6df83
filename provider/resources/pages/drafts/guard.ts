/**
 * No stowaways: a publication ships the whole page, so before one it is looked whether the draft holds edits that are not
 * ours, and afterwards what else went with it. This is all that a publication has to ask.
 */
import {
  editsDigest,
  isWrittenOver,
  type ForeignEdit,
  type ForeignEditsNotice,
  type ForeignEditsWord,
} from "../../../foreign-edits.ts";
import type { Apply, PlannedWrites } from "../../../define.ts";
import { isMap } from "../../../json.ts";
import type { ObjectState } from "../../../lifecycle/object-state.ts";
import { isInRecordAlone, noteCreation } from "../../../lifecycle/creation-notes.ts";
import type { RunContext } from "../../../lifecycle/run-context.ts";
import { learnContent } from "../content.ts";
import type { PageLife } from "../life.ts";
import { onceOurs, strangeTexts } from "../edited-meanwhile.ts";
import { countAsUnsent, onceTextsMoved } from "../unmoved-texts.ts";
import { fieldsKnown, fieldsMove, fieldsNow, readFields, type PageFields } from "../page-fields.ts";
import { DRAFT } from "../release-draft-name.ts";
import { withOwnTexts, withoutWritten } from "./draft-texts.ts";
import { editedByDates, publishedByOthers } from "./by-dates.ts";
import { footprintIn, marksOf, wholeMark, withFootprint, type Footprint } from "./footprint.ts";
import { foreignEdits, withReplacedTexts } from "./foreign-edits.ts";
import { accountFor, type Accounted } from "./account-for.ts";
import {
  keysSaid,
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
import { handedTree, lookAtPage, lookAtTree, type PageLook } from "./page-look.ts";

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

/** Goes with one pass over a page that is to be published at its end. */
export class PublishGuard {
  readonly #pass: Apply<PageLife>;
  #own: PassWrites;
  readonly #footprint: Footprint | undefined;
  readonly #found: Stowaways;
  /** Of a page that no state has, right before it goes public for the first time. */
  #going: Awaited<ReturnType<typeof lookAtPage>> | undefined;

  private constructor(pass: Apply<PageLife>, found: Stowaways) {
    this.#pass = pass;
    this.#own = found.own;
    this.#found = found;
    this.#footprint = found.footprint ?? footprintIn(pass.object.notes, pass.id);
  }

  /** Before the first write: what is there then is not this pass's. `answer`: what was known of the page before the pass. */
  static async open(pass: Apply<PageLife>, answer = pass.object.answer): Promise<PublishGuard> {
    const { run, id, object } = pass;
    const { edited, notes, declared, recorded, identity } = object;
    const own = writesOf(pass);
    if (object.answer["status"] !== "published") return new PublishGuard(pass, { edits: [], look: undefined, own });
    run.looked.add(id);
    const fields = () => fieldsNow(pass);
    const handed = handedTree(object);
    const found = await findStowaways(
      run,
      id,
      { answer, edited, notes, declared, recorded, identity },
      own,
      fields,
      handed,
    );
    // Where dates decided, what slips in later is told by what is there now.
    const look = found.look ?? (await lookAtPage(run, id, fields, async () => handed ?? (await lookAtTree(run, id))));
    const guard = new PublishGuard(pass, { ...found, look });
    if (guard.#word() === "hold") run.heldBack.add(id);
    return guard;
  }

  /** Says so, too. */
  holds(): boolean {
    const { run, id } = this.#pass;
    const { edits } = this.#found;
    const isHeld = edits.length > 0 && run.heldBack.has(id);
    if (isHeld) this.#tell("held-back", edits);
    return isHeld;
  }

  /** Once nothing is left that could refuse the publication. */
  tellIncluded(): void {
    const { edits } = this.#found;
    if (edits.length > 0) this.#tell("included", edits);
  }

  /** Placeholders were replaced wherever they stood, which no change of the pass had named. */
  replacedAll(): void {
    this.#own = { ...this.#own, variables: this.#pass.now.variables ?? {}, broad: true };
  }

  /**
   * Of a page that is in no state yet, what goes out is noted before it does: a run that is killed then leaves to the next one
   * what that draft is held against. What came since the look before is not ours, and stays out of the note.
   */
  async noteGoingPublic(): Promise<void> {
    const { run, id, object } = this.#pass;
    if (!isInRecordAlone(run, object)) return;
    const going = await lookAtPage(run, id, () => fieldsNow(this.#pass));
    if (this.#found.look === undefined) this.#going = going;
    const { footprint, slipped } = this.#accounted(true, going);
    if (slipped.length === 0) await noteCreation(run, object, withFootprint({}, footprint));
  }

  #word(): ForeignEditsWord | undefined {
    const { run, id, now } = this.#pass;
    return wordFor(run, id, this.#found.edits, now.onForeignEdits);
  }

  /** The look afterwards: what is declared as the service shows it now, and what the next look is held against. */
  async account(published: boolean, { afterError = false } = {}): Promise<void> {
    const { object } = this.#pass;
    const after = await this.#lookAfterwards(published, afterError);
    const accounted = this.#accounted(published, after);
    if (published || !this.#edited) object.notes = withFootprint(object.notes, accounted.footprint);
    if (accounted.slipped.length > 0) this.#tell("slipped-in", accounted.slipped);
  }

  #accounted(published: boolean, after: PageLook): Accounted {
    const before = this.#found.look && { ...this.#found.look, edits: this.#found.edits };
    return accountFor({
      id: this.#pass.id,
      published,
      before,
      after,
      own: this.#own,
      footprint: this.#footprint,
    });
  }

  /**
   * Where no text was sent and the tree told all before, it tells all again. Of a page that goes public for the first time, what
   * was looked at before is what went out with it: nothing else of it was public, and what comes in between, the next look finds.
   */
  async #lookAfterwards(published: boolean, afterError: boolean): Promise<PageLook> {
    const { run, id, changed, removed, object } = this.#pass;
    // What goes public after all was sent by a pass that failed, whose look may have shown what was public then.
    const goesOn = published && this.#footprint !== undefined && changed.has("publish");
    const sendsTexts = goesOn || ["content", "variables"].some((field) => changed.has(field) || removed.has(field));
    const { look, edits } = this.#found;
    const treeTold = look !== undefined && look.fields === undefined && edits.length === 0;
    if (treeTold && !sendsTexts && this.#footprint?.unsure !== true) {
      const after = await lookAtTree(run, id);
      if (foreignEdits(marksOf(id, look), after, this.#own).length === 0) return after;
    }
    const first = published && look === undefined ? fieldsKnown(object) : undefined;
    if (!first) fieldsMove(object);
    const { map, ...after } =
      (published ? this.#going : undefined) ?? (await lookAtPage(run, id, () => first ?? fieldsNow(this.#pass)));
    const sent = this.#sentKeys;
    const moved = published ? await onceTextsMoved(this.#pass, sent, map) : map;
    const ours = afterError ? moved : await onceOurs(this.#pass, moved, published);
    const strange = afterError ? Object.keys(strangeTexts(this.#pass, ours)) : [];
    const again = goesOn ? keysSaid(this.#own, ours.fields) : [];
    const learned = [...sent, ...again].filter((key) => !strange.includes(key));
    await learnContent(this.#pass, learned, ours);
    if (strange.length > 0) countAsUnsent(object, strange);
    return ours === moved ? after : lookAtPage(run, id, () => Promise.resolve(ours));
  }

  #tell(outcome: ForeignEditsNotice["outcome"], edits: readonly ForeignEdit[]): void {
    const { run, id, now } = this.#pass;
    run.warnOnce({ code: "foreign-edits", kind: "page", id, name: now.name, outcome, edits });
  }

  /** Edits of others are in the draft, and nobody knows which: as long as it isn't published, dates go on to decide. */
  get #edited(): boolean {
    return this.#footprint === undefined && this.#found.edits.length > 0;
  }

  /** Of what an earlier pass sent before an error ended it, nothing was learned. */
  get #sentKeys(): string[] {
    const { content = {} } = this.#pass.now;
    return this.#footprint?.unsure === true ? Object.keys(content) : [...this.#own.keys];
  }

  /** An error has ended the pass: what it wrote already is not taken for somebody else's by the next one. */
  async accountAfterError(): Promise<void> {
    const { object } = this.#pass;
    const footprint = this.#footprint;
    if (!object.wrote) return;
    await this.account(false, { afterError: true }).catch(() => {
      if (footprint) object.notes = withFootprint(object.notes, { ...footprint, unsure: true });
    });
  }
}
