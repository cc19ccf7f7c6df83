/**
 * Answers to writes of a page that deny themselves: they show an input as it was before, though another was sent, or another address
 * than was asked for. Tags, label and delay are shown by answers to writes alone: what was declared before stands for how they
 * were. Where a path is taken, a service may put the page beside it (`offer-2`): visitors of the declared address get another
 * page, or none, so it is a failure. Pure.
 */
import type { Page, PageDelay, PageMetadata } from "../api/records.ts";
import { ApplyError } from "../messages/errors.ts";
import { normalSlug } from "../values/addresses.ts";
import { camelKeys, isMap, same, type Json, type JsonMap } from "../values/json.ts";
import { essence, isAsWritten, mayComeOf, unmovedIn, type Before } from "./spelling.ts";

/** What a pass declares of a page, and which inputs it sends. */
export interface Sending {
  readonly now: {
    readonly name?: string;
    readonly projectId?: string;
    readonly tags?: readonly string[];
    readonly productLabel?: string;
    readonly delay?: object;
    readonly publish?: { readonly slug?: string };
  };
  readonly changed: ReadonlySet<string>;
}

function fieldsOf(now: object, fields: readonly string[]): JsonMap {
  const all = Object.entries(now) as [string, Json | undefined][];
  return Object.fromEntries(
    all.flatMap(([field, value]) => (fields.includes(field) && value !== undefined ? [[field, value]] : [])),
  );
}

/** Of what every read shows. `due`: what was sent. */
export function shownUnmoved({ now }: Sending, then: Before, due: readonly string[]): (answer: JsonMap) => string[] {
  const sent = fieldsOf(
    now,
    due.filter((field) => field === "name" || field === "projectId"),
  );
  return (answer) => unmovedIn(then, answer, sent);
}

export function hiddenUnmoved(
  { now }: Sending,
  then: Before,
  due: readonly string[],
): (answer: PageMetadata) => string[] {
  const { tags, productLabel } = fieldsOf(now, due);
  const isUnmoved = (field: string, sent: Json | undefined, shown: Json | undefined): boolean =>
    sent !== undefined && isAsWritten(then.declared.get(field), sent, shown);
  return (answer) => [
    ...(isUnmoved("tags", tags, answer.tags) ? ["tags"] : []),
    ...(isUnmoved("productLabel", productLabel, answer.product_label ?? undefined) ? ["productLabel"] : []),
  ];
}

/** Some settings depend on others: as it was before is a delay of which none has moved. */
export function delayUnmoved({ now }: Sending, { declared }: Before): (answer: PageDelay) => string[] {
  const then = declared.get("delay");
  return (answer) => {
    const shown = camelKeys(answer.delay ?? {});
    const sent = Object.entries((now.delay ?? {}) as JsonMap).filter(([key]) => key in shown);
    const changed = sent.filter(([key, value]) => isMap(then) && key in then && !same(then[key], value));
    const isAsBefore = ([key, value]: [string, Json]): boolean =>
      isMap(then) && same(then[key], shown[key]) && !mayComeOf(value, shown[key]);
    return changed.length > 0 && changed.every(isAsBefore) ? ["delay"] : [];
  };
}

/** Of a publication that was to move the page. */
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
    const brief = `the service put page ${id}, which was to be at /${wanted} of site ${siteId}, at /${is} instead, where it is public now`;
    super(
      `publish: ${brief}. Another page may have /${wanted}: give that one another slug, or delete it, and run again, which ` +
        `publishes this one at /${wanted}. Or declare the slug that it has, "${is}".`,
    );
    this.shown = shown;
    this.brief = brief;
  }
}

/** The failure itself, or what it came of. */
export function misplacedIn(error: unknown): Misplaced | undefined {
  if (error instanceof Misplaced || !(error instanceof Error)) return error instanceof Misplaced ? error : undefined;
  return misplacedIn(error.cause);
}

/** Whether an address is the slug that was asked for, in whatever spelling of the service; what shows none tells of no other. */
export function isShownAt(asked: string, { slug, url }: Address): boolean {
  if (slug === null && url === null) return true;
  const paths = [slug ?? "", ...(url === null ? [] : [URL.parse(url, "https://site.invalid/")?.pathname ?? ""])];
  return paths.some((path) => isFormOf(decoded(asked), decoded(path)));
}

/** Services have their own ways to spell letters that are not ASCII, and none to add a number to them. */
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
