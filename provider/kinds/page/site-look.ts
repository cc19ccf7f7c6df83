/** What else is public on a site, for pages that no list showed at their end; those that wait for it together share it. */
import { ApiError } from "../../api/index.ts";
import type { Page } from "../../api/records.ts";
import type { RunContext } from "../../reconcile/run-context.ts";

interface Looks {
  /** Ends once the look that is under way has. */
  last: Promise<unknown>;
  /** Has not begun. */
  next: Promise<readonly Page[]> | undefined;
}

const ofRuns = new WeakMap<RunContext, Map<string, Looks>>();

/** As it is from now on: a look that has begun may be older than what the caller did. */
export function publicOn(run: RunContext, siteId: string): Promise<readonly Page[]> {
  const sites = ofRuns.get(run) ?? new Map<string, Looks>();
  ofRuns.set(run, sites);
  const looks: Looks = sites.get(siteId) ?? { last: Promise.resolve(), next: undefined };
  sites.set(siteId, looks);
  looks.next ??= looks.last.then(() => {
    looks.next = undefined;
    const look = list(run, siteId);
    looks.last = look;
    return look;
  });
  return looks.next;
}

/** What can't be asked is told by nobody; the page is public all the same. */
async function list({ api }: RunContext, siteId: string): Promise<readonly Page[]> {
  try {
    return await api.pages.list({ site_id: siteId, published: true, limit: 100 });
  } catch (error) {
    if (error instanceof ApiError) return [];
    throw error;
  }
}
