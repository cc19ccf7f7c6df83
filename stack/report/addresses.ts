/** Tells the addresses that the account has by now: of pages that are taken over, and of those that somebody has moved in the app. Pure. */
import type { PropertyMap } from "../../engine/index.ts";
import { normalSlug, rootIn } from "../../provider/values/addresses.ts";
import { text } from "../../provider/values/json.ts";
import type { Change, Impact } from "./model.ts";
import { urlOf } from "./steps.ts";

export interface AdoptedPage {
  readonly name: string;
  /** The present public place. */
  readonly live?: LivePlace;
  /** The ids that the declared site may have: several if that isn't known yet, undefined for a site that is made. */
  readonly sites: readonly (string | undefined)[];
  readonly slug: string;
}

interface LivePlace {
  readonly siteId: string;
  readonly slug: string;
  readonly url: string;
}

type Urls = Impact["urls"];

/** Returns the addresses that pages leave and to which no other page comes. */
export function lostAddresses(urls: Urls = []): Set<string> {
  const taken = new Set(urls.flatMap(({ url, effect }) => (effect === "delete" ? [] : [url])));
  return new Set(urls.flatMap(({ url, effect }) => (effect === "delete" && !taken.has(url) ? [url] : [])));
}

/** A page of the plan, and where visitors find it; undefined if somebody has deleted it. */
export interface FoundPage {
  readonly change: Change;
  readonly now: string | undefined;
}

/** A page of the plan that somebody has moved in the app, or published there. */
export interface MovedPage extends FoundPage {
  readonly now: string;
}

/** Returns the rows and addresses of a plan with the pages where visitors find them. */
export function withMoved(
  { changes, urls }: { readonly changes: readonly Change[]; readonly urls: Urls },
  moved: readonly FoundPage[],
): { changes: Change[]; urls: Urls } {
  const told = urls.flatMap((one) => {
    const { page: name, url } = one;
    const found = moved.find(({ change }) => change.name === name && change.url === url);
    if (found === undefined) return [one];
    const left = found.now === undefined ? [] : [{ ...one, url: found.now }];
    if (one.effect !== "replace") return left;
    // The new page comes to the address of the code.
    return [...left.map((there) => ({ ...there, effect: "delete" as const })), { ...one, effect: "create" as const }];
  });
  const unknown = moved.flatMap(({ change, now: url }) =>
    change.url === undefined && url !== undefined ? [{ url, effect: "delete" as const, page: change.name }] : [],
  );
  const placed = changes.map((change) => {
    const to = moved.find((one) => one.change.urn === change.urn);
    return to === undefined ? change : { ...change, url: to.now };
  });
  return { changes: placed, urls: [...told, ...unknown] };
}

/** Reads the public place from the account's answer. Returns undefined if the page isn't public. */
export function placeOf(answer: PropertyMap): LivePlace | undefined {
  const { siteId, slug } = answer;
  const url = urlOf(answer);
  if (url === undefined || typeof siteId !== "string") return undefined;
  return { siteId, url, slug: text(slug) };
}

/** `taken`: in the order of their entries. An address that the plan brings back doesn't go. */
export function withAdopted(urls: Urls, taken: readonly AdoptedPage[]): Urls {
  const left = [...taken];
  const matched = urls.map((entry): Matched => {
    const { effect, page: ours } = entry;
    const index = effect === "adopt" ? left.findIndex(({ name }) => name === ours) : -1;
    return { entry, adopts: left.splice(index, index === -1 ? 0 : 1)[0] };
  });
  const roots = rootsOf(matched);
  const told = matched.map(({ entry, adopts }) => {
    const here = { ...entry, url: onKnownRoot(entry.url, roots) };
    return adopts ? adopted(here, adopts) : { gone: [], here };
  });
  const kept = new Set(told.flatMap(({ here }) => (here.effect === "delete" ? [] : keyOf(here.url))));
  return told.flatMap(({ gone, here }) => [...gone.filter(({ url }) => !kept.has(keyOf(url))), here]);
}

interface Matched {
  readonly entry: Urls[number];
  readonly adopts: AdoptedPage | undefined;
}

function adopted(entry: Urls[number], { live, sites, slug }: AdoptedPage): { gone: Urls; here: Urls[number] } {
  if (live === undefined) return { gone: [], here: { ...entry, effect: "create" } };
  const isSamePath = normalSlug(slug) === normalSlug(live.slug);
  const mayStay = isSamePath && (sites.length === 0 || sites.includes(live.siteId));
  if (mayStay) return { gone: [], here: sites.length === 1 ? { ...entry, url: live.url } : entry };
  return { gone: [{ ...entry, url: live.url, effect: "delete" }], here: { ...entry, effect: "create" } };
}

/** Maps the predicted address of a site to the address that its public pages show. */
function rootsOf(matched: readonly Matched[]): Map<string, string> {
  const all = matched.flatMap(({ entry, adopts }) => (adopts ? [{ ...adopts, predicted: entry.url }] : []));
  const shown = new Map(
    all.flatMap(({ live }) => {
      const root = live && rootIn(live.url, live.slug);
      return live === undefined || root === undefined ? [] : [[live.siteId, root] as const];
    }),
  );
  return new Map(
    all.flatMap(({ sites: [site, ...others], slug, predicted }) => {
      const root = site === undefined || others.length > 0 ? undefined : shown.get(site);
      const before = rootIn(predicted, slug);
      return root === undefined || before === undefined ? [] : [[before, root] as const];
    }),
  );
}

function onKnownRoot(url: string, roots: ReadonlyMap<string, string>): string {
  const found = [...roots].find(([predicted, root]) => url.startsWith(predicted) && !url.startsWith(root));
  return found ? found[1] + url.slice(found[0].length) : url;
}

function keyOf(url: string): string {
  return url.toLowerCase().replace(/\/+$/, "");
}
