/**
 * No stowaways: a publication ships the whole page, so before one it is looked whether the draft holds edits that are not
 * ours, and afterwards what else went with it. This is all that a publication has to ask.
 */
import type { ForeignEdit, ForeignEditsNotice, ForeignEditsWord } from "../../../messages/foreign-edits.ts";
import type { Apply } from "../../../definition/define.ts";
import { isInLedgerAlone, noteCreation } from "../../../reconcile/creation-notes.ts";
import { learnContent } from "../content.ts";
import type { PageLife } from "../declared.ts";
import { onceOurs, strangeTexts } from "../edited-meanwhile.ts";
import { countAsUnsent, onceTextsMoved } from "../unmoved-texts.ts";
import { fieldsKnown, fieldsMove, fieldsNow } from "../page-fields.ts";
import { footprintIn, marksOf, withFootprint, type Footprint } from "./footprint.ts";
import { foreignEdits } from "./foreign-edits.ts";
import { accountFor, type Accounted } from "./account-for.ts";
import { keysSaid, writesOf, type PassWrites } from "./own-writes.ts";
import { handedTree, lookAtPage, lookAtTree, type PageLook } from "./page-look.ts";
import { findStowaways, wordFor, type Stowaways } from "./stowaways.ts";

/** Goes with one pass over a page that is to be published at its end. */
export class PublishGuard {
  readonly #pass: Apply<PageLife>;
  #own: PassWrites;
  readonly #footprint: Footprint | undefined;
  readonly #found: Stowaways;
  /** Of a page that no state has, right before it goes public for the first time. */
  #going: Awaited<ReturnType<typeof lookAtPage>> | undefined;
  #last: { readonly basis: readonly unknown[]; readonly accounted: Accounted } | undefined;

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
    if (!isInLedgerAlone(run, object)) return;
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

  /** Of one look once: what goes public for the first time is noted before, and accounted for after. */
  #accounted(published: boolean, after: PageLook): Accounted {
    const basis = [published, this.#own, after.nodes, after.fields];
    if (this.#last?.basis.every((part, index) => part === basis[index])) return this.#last.accounted;
    const accounted = this.#accountFor(published, after);
    this.#last = { basis, accounted };
    return accounted;
  }

  #accountFor(published: boolean, after: PageLook): Accounted {
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
