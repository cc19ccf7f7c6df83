/** The path that a published page has on its site. No two pages can have the same one. */
import { landform } from "../../../values/command-line.ts";
import { isShownAt, Misplaced, misplacedIn } from "../../../account/page-answers.ts";
import { orGone } from "../../../account/presence.ts";
import { ApiError } from "../../../api/index.ts";
import type { Page, PagePublished } from "../../../api/records.ts";
import type { Apply } from "../../../definition/define.ts";
import { pageKey } from "../document/collection.ts";
import { orElse } from "../document/document.ts";
import { keepingItThere } from "../edits/guard.ts";
import { type Aside, asideSlug, holds, isSamePlace, PageRun, type Place } from "../document/places.ts";
import { ApplyError } from "../../../messages/errors.ts";
import { INCLUDE } from "../../../messages/foreign-edits.ts";
import { resourceKeyIn } from "../../../ledger/identity.ts";
import type { RunContext } from "../../../reconcile/run-context.ts";
import { normalSlug } from "../../../values/addresses.ts";
import { reasonOf } from "../../../values/wording.ts";

interface PutAside {
  readonly id: string;
  readonly name: string;
  readonly from: Place;
  readonly to: string;
}

/** Another page has the path, and it is none that this run is known to move or to delete. */
export class PathHeld extends ApplyError {
  readonly holder: Page;

  constructor(holder: Page, place: Place, cause: unknown) {
    super(takenText(holder, place, cause), { cause });
    this.holder = holder;
  }
}

export interface Before {
  readonly from: Place | undefined;
  readonly replacedId: string | undefined;
  /** The page that a killed run made to replace this one, by the ledger: no state has it. */
  readonly halfMade?: string | undefined;
  /** The identity of the resource for which the run publishes it. */
  readonly owner: string | undefined;
}

/**
 * Publishes a page where another page may still be: a page that is being replaced, or one of this stack that moves elsewhere or is deleted
 * in this run. The API can't unpublish, so the run publishes the other page aside when the new one is ready, and each address is down for
 * no longer than one call. If the publication fails, the run puts the other page back. A service that puts the page beside the other one
 * has refused it in its own way.
 */
export async function publishAt(run: RunContext, id: string, place: Place, before: Before): Promise<PagePublished> {
  const { from, replacedId, halfMade, owner } = before;
  const { siteId, slug } = place;
  const publish = async (): Promise<PagePublished> => {
    const result = await run.inTurn(id, () => run.api.pages.publish({ page_id: id, site_id: siteId, slug }));
    run.part(PageRun).endWork(id);
    if (from && !isSamePlace(from, place)) run.part(PageRun).vacate(from);
    return run.account.documents.placed(id, place, result, from?.slug);
  };
  const replaced = replacedId === undefined ? undefined : await putAside(run, replacedId, place, "replaced");
  try {
    return await publish();
  } catch (error) {
    if (replaced) return putBack(run, replaced, error, owner);
    const holder = await holderOf(run, error, id, place);
    // The page that had it may have left since the service looked.
    if (!holder && run.part(PageRun).isVacated(place)) return publish();
    if (!holder) throw error;
    if (holder.id !== halfMade && !(await isOurs(run, holder.id))) throw new PathHeld(holder, place, error);
    await expectToFollow(run, owner);
    const aside = await putAside(run, holder.id, place, "moving");
    return publish().catch((again: unknown) =>
      aside ? putBack(run, aside, again, owner) : Promise.reject(again as Error),
    );
  }
}

/** Puts the page aside; undefined if it is not there any more, or never was. */
async function putAside(run: RunContext, id: string, from: Place, why: Aside): Promise<PutAside | undefined> {
  return run.inTurn(id, async () => {
    const page = await orGone(run.api.pages.read(id));
    if (!page || !holds(page, from)) return undefined;
    await refuseToShow(run, page, from);
    run.putAside.add(id);
    const to = asideSlug(id, from, why);
    await run.api.pages.publish({ page_id: id, site_id: from.siteId, slug: to });
    run.part(PageRun).vacate(from);
    return { id, name: page.page_name, from: { ...from, slug: page.slug ?? "" }, to };
  });
}

/** Refuses to put a page aside if that would publish edits in its draft. */
async function refuseToShow(run: RunContext, page: Page, place: Place): Promise<void> {
  const { id, page_name: name, updated_at: editedAt } = page;
  // The run comes to a page that it deletes only at its end. The plan has the page's state.
  const isDecided = run.looked.has(id) || (editedAt !== null && run.settings.makesWay?.[id] === editedAt);
  const edits = isDecided ? [] : await keepingItThere(run, id);
  // The page's own pass may have looked meanwhile, and written since: the text that is there now may be its own.
  if (edits.length > 0 && !run.looked.has(id)) {
    run.heldBack.add(id);
    run.warnOnce({ code: "foreign-edits", kind: "page", id, name, outcome: "held-back", edits });
  }
  run.looked.add(id);
  if (run.heldBack.has(id)) throw keptByHeld(page, place);
}

/** Puts the page back, and ends with the error that made it necessary. */
async function putBack(run: RunContext, aside: PutAside, cause: unknown, owner?: string): Promise<never> {
  const { id, name, from, to } = aside;
  try {
    const { siteId, slug } = from;
    const back = await run.inTurn(id, () => run.api.pages.publish({ page_id: id, site_id: siteId, slug }));
    if (!isShownAt(slug, back)) throw new Misplaced(id, siteId, slug, back);
  } catch (error) {
    const unmarked = owner === undefined ? undefined : await markAside(run, owner);
    const [why, whyNot] = [cause, error].map(reasonOf);
    throw new ApplyError(
      `publish: ${why ?? ""} Page ${id} ("${name}"), which had /${normalSlug(from.slug)} of site ${from.siteId} before, ` +
        `could not be put back (${whyNot ?? ""}): it is at /${to}, and /${normalSlug(from.slug)} shows nothing. ` +
        `Run again, or publish it there in the app.${unmarked === undefined ? "" : ` ${unmarked}`}`,
      { cause },
    );
  }
  throw cause;
}

/**
 * A page that makes way may fail later, and then only a look tells where it is. A run that saves its state at the end has a word of its own in
 * the ledger, which says more.
 */
async function expectToFollow({ settings: { ledger, savesAtEnd } }: RunContext, owner?: string): Promise<void> {
  if (owner !== undefined && savesAtEnd !== true) await ledger.markAside(resourceKeyIn(owner));
}

/** Sees to it that the next run looks at everything first. Returns the reason if the ledger can't be written. */
async function markAside(run: RunContext, owner: string): Promise<string | undefined> {
  try {
    await run.settings.ledger.markAside(resourceKeyIn(owner));
    return undefined;
  } catch (error) {
    return `Use --refresh then, because the ledger could not be written: ${reasonOf(error)}`;
  }
}

/** A page that the run has not come to yet may follow. */
async function isOurs(run: RunContext, id: string): Promise<boolean> {
  return (await run.comesTo(() => run.settings.ours?.has(pageKey(id)) === true || undefined, LONGEST_MS)) === true;
}

const LONGEST_MS = 5_000;

/** Returns the page that has the path, if that is why a publication was refused. Lists may show pages that have left it, or are gone. */
async function holderOf(run: RunContext, error: unknown, id: string, place: Place): Promise<Page | undefined> {
  const isRefused = error instanceof ApiError && error.outcome === "refused";
  return isRefused || misplacedIn(error) ? orElse(listedAt(run, id, place), undefined) : undefined;
}

async function listedAt(run: RunContext, id: string, place: Place): Promise<Page | undefined> {
  for await (const row of run.api.pages.iterate({ site_id: place.siteId })) {
    const found = row.id !== id && holds(row, place) ? await holderNow(run, row.id, place) : undefined;
    if (found) return found;
  }
  return undefined;
}

export async function holderNow({ api }: RunContext, id: string, place: Place): Promise<Page | undefined> {
  const page = await orGone(api.pages.read(id));
  return page && holds(page, place) ? page : undefined;
}

function takenText(holder: Page, { siteId, slug }: Place, error: unknown): string {
  const brief = error instanceof ApiError || error instanceof Misplaced ? ` (${error.brief})` : "";
  return (
    `publish: page ${holder.id} ("${holder.page_name}") has the path /${normalSlug(slug)} of site ${siteId} already${brief}. ` +
    `If it is the page that this resource was before (its logical name changed, or the state lost it), nothing needs to be ` +
    `made anew: give the resource the option aliases: [{ name: "the old name" }], or adoptId: "${holder.id}". Otherwise ` +
    `choose another slug, or delete that page.`
  );
}

function keptByHeld(holder: Page, { siteId, slug }: Place): ApplyError {
  return new ApplyError(
    `publish: page ${holder.id} ("${holder.page_name}") keeps the path /${normalSlug(slug)} of site ${siteId}, because its ` +
      `draft holds somebody's unpublished edits. To make way, it would have to be published elsewhere with them. ` +
      `Publish or undo those edits in the builder, or say ${INCLUDE}, and run again.`,
  );
}

/**
 * Under plain `pulumi up` nobody knows which objects of the stack the run is about to delete, and the engine deletes last: another page that
 * has the path may be anybody's.
 */
export function refusedPath({ run, id }: Apply<unknown>, held: PathHeld): ApplyError {
  if (run.settings.knowsStack) return held;
  run.part(PageRun).endAwaiting(id);
  const advice =
    `Is that page in this stack, and does it move in the same run? Then use "${landform("up")}", which exchanges the paths; "pulumi up" can't ` +
    `if one page refers to the other. Does the program no longer declare that page? Then use "${landform("up")}", which lets it make way. "pulumi up" deletes ` +
    `last: delete the page by an up without the new one, and declare the new one after that.`;
  return new ApplyError(`${held.message} ${advice}`, { cause: held });
}
