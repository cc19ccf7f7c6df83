/**
 * Finds records of a page that contradict a write: they show the old value of a changed input, or another address than the requested one.
 * If a path is taken, a service may put the page beside it (`offer-2`). Visitors of the declared address then get another page or none, so
 * this is a failure. Pure.
 */
import type { Page } from "../api/records.ts";
import { ApplyError } from "../messages/errors.ts";
import { normalSlug } from "../values/addresses.ts";
import { isMap, mapBy, type JsonMap } from "../values/json.ts";
import { essence, mayComeOf, unmovedIn, type Before } from "./spelling.ts";

export interface Sending {
  readonly now: {
    readonly name?: string;
    readonly projectId?: string;
    readonly publish?: { readonly slug?: string };
  };
  readonly changed: ReadonlySet<string>;
}

/** Finds unchanged inputs among those that every read shows. */
export function shownUnmoved({ now, changed }: Sending, then: Before): (answer: JsonMap) => string[] {
  const sent = mapBy(["name", "projectId"], (field) => (changed.has(field) ? now[field] : undefined));
  return (answer) => unmovedIn(then, answer, sent);
}

/** Finds an unchanged slug after a publication that was to move the page. */
export function slugUnmoved(
  { now, changed }: Sending,
  { answer, declared }: Before,
): (slug: string | null) => string[] {
  const { slug: was, status } = answer;
  const then = declared.get("publish");
  const wanted = now.publish?.slug ?? "";
  const mayBeOf = (shown: string): boolean => {
    if (status !== "published") return mayComeOf(wanted, shown);
    const former = isMap(then) ? (then["slug"] ?? "") : undefined;
    const isItsOwn = typeof former === "string" && essence(former) !== essence(shown);
    return isItsOwn || !PLAIN.test(wanted) || essence(wanted) === essence(shown);
  };
  return (shown) => {
    if (!changed.has("publish") || shown === null || typeof was !== "string") return [];
    return normalSlug(shown) === normalSlug(was) && !mayBeOf(shown) ? ["publish.slug"] : [];
  };
}

/** Services have their own ways to spell other letters in a path. */
const PLAIN = /^[\w./~-]*$/;

export type Address = Pick<Page, "slug" | "url">;

export class Misplaced extends ApplyError {
  readonly shown: Address;
  readonly brief: string;

  constructor(id: string, siteId: string, asked: string, shown: Address) {
    const [wanted, is] = [pathOf(asked), pathOf(shown.slug)];
    const brief = `the service published page ${id} at /${is}, not at /${wanted} of site ${siteId}`;
    super(
      `publish: ${brief}. Another page may have /${wanted}: give that one another slug, or delete it, and run again: the run then ` +
        `publishes this page at /${wanted}. Or declare the slug that this page has now, "${is}".`,
    );
    this.shown = shown;
    this.brief = brief;
  }
}

export function misplacedIn(error: unknown): Misplaced | undefined {
  if (error instanceof Misplaced || !(error instanceof Error)) return error instanceof Misplaced ? error : undefined;
  return misplacedIn(error.cause);
}

/** Tells if an address is the requested slug, in any spelling of the service. An answer that shows no address contradicts nothing. */
export function isShownAt(asked: string, { slug, url }: Address): boolean {
  if (slug === null && url === null) return true;
  const paths = [slug ?? "", ...(url === null ? [] : [URL.parse(url, "https://site.invalid/")?.pathname ?? ""])];
  return paths.some((path) => isFormOf(decoded(asked), decoded(path)));
}

/** Services have their own spellings for letters that are not ASCII. None of these spellings adds a number. */
function isFormOf(asked: string, shown: string): boolean {
  if (essence(asked) === essence(shown)) return true;
  const isPlain = /^[\p{ASCII}]*$/u.test(asked.normalize("NFKC"));
  return !isPlain && essence(shown) !== "" && figuresAtEnd(asked) === figuresAtEnd(shown);
}

function figuresAtEnd(text: string): string {
  return /\d*\/*$/.exec(text)?.[0].replaceAll("/", "") ?? "";
}

/** A slug may hold a percent sign that encodes nothing. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function pathOf(slug: string | null): string {
  return (slug ?? "").replaceAll(/^\/+|\/+$/g, "");
}
