/**
 * Dates of the account's published pages, to hold one page against where nothing but dates is known of it. What this run
 * writes moves them, too: a page it works on counts as it was before, where that is known, and as it is once published again.
 */
import type { JsonMap } from "../../../values/json.ts";
import type { RunContext } from "../../../reconcile/run-context.ts";
import type { Dates } from "./dates.ts";

class OtherPages {
  readonly #run: RunContext;
  /** Written by this run and not published since, with their dates of before. */
  readonly #inWork = new Map<string, Dates | undefined>();
  /** As the service showed them first. */
  readonly #shown = new Map<string, Dates>();
  #listed: Promise<readonly Dates[]> | undefined;
  #whileListing: Map<string, Dates | undefined> | undefined;

  constructor(run: RunContext) {
    this.#run = run;
  }

  begin(id: string, before: Dates | undefined): void {
    if (this.#inWork.has(id)) return;
    this.#inWork.set(id, before);
    this.#whileListing?.set(id, before);
  }

  published(id: string): void {
    this.#inWork.delete(id);
    this.#shown.delete(id);
  }

  show(page: Dates): void {
    if (!this.#shown.has(page.id)) this.#shown.set(page.id, page);
  }

  list(): Promise<readonly Dates[]> {
    const listed = this.#listed ?? this.#list();
    this.#listed = listed;
    listed.catch(() => (this.#listed = undefined));
    return listed;
  }

  async #list(): Promise<readonly Dates[]> {
    const own = new Map(this.#inWork);
    this.#whileListing = own;
    try {
      const rows = await this.#run.api.pages.list({ published: true, limit: 100 });
      const before = [...own].flatMap(([id, dates]) => this.#shown.get(id) ?? dates ?? []);
      return [...rows.filter(({ id }) => !own.has(id)), ...before];
    } finally {
      this.#whileListing = undefined;
    }
  }
}

const ofRuns = new WeakMap<RunContext, OtherPages>();

function othersOf(run: RunContext): OtherPages {
  const pages = ofRuns.get(run) ?? new OtherPages(run);
  ofRuns.set(run, pages);
  return pages;
}

/** The run is about to write to this page. `answer`: what was known of it before. */
export function beginWork(run: RunContext, id: string, { status, updatedAt, publishedAt }: JsonMap): void {
  const dates = [updatedAt, publishedAt].map((date) => (typeof date === "string" ? date : undefined));
  const [updated_at, published_at] = dates;
  const isKnown = status === "published" && updated_at !== undefined && published_at !== undefined;
  othersOf(run).begin(id, isKnown ? { id, status, updated_at, published_at } : undefined);
}

/** What the run wrote to this page is public: its dates are the service's own again. */
export function endWork(run: RunContext, id: string): void {
  othersOf(run).published(id);
}

/** What the service says of a page before the run writes to it. */
export function noteDates(run: RunContext, page: Dates): void {
  othersOf(run).show(page);
}

export function publishedPages(run: RunContext): Promise<readonly Dates[]> {
  return othersOf(run).list();
}
