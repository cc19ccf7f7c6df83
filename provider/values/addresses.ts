/** The addresses where an object was public before. The API has no redirects, so `redirects` makes them from these. */
import { isMap, type Json } from "./json.ts";

export interface FormerAddress {
  readonly url: string;
  /** The time when it was found to be public elsewhere, ISO-8601. */
  readonly until: string;
}

const MOST = 50;

export function publicAddress({ status, url }: Answer): string | undefined {
  return status === "published" && typeof url === "string" && url !== "" ? url : undefined;
}

/** Returns an address as visitors ask for it: the scheme and a slash at the end make no difference. */
export function addressKey(url: string): string {
  const { host, pathname } = URL.parse(url) ?? { host: "", pathname: url };
  return host + pathname.replace(/\/+$/, "");
}

/** An address that is taken again has never been left: the addresses in between go with it. */
export function afterMove(
  former: readonly FormerAddress[],
  before: string | undefined,
  now: string | undefined,
  until: string,
): FormerAddress[] {
  const left = before === undefined ? [...former] : [...former, { url: before, until }];
  if (left.length === 0) return left;
  const keys = left.map(({ url }) => addressKey(url));
  const back = now === undefined ? -1 : keys.indexOf(addressKey(now));
  const kept = left.filter((_, index) => keys.indexOf(keys[index] ?? "") === index && (back === -1 || index < back));
  return kept.slice(-MOST);
}

/** Reads the former addresses from the secrets of a state: a slug may be one. */
export function formerIn({ __declared: aside }: Readonly<Record<string, unknown>>): readonly FormerAddress[] {
  return isMap(aside) ? ((aside["former"] ?? []) as readonly FormerAddress[]) : [];
}

export function normalSlug(slug: string | null | undefined): string {
  return (slug ?? "").toLowerCase().replace(/^\/+|\/+$/g, "");
}

/** Returns the address of the site by that of a page on it; undefined if the address has another path. */
export function rootIn(url: string, slug: string): string | undefined {
  const path = normalSlug(slug);
  const bare = url.replace(/\/+$/, "");
  if (path === "") return `${bare}/`;
  return bare.toLowerCase().endsWith(`/${path}`) ? bare.slice(0, -path.length) : undefined;
}

/** By the id of a site, the address of the pages on it, with a slash at its end. */
export type Roots = Readonly<Record<string, string>>;

type Answer = Readonly<Record<string, Json | undefined>>;

/**
 * Foretells the address of the pages on a site: that of a public page on it, else its domain, in the form that the addresses of other sites
 * of its account have. Undefined if neither tells.
 */
export function rootOfSite(siteId: string, pages: Iterable<Answer>, site?: Answer): string | undefined {
  const [host] = domainsIn(site ?? {});
  let alike: string | undefined;
  for (const page of pages) {
    const root = page["siteId"] === siteId ? rootOfPage(page) : undefined;
    if (root !== undefined) return root;
    if (host !== undefined && accountOf(page) === accountOf(site)) alike ??= rootLikeThatOf(page, host);
  }
  return alike;
}

/** The state tells the account; an answer of the service does not, and all of those are of one account. */
function accountOf(one: Answer = {}): Json | undefined {
  const { __landform: meta } = one;
  return isMap(meta) ? meta["account"] : undefined;
}

function rootOfPage(page: Answer): string | undefined {
  const url = publicAddress(page);
  const slug = typeof page["slug"] === "string" ? page["slug"] : "";
  // A page that waits for its release may have its future address, and the slug of its public one.
  const isAtRoot = url !== undefined && URL.parse(url)?.pathname === "/";
  return url === undefined || (normalSlug(slug) === "" && !isAtRoot) ? undefined : rootIn(url, slug);
}

function rootLikeThatOf(page: Answer, host: string): string | undefined {
  const { domain } = page;
  const own = URL.parse(rootOfPage(page) ?? "");
  if (!own || typeof domain !== "string" || own.hostname !== domain.replace(/:.*$/, "")) return undefined;
  return `${own.protocol}//${host}${own.port === "" || host.includes(":") ? "" : `:${own.port}`}/`;
}

/** The domains of a site. The one that visitors should see comes first. */
export function domainsIn({ customDomain, domain, atomicDomain }: Answer): string[] {
  const given = [customDomain, domain, atomicDomain].filter((one) => typeof one === "string" && one !== "");
  return [...new Set(given as string[])];
}

/** Tells if two addresses have the same host and path. A release puts right the scheme and the port of one that was foretold. */
export function isSameAddress(one: Json | undefined, other: Json | undefined): boolean {
  const [a, b] = [one, other].map((text) => (typeof text === "string" ? URL.parse(text) : null));
  return a != null && b != null && a.hostname === b.hostname && a.pathname === b.pathname;
}
