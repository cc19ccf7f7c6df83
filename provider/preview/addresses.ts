/** Finds addresses in texts that point to pages of the base, and the addresses that a preview has in their place. Pure. */
import type { BaseObject, NamedObject } from "./facts.ts";
import { previewSlug, type PreviewPlace } from "../definition/in-preview.ts";
import { digest } from "../ledger/identity.ts";
import { normalSlug, rootIn } from "../values/addresses.ts";

export interface Moved {
  readonly from: { readonly host: string; readonly path: string; readonly siteId?: string | undefined };
  /** The whole address in the preview. */
  readonly to: string;
  /** The site in the preview, on which all its pages are if one was named. */
  readonly toSiteId?: string | undefined;
  /** The preview has none of its own, so links lead to the base's. */
  readonly stays?: true | undefined;
}

interface MovePlace extends Pick<PreviewPlace, "prefix" | "slugStyle"> {
  /** The site that all pages are on, where one was named. */
  readonly host?: NamedObject | undefined;
  readonly mark: MarkOf;
}

export function movesOf(base: Readonly<Record<string, BaseObject>>, place: MovePlace): Moved[] {
  const { prefix, slugStyle, host, mark } = place;
  return Object.entries(base).flatMap(([page, { url, slug, siteId, stays }]) => {
    const from = URL.parse(url ?? "");
    if (!from) return [];
    const path = normalPath(from.pathname);
    const there = { from: { host: from.host.toLowerCase(), path, siteId }, toSiteId: host?.id ?? siteId };
    if (stays === true) return [{ ...there, to: from.href, stays }];
    const root = host === undefined || host.id === siteId ? rootIn(from.href, slug ?? "") : host.root;
    if (root === undefined) return [];
    return [{ ...there, to: `${root}${previewSlug(prefix, slug, slugStyle, mark(page, slug))}` }];
  });
}

const WHOLE = /(?:https?:)?\/\/([^\s"'<>()[\]{}?#/\\,;|]+)(\/[^\s"'<>()[\]{}?#\\,;|]*)?/gi;
/** A path by itself, with what may follow it. */
const BARE = /^(\/(?!\/)[^\s"'<>?#]*)([?#]\S*)?$/;
const LINKED = /((?:href|src|action)\s*=\s*["']|\]\()(\/(?!\/)[^\s"'<>?#)]*)/gi;
/** Inputs and content keys whose values are addresses, so that a mere slash is one, too. */
const LINK_KEY = /(?:^|[._-])(?:href|url|link|target|action)$|(?:Href|Url|Link)$/;

export interface TextPlace {
  /** The key of the input or of the content that holds it. */
  readonly key?: string;
  /** The site of its page. A path by itself is on this site. */
  readonly siteId?: string | undefined;
}

export function rewritten(text: string, moves: readonly Moved[], { key = "", siteId }: TextPlace = {}): string {
  if (moves.length === 0 || !text.includes("/")) return text;
  const whole = text.replace(WHOLE, (found, host: string, path = "") => {
    const [plain, rest] = withoutPunctuation(path as string);
    const move = find(moves, { host: host.toLowerCase().replace(/[.:!]+$/, "") }, plain);
    return move === undefined || move.stays === true ? found : move.to + rest;
  });
  const [, bare, behind = ""] = BARE.exec(whole) ?? [];
  if (bare !== undefined && (bare !== "/" || LINK_KEY.test(key))) {
    const move = find(moves, { siteId }, bare);
    return move === undefined ? whole : pathOf(move, bare, moves, siteId) + behind;
  }
  return whole.replace(LINKED, (found, before: string, path: string) => {
    const move = find(moves, { siteId }, path);
    return move === undefined ? found : before + pathOf(move, path, moves, siteId);
  });
}

/** Inputs that are no texts for visitors. */
const FIXED = new Set(["name", "adoptId", "duplicateOf", "templateId", "siteId", "projectId", "publish"]);

export function isRead(input: string): boolean {
  return !FIXED.has(input) && !input.startsWith("__");
}

/** Tells if visitors come from inputs of an object to one of the moved pages. */
export function leadTo(moves: readonly Moved[], inputs: object, siteId: string | undefined): boolean {
  const leads = (value: unknown, key: string): boolean => {
    if (typeof value === "string") return rewritten(value, moves, { key, siteId }) !== value;
    if (Array.isArray(value)) return value.some((item) => leads(item, key));
    if (typeof value !== "object" || value === null) return false;
    return Object.entries(value).some(([name, item]) => leads(item, name));
  };
  return Object.entries(inputs).some(([input, value]) => isRead(input) && leads(value, input));
}

/** Finds the page that a path means. A path by itself is on the site that it is read on. If that isn't known, only one page may be meant. */
function find(
  moves: readonly Moved[],
  { host, siteId }: { host?: string; siteId?: string | undefined },
  path: string,
): Moved | undefined {
  const wanted = normalPath(path);
  const meant = moves.filter(
    ({ from }) =>
      from.path === wanted &&
      (host === undefined || from.host === host) &&
      (siteId === undefined || from.siteId === undefined || from.siteId === siteId),
  );
  const [first, ...others] = meant;
  return others.every(({ to }) => to === first?.to) ? first : undefined;
}

/** A path stays a path if its page is on the host that it is read on; else it has to name its host. */
function pathOf(
  { from, to, stays, toSiteId }: Moved,
  said: string,
  moves: readonly Moved[],
  siteId: string | undefined,
): string {
  if (stays === true) return toSiteId === from.siteId ? said : to;
  const url = URL.parse(to);
  const isReadThere = siteId !== undefined || moves.every((other) => other.from.host === from.host);
  return isReadThere && url?.host.toLowerCase() === from.host ? url.pathname : to;
}

function normalPath(path: string): string {
  return `/${normalSlug(path)}`;
}

/** Splits off punctuation: the end of a sentence is no part of the address before it. */
function withoutPunctuation(path: string): [string, string] {
  const end = /[.!:]+$/.exec(path)?.[0] ?? "";
  const plain = end === "" ? path : path.slice(0, -end.length);
  return plain.endsWith("/") && plain !== "/" ? [plain, `/${end}`] : [plain, end];
}

/** Returns the text that keeps the path of a page apart from others; undefined if no other page has it. `page`: the URN without the stack. */
export type MarkOf = (page: string, slug: string | undefined) => string | undefined;

const MARK_LENGTH = 8;

/** For pages on the sites that the program names: no two have the same path. */
export const UNMARKED: MarkOf = () => undefined;

/**
 * Returns marks for pages that all come to one site. If two pages of the base have the same path there, all pages are marked, also those
 * that only the branch has: sites of several brands use the same path again for each new page.
 */
export function marksOnOneSite(base: Readonly<Record<string, BaseObject>>): MarkOf {
  const published = Object.entries(base).filter(([, { url }]) => url !== undefined);
  const at = Map.groupBy(published, ([, { slug }]) => normalSlug(slug));
  const isCrowded = [...at.values()].some(({ length }) => length > 1);
  return (page, slug) => {
    const meets = isCrowded || at.get(normalSlug(slug))?.every(([other]) => other !== page);
    return meets ? digest(page, MARK_LENGTH) : undefined;
  };
}
