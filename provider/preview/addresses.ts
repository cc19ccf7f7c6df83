/** Addresses in texts that point to pages of the base, and where they point to in a preview. Pure. */
import type { BaseObject, NamedObject } from "./facts.ts";
import { previewSlug, type SlugStyle } from "./names.ts";

/** A page of the base that is public, and where the preview has it. */
export interface Moved {
  readonly from: { readonly host: string; readonly path: string };
  /** The whole address there. */
  readonly to: string;
}

export interface MovePlace {
  readonly prefix: string;
  readonly slugStyle: SlugStyle;
  /** The site that all pages are on, where one was named. */
  readonly host?: NamedObject | undefined;
}

export function movesOf(base: Iterable<BaseObject>, place: MovePlace): Moved[] {
  return [...base].flatMap(({ url, slug, siteId }) => {
    const from = url === undefined ? null : URL.parse(url);
    if (!from) return [];
    const { host } = place;
    const root = host === undefined || host.id === siteId ? rootIn(from.href, slug ?? "") : host.root;
    if (root === undefined) return [];
    const to = `${root}${previewSlug(place.prefix, slug, place.slugStyle)}`;
    return [{ from: { host: from.host.toLowerCase(), path: normalPath(from.pathname) }, to }];
  });
}

/** The address of a site, by that of a page on it. */
export function rootIn(url: string, slug: string): string | undefined {
  const path = slug.replace(/^\/+|\/+$/g, "");
  const bare = url.replace(/\/+$/, "");
  if (path === "") return `${bare}/`;
  return bare.toLowerCase().endsWith(`/${path.toLowerCase()}`) ? bare.slice(0, -path.length) : undefined;
}

const WHOLE = /(?:https?:)?\/\/([^\s"'<>()[\]{}?#/\\,;|]+)(\/[^\s"'<>()[\]{}?#\\,;|]*)?/gi;
/** A path by itself, with what may follow it. */
const BARE = /^(\/(?!\/)[^\s"'<>?#]*)([?#]\S*)?$/;
/** In HTML and in Markdown. */
const LINKED = /((?:href|src|action)\s*=\s*["']|\]\()(\/(?!\/)[^\s"'<>?#)]*)/gi;
/** Inputs and content keys whose values are addresses, so that a mere slash is one, too. */
const LINK_KEY = /(?:^|[._-])(?:href|url|link|target|action)$|(?:Href|Url|Link)$/;

/** The text with every address of `moves` replaced; `key`: of the input or of the content that holds it. */
export function rewritten(text: string, moves: readonly Moved[], key = ""): string {
  if (moves.length === 0 || !text.includes("/")) return text;
  const whole = text.replace(WHOLE, (found, host: string, path = "") => {
    const [plain, rest] = withoutPunctuation(path as string);
    const to = find(moves, host.toLowerCase().replace(/[.:!]+$/, ""), plain);
    return to === undefined ? found : to + rest;
  });
  const [, bare, behind = ""] = BARE.exec(whole) ?? [];
  if (bare !== undefined && (bare !== "/" || LINK_KEY.test(key))) {
    const to = find(moves, undefined, bare);
    return to === undefined ? whole : pathOf(to, moves) + behind;
  }
  return whole.replace(LINKED, (found, before: string, path: string) => {
    const to = find(moves, undefined, path);
    return to === undefined ? found : before + pathOf(to, moves);
  });
}

/** One form for an address of the base and for the one that the preview has in its place: for comparisons. */
export function canonical(text: string, moves: readonly Moved[], key = ""): string {
  const both = moves.flatMap(({ from, to }) => {
    const url = URL.parse(to);
    const one = `https://base.invalid/${from.host}${from.path}`;
    const here = url ? [{ from: { host: url.host.toLowerCase(), path: normalPath(url.pathname) }, to: one }] : [];
    return [{ from, to: one }, ...here];
  });
  return rewritten(text, both, key);
}

function find(moves: readonly Moved[], host: string | undefined, path: string): string | undefined {
  const wanted = normalPath(path);
  return moves.find(({ from }) => (host === undefined || from.host === host) && from.path === wanted)?.to;
}

/** A path stays a path where all of the preview is on one host; else it has to name its host. */
function pathOf(to: string, moves: readonly Moved[]): string {
  const hosts = new Set(moves.flatMap(({ from, to: other }) => [from.host, URL.parse(other)?.host.toLowerCase()]));
  const { pathname } = URL.parse(to) ?? { pathname: to };
  return hosts.size === 1 ? pathname : to;
}

export function normalPath(path: string): string {
  return `/${path.toLowerCase().replace(/^\/+|\/+$/g, "")}`;
}

/** What ends a sentence is no part of the address before it. */
function withoutPunctuation(path: string): [string, string] {
  const end = /[.!:]+$/.exec(path)?.[0] ?? "";
  const plain = end === "" ? path : path.slice(0, -end.length);
  return plain.endsWith("/") && plain !== "/" ? [plain, `/${end}`] : [plain, end];
}
