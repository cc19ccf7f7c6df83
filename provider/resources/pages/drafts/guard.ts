/**
 * No stowaways: a publication ships the whole page, so before one it is looked whether the draft holds edits that are not
 * ours, and afterwards what else went with it. This is all that a publication has to ask.
 */
import {
  editsDigest,
  type ForeignEdit,
  type ForeignEditsNotice,
  type ForeignEditsWord,
} from "../../../foreign-edits.ts";
import type { Page } from "../../../api/records.ts";
import type { Apply, PlannedWrites } from "../../../define.ts";
import { isMap } from "../../../json.ts";
import type { ObjectState } from "../../../lifecycle/object-state.ts";
import { orGone, type RunContext } from "../../../lifecycle/run-context.ts";
import { learnContent } from "../content.ts";
import type { PageLife } from "../life.ts";
import { DRAFT } from "../release-draft-name.ts";
import { editedByComparison, editedSincePublished } from "./dates.ts";
import { footprintIn, marksOf, withFootprint, type Footprint } from "./footprint.ts";
import { foreignEdits } from "./foreign-edits.ts";
import { accountFor } from "./account-for.ts";
import { NO_WRITES, withDeclared, withMarked, writesOf, type PassWrites } from "./own-writes.ts";
import { lookAtPage, lookAtTree, type PageLook } from "./page-look.ts";

export interface Stowaways {
  readonly edits: readonly ForeignEdit[];
  readonly look: PageLook | undefined;
  readonly own: PassWrites;
  /** What the next look is held against. */
  readonly footprint?: Footprint | undefined;
}

/** Edits of others in the draft of a published page. Reads only. `own`: what is being written over them. */
export async function findStowaways(
  run: RunContext,
  id: string,
  object: ObjectState,
  writes: PassWrites,
): Promise<Stowaways> {
  let own = writes;
  const footprint = footprintIn(object.notes, id);
  if (footprint === undefined) return { edits: await editedByDates(run, id, object), look: undefined, own };
  const treeTells = footprint.fieldsInTree && !footprint.nodes.someAny;
  let look: PageLook = treeTells ? await lookAtTree(run, id) : await lookAtPage(run, id);
  own = withMarked(own, look, object.identity);
  let edits = foreignEdits(footprint, look, own);
  if ((edits.length > 0 || look.nodes.size === 0) && look.fields === undefined) {
    look = await lookAtPage(run, id);
    own = withMarked(own, look, object.identity);
    edits = foreignEdits(footprint, look, own);
  }
  const ours = footprint.at ?? object.answer["publishedAt"];
  const isPublic = edits.length > 0 && !run.putAside.has(id) && (await publishedByOthers(run, id, ours));
  // All of it is what the page last published.
  if (isPublic) return { edits: [], look, own, footprint: { ...footprint, ...marksOf(id, look) } };
  return { edits, look, own, footprint };
}

/** Somebody published the page since, and nothing was edited after that: all of it is public. */
async function publishedByOthers(run: RunContext, id: string, ours: unknown): Promise<boolean> {
  const record = await orGone(run.api.pages.read(id));
  if (!record || typeof ours !== "string" || record.published_at === null) return false;
  if (Date.parse(record.published_at) === Date.parse(ours)) return false;
  return !(await isEdited(run, record));
}

/** Without a record of ours (a page taken over, an older state) dates decide. */
async function editedByDates(run: RunContext, id: string, { answer, recorded }: ObjectState): Promise<ForeignEdit[]> {
  const record = await orGone(run.api.pages.read(id));
  if (record?.status !== "published") return [];
  const { updated_at, published_at } = record;
  const unmoved = updated_at !== null && answer["updatedAt"] === updated_at && answer["publishedAt"] === published_at;
  const settled = recorded && unmoved && answer["hasUnpublishedChanges"] === false;
  if (settled || !(await isEdited(run, record))) return [];
  return [{ kind: "unnamed", editedAt: updated_at ?? "", publishedAt: published_at ?? "" }];
}

export async function isEdited(run: RunContext, record: Page): Promise<boolean> {
  const told = editedSincePublished(record);
  if (told !== undefined) return told;
  return editedByComparison(record, await run.api.pages.list({ published: true, limit: 100 }));
}

/** What would go along if this change were applied now; without one, what waits. */
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
  return (await findStowaways(run, id, object, own)).edits;
}

/** What to do about edits of others is no change of the page. */
export function onlyTheWord(changed: ReadonlySet<string>): boolean {
  return [...changed].every((field) => field === "onForeignEdits");
}

/** Goes with one pass over a page that is to be published at its end. */
export class PublishGuard {
  readonly #pass: Apply<PageLife>;
  readonly #own: PassWrites;
  readonly #footprint: Footprint | undefined;
  readonly #found: Stowaways;

  private constructor(pass: Apply<PageLife>, found: Stowaways) {
    this.#pass = pass;
    this.#own = found.own;
    this.#found = found;
    this.#footprint = found.footprint ?? footprintIn(pass.object.notes, pass.id);
  }

  /** Before the first write: what is there then is not this pass's. */
  static async open(pass: Apply<PageLife>): Promise<PublishGuard> {
    const { run, id, object } = pass;
    const own = writesOf(pass);
    if (object.answer["status"] !== "published") return new PublishGuard(pass, { edits: [], look: undefined, own });
    const unsure = footprintIn(object.notes, id)?.unsure === true;
    const found = await findStowaways(run, id, object, unsure ? withDeclared(own, pass) : own);
    const guard = new PublishGuard(pass, found);
    if (guard.#word() === "hold") run.heldBack.add(id);
    return guard;
  }

  /** Says so, too. */
  holds(): boolean {
    const { run, id } = this.#pass;
    const { edits } = this.#found;
    if (edits.length === 0) return false;
    const isHeld = run.heldBack.has(id);
    this.#tell(isHeld ? "held-back" : "included", edits);
    return isHeld;
  }

  #word(): ForeignEditsWord | undefined {
    const { run, id, now } = this.#pass;
    const { edits } = this.#found;
    if (edits.length === 0) return undefined;
    // Another page took its address, for which it had to be published elsewhere: they are public already.
    if (run.putAside.has(id)) return "include";
    const { option, stack, reviewed } = run.settings.foreignEdits ?? {};
    return option ?? now.onForeignEdits ?? stack ?? (reviewed?.[id] === editsDigest(edits) ? "include" : "hold");
  }

  /** The look afterwards: what is declared as the service shows it now, and what the next look is held against. */
  async account(published: boolean): Promise<void> {
    const { run, id, object } = this.#pass;
    const { map, ...after } = await lookAtPage(run, id);
    await learnContent(this.#pass, this.#sentKeys, map);
    const before = this.#found.look && { ...this.#found.look, edits: this.#found.edits };
    const footprint = this.#footprint;
    const accounted = accountFor({ id, published, before, after, own: this.#own, footprint });
    if (published || !this.#edited) object.notes = withFootprint(object.notes, accounted.footprint);
    if (accounted.slipped.length > 0) this.#tell("slipped-in", accounted.slipped);
  }

  #tell(outcome: ForeignEditsNotice["outcome"], edits: readonly ForeignEdit[]): void {
    const { run, id, now } = this.#pass;
    run.warn({ code: "foreign-edits", kind: "page", id, name: now.name, outcome, edits });
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
    await this.account(false).catch(() => {
      if (footprint) object.notes = withFootprint(object.notes, { ...footprint, unsure: true });
    });
  }
}
