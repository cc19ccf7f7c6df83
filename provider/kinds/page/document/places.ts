/** The places where pages are, or are to be, public. The passes over the pages of one run share them (`run.part`). */
import { orGone } from "../../../account/presence.ts";
import type { Page } from "../../../api/records.ts";
import { answeredOnce, type PagePass } from "./document.ts";
import { digest } from "../../../ledger/identity.ts";
import { DeleteError } from "../../../messages/errors.ts";
import type { ObjectState } from "../../../reconcile/object-state.ts";
import type { RunContext } from "../../../reconcile/run-context.ts";
import { normalSlug } from "../../../values/addresses.ts";
import { type Json, type JsonMap, mapOf, text } from "../../../values/json.ts";

export interface Place {
  readonly siteId: string;
  readonly slug: string;
}

function placeKey({ siteId, slug }: Place): string {
  return `${siteId}/${normalSlug(slug)}`;
}

export function isSamePlace(a: Place, b: Place): boolean {
  return placeKey(a) === placeKey(b);
}

export function isAtItsPlace(object: Parameters<typeof placeOf>[0], publish: Json | undefined): boolean {
  const was = placeOf(object);
  const { siteId, slug = "" } = mapOf(publish);
  const isPlace = typeof siteId === "string" && typeof slug === "string";
  return was !== undefined && isPlace && isSamePlace(was, { siteId, slug });
}

export function placeOf({ answer: { status, siteId, slug } }: Pick<ObjectState, "answer">): Place | undefined {
  if (status !== "published" || typeof siteId !== "string") return undefined;
  return { siteId, slug: text(slug) };
}

export function placeOfRecord({ status, site_id, slug }: Pick<Page, "status" | "site_id" | "slug">): Place | undefined {
  return status === "published" && site_id !== null ? { siteId: site_id, slug: slug ?? "" } : undefined;
}

export function holds(page: Page, { siteId, slug }: Place): boolean {
  return page.status === "published" && page.site_id === siteId && normalSlug(page.slug) === normalSlug(slug);
}

const REASONS = ["moving", "replaced"] as const;
export type Aside = (typeof REASONS)[number];
const ASIDE = 6;

/** Returns the slug of an address that a run of ours gives a page on the way to another one. */
export function asideSlug(id: string, from: Place, why: Aside): string {
  return (normalSlug(from.slug) || "root") + asideEnd(id, why);
}

function asideEnd(id: string, why: Aside): string {
  return `-${why}-${digest(id, ASIDE)}`;
}

/** Tells if the place has such an address, at which a killed run leaves a page. */
export function isPassingPlace(id: string, live: Json | undefined): boolean {
  const { slug } = mapOf(live);
  return typeof slug === "string" && REASONS.some((why) => slug.endsWith(asideEnd(id, why)));
}

export type Dates = Pick<Page, "id" | "status" | "updated_at" | "published_at">;

interface Awaited {
  readonly name: string;
  readonly place: Place;
}

export class PageRun {
  readonly #run: RunContext;
  /** By the id of the page that is to be there. */
  readonly #awaited = new Map<string, Awaited>();
  readonly #vacated = new Set<string>();
  readonly #roots = new Map<string, Promise<string | undefined>>();
  /** Pages that this run has written and not published since, with their dates of before. */
  readonly #inWork = new Map<string, Dates | undefined>();
  /** Pages as the service showed them first. */
  readonly #shown = new Map<string, Dates>();
  /** Returns the account's published pages, to compare the dates of one with them. Pages that the run works on are as they were before. */
  readonly publishedPages = answeredOnce(() => this.#listDates());

  constructor(run: RunContext) {
    this.#run = run;
  }

  /** Notes the place that a page is to have. `from`: where the page is public now. */
  awaitPlace(id: string, { name, place }: Awaited, from: Place | undefined): void {
    if (from === undefined || !isSamePlace(from, place)) this.#awaited.set(id, { name, place });
  }

  /** Ends the wait: the page is public there, somebody has moved it, or the deletion of the other page will free the place. */
  endAwaiting(id: string): void {
    this.#awaited.delete(id);
  }

  get awaited(): ReadonlyMap<string, Awaited> {
    return this.#awaited;
  }

  vacate(place: Place): void {
    this.#vacated.add(placeKey(place));
  }

  isVacated(place: Place): boolean {
    return this.#vacated.has(placeKey(place));
  }

  rootOf(siteId: string, find: () => Promise<string | undefined>): Promise<string | undefined> {
    const root = this.#roots.get(siteId) ?? find();
    this.#roots.set(siteId, root);
    return root;
  }

  /** Notes that the run is about to write to this page, with its dates from before. */
  beginWork(id: string, { status, updatedAt, publishedAt }: JsonMap): void {
    if (this.#inWork.has(id)) return;
    const [updated_at, published_at] = [text(updatedAt), text(publishedAt)];
    const isKnown = status === "published" && updated_at !== "" && published_at !== "";
    this.#inWork.set(id, isKnown ? { id, status, updated_at, published_at } : undefined);
  }

  /** Notes that the run's writes to this page are public: its dates are the service's own again. */
  endWork(id: string): void {
    this.#inWork.delete(id);
    this.#shown.delete(id);
  }

  /** Notes the dates that the service shows of a page before the run writes to it. */
  noteDates(page: Dates): void {
    if (!this.#shown.has(page.id)) this.#shown.set(page.id, page);
  }

  async #listDates(): Promise<readonly Dates[]> {
    const own = new Map(this.#inWork);
    const rows = await this.#run.api.pages.list({ published: true, limit: 100 });
    for (const [id, dates] of this.#inWork) own.set(id, dates);
    const before = [...own].flatMap(([id, dates]) => this.#shown.get(id) ?? dates ?? []);
    return [...rows.filter(({ id }) => !own.has(id)), ...before];
  }
}

// Places that pages of a run are to have, and don't have yet. The old page stays there until the new page can take over, or visitors would
// find nothing: a page may be held back, or not be ready, and the page that it replaces goes last.

export function awaitPublication({ run, id, now: { name = id, publish }, object }: PagePass): void {
  if (publish) run.part(PageRun).awaitPlace(id, { name, place: { slug: "", ...publish } }, placeOf(object));
}

export async function refuseToLeaveEmpty(run: RunContext, id: string): Promise<void> {
  const awaited = [...run.part(PageRun).awaited].filter(([other]) => other !== id);
  const page = awaited.length === 0 ? undefined : await orGone(run.api.pages.read(id));
  for (const [successor, one] of page ? awaited : [])
    if (page && holds(page, one.place)) throw new DeleteError(keptText(page, successor, one));
}

function keptText(page: Page, id: string, { name, place }: Awaited): string {
  return (
    `page ${page.id} ("${page.page_name}") is not deleted yet. It keeps the path /${normalSlug(place.slug)} of site ${place.siteId} until ` +
    `page ${id} ("${name}") is public there, so that visitors find a page. ` +
    `The run that publishes the new page deletes the old one.`
  );
}
