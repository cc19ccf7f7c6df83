/**
 * A publication that is answered with success and with another address than was asked for: where a path is taken, a service may
 * put the page beside it (`offer-2`). Visitors of the declared address get another page, or none, so it is a failure.
 */
import { patientLook } from "../../account/patience.ts";
import { essence } from "../../account/spelling.ts";
import type { Page } from "../../api/records.ts";
import type { Apply } from "../../definition/define.ts";
import { ApplyError } from "../../messages/errors.ts";
import type { ObjectState } from "../../reconcile/object-state.ts";
import type { RunContext } from "../../reconcile/run-context.ts";
import type { JsonMap } from "../../values/json.ts";

type Address = Pick<Page, "slug" | "url">;

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

/** The answer, or what the page shows, once that is where it was to be: an answer that shows where it was before may lag behind. */
export async function oncePlaced<Answer extends Address>(
  run: RunContext,
  id: string,
  { siteId, slug }: { siteId: string; slug: string },
  answer: Answer,
  former: string | undefined,
): Promise<Answer> {
  if (isShownAt(slug, answer)) return answer;
  // The specification doesn't show that the answer tells it: the look at the page does.
  if ((answer.slug ?? "") === "" && answer.url === null) return { ...answer, slug };
  let shown: Address = answer;
  const look = async (): Promise<Page | undefined> => {
    const page = await run.api.pages.read(id);
    shown = page;
    return isShownAt(slug, page) ? page : undefined;
  };
  const mayLag = former !== undefined && isShownAt(former, answer);
  const placed = await patientLook(look, mayLag ? run.settings.patienceMs : 0);
  if (placed) return { ...answer, slug: placed.slug ?? "", url: placed.url };
  throw new Misplaced(id, siteId, slug, shown);
}

/** It is as if that address had been declared: drift and the next plan tell the way from there to the one that is. */
export function noteElsewhere(object: ObjectState, target: JsonMap, error: unknown): void {
  const misplaced = misplacedIn(error);
  if (misplaced === undefined) return;
  const { slug, url } = misplaced.shown;
  object.learn({ status: "published", siteId: target["siteId"] ?? null, slug: slug ?? "", url });
  object.declare("publish", { ...target, slug: slug ?? "" });
}

/** Of a page that is published: where the last look shows it, once that is learned. `slug`: as its publication was answered. */
export async function refuseElsewhere(
  { run, id, now, object }: Pick<Apply<{ readonly publish?: JsonMap }>, "run" | "id" | "now" | "object">,
  record: Page,
  slug: string,
): Promise<void> {
  if (record.status !== "published" || record.site_id === null || isShownAt(slug, record)) return;
  try {
    const placed = await oncePlaced(run, id, { siteId: record.site_id, slug }, record, undefined);
    object.learn({ slug: placed.slug, url: placed.url });
  } catch (error) {
    noteElsewhere(object, now.publish ?? {}, error);
    throw error;
  }
}
