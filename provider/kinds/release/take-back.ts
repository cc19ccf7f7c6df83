/**
 * Takes back the pages that went out before a release failed: each goes back to its last published values, and its draft to what the
 * program wants.
 */
import { type Misplaced, misplacedIn } from "../../account/page-answers.ts";
import { orGone } from "../../account/presence.ts";
import { ApiError } from "../../api/index.ts";
import { pages } from "../page/document/collection.ts";
import { publishAt } from "../page/public/path.ts";
import { isPassingPlace, isSamePlace, placeOfRecord } from "../page/document/places.ts";
import { tell } from "../page/edits/guard.ts";
import { bring, type Member, slippedInto } from "./member.ts";
import { ApplyError } from "../../messages/errors.ts";
import { editsText, type ForeignEdit } from "../../messages/foreign-edits.ts";
import { policyFor } from "../../reconcile/foreign-edits.ts";
import type { ObjectState } from "../../reconcile/object-state.ts";
import type { RunContext } from "../../reconcile/run-context.ts";
import { type JsonMap, mapOf } from "../../values/json.ts";
import { reasonOf } from "../../values/wording.ts";

/** Tells if the page went out, also if the answer was lost. If nobody can tell, it counts as public, unless the service refused it. */
export async function wentOut(run: RunContext, { id, record }: Member, cause: unknown): Promise<boolean> {
  try {
    const now = await orGone(run.api.pages.read(id));
    if (now?.status !== "published") return false;
    if (record.status !== "published") return true;
    return now.published_at === null ? !isRefused(cause) : now.published_at !== record.published_at;
  } catch {
    return !isRefused(cause);
  }
}

function isRefused(error: unknown): boolean {
  const status = error instanceof ApiError ? (error.status ?? 0) : 0;
  return status >= 400 && status < 500;
}

/** The end of taking back a page: it is back, perhaps beside another page, or it stays public for a reason. */
interface Taken {
  readonly member: Member;
  readonly elsewhere?: Misplaced | undefined;
  readonly stuck?: string;
}

/** Takes pages back, the last one first, so that nothing links to a missing page. */
async function takenBack(run: RunContext, object: ObjectState, out: readonly Member[]): Promise<Taken[]> {
  const taken: Taken[] = [];
  for (const member of out.toReversed()) {
    try {
      taken.push({ member, elsewhere: await takeBack(run, member) });
      await noteBack(run, object, member.id);
    } catch (error) {
      taken.push({ member, stuck: reasonOf(error) });
    }
  }
  return taken;
}

/** Returns the error that the release ends with. */
export async function takeAllBack(
  run: RunContext,
  object: ObjectState,
  out: readonly Member[],
  { failed, cause }: { readonly failed: Member; readonly cause: unknown },
): Promise<ApplyError> {
  const taken = await takenBack(run, object, out);
  const back = taken.filter(({ stuck: why }) => why === undefined).map(({ member }) => member);
  const stuck = taken.flatMap(({ member, stuck: why }) => (why === undefined ? [] : [`${called(member)} (${why})`]));
  const whole = back.filter((member) => !isMixed(member));
  const told = [
    `publish: ${called(failed)} of this release could not be published: ${reasonOf(cause)}`,
    ...(whole.length > 0
      ? [`These pages are back at their last published texts: ${whole.map(called).join(", ")}.`]
      : []),
    ...back.filter(isMixed).map(mixedText),
    ...taken.flatMap(({ elsewhere }) => (elsewhere ? [`But ${elsewhere.brief}.`] : [])),
    ...(stuck.length > 0 ? [`These pages stay public with the texts of this release: ${stuck.join(", ")}.`] : []),
    ...(out.length === 0 ? ["No page of this release was published."] : []),
    "Run again: the next run goes on from here.",
  ];
  return new ApplyError(told.join(" "), { cause });
}

/** Tells if edits of others went out with it. Nobody knows what was public in their place. */
function isMixed({ guarded }: Member): boolean {
  return guarded.edits.length > 0;
}

function mixedText(member: Member): string {
  return (
    `On ${called(member)}, the texts that this program last published are public again. Somebody's edits went out with them and ` +
    `stay public: ${editsText(member.guarded.edits)}.`
  );
}

/**
 * Takes a page back. If another page of this stack has its path by now, that one makes way. Returns the page's place if the service has put
 * it beside another page.
 */
async function takeBack(run: RunContext, member: Member): Promise<Misplaced | undefined> {
  const { id, draft, record, pass, guarded } = member;
  const { status, site_id, slug } = record;
  if (!draft.before || status !== "published" || site_id === null) {
    throw new ApplyError("it is public for the first time, and the API can't unpublish");
  }
  // Edits that came into the draft since it went out would go public with the old values.
  const slipped = await slippedInto(member);
  if (policyFor(run, id, [...guarded.edits, ...slipped], pass.now.onForeignEdits) === "hold") {
    run.heldBack.add(id);
    tell(pass, "held-back", slipped);
    throw new ApplyError(HOLDS_EDITS);
  }
  tell(pass, "included", slipped);
  await bring(pass, draft.after, draft.before);
  try {
    const before = { from: draft.place, replacedId: undefined, owner: pass.object.identity };
    await publishAt(run, id, { siteId: site_id, slug: slug ?? "" }, before);
    return undefined;
  } catch (error) {
    const misplaced = misplacedIn(error);
    if (misplaced) return misplaced;
    throw error;
  } finally {
    // The draft is to hold the values that stay public, too: else they would pass for somebody's edit.
    await bring(pass, draft.before, draft.after);
  }
}

const HOLDS_EDITS = "its draft holds somebody's unpublished edits, and going back would publish them";

function called({ id, draft: { name } }: Member): string {
  return `page ${id} ("${name}")`;
}

// A part of a release is public while all of it is held back: an earlier run ended on the way, or somebody has published a page of it.
// Pages that a killed run had published go back. The run tells of those that stay public.

/** By page, the date of the publication by which it went back, by the service's clock. Another date means another publication. */
const BACK = "back";

/** Tells if the page was published since its draft was written. A service without dates tells nothing. */
function isOut({ notes }: Pick<ObjectState, "notes">, { id, draft, record }: Member): boolean {
  const { status, published_at: at } = record;
  return status === "published" && at !== null && at !== draft.at && backIn(notes)[id] !== at;
}

/** Adds the move of a page that somebody has put elsewhere since its draft was written. */
export function withMove(run: RunContext, { notes }: Pick<ObjectState, "notes">, member: Member): Member {
  const { id, draft, record, pass, guarded } = member;
  const [shown, { from, place }] = [placeOfRecord(record), draft];
  const isOurs = [from, place].some((known) => known && shown && isSamePlace(known, shown));
  if (!shown || isOurs || isPassingPlace(id, { ...shown }) || backIn(notes)[id] === record.published_at) return member;
  const over = { ...(from && { then: from.slug }), code: place.slug };
  const edits: ForeignEdit[] = [{ kind: "field", at: ["publish", "slug"], now: shown.slug, over }, ...guarded.edits];
  const isHeld = guarded.isHeld || policyFor(run, id, edits, pass.now.onForeignEdits) === "hold";
  return { ...member, guarded: { ...guarded, edits, isHeld } };
}

function backIn(notes: JsonMap): JsonMap {
  return mapOf(notes[BACK]);
}

async function noteBack(run: RunContext, object: ObjectState, id: string): Promise<void> {
  const record = await run.account.read(pages, id);
  object.notes = { ...object.notes, [BACK]: { ...backIn(object.notes), [id]: record?.published_at ?? null } };
}

/** Returns the pages that stay public. A run takes back no page that somebody has published. */
export async function takeHalfBack(
  run: RunContext,
  object: ObjectState,
  members: readonly Member[],
): Promise<Member[]> {
  const out = members.filter((member) => !run.putAside.has(member.id) && isOut(object, member));
  if (object.interrupted().size === 0) return out;
  const taken = await takenBack(run, object, out);
  for (const one of taken) tellTaken(run, one);
  return taken.flatMap(({ member, stuck }) => (stuck === undefined ? [] : [member]));
}

function tellTaken(run: RunContext, { member, elsewhere, stuck }: Taken): void {
  const beside = elsewhere === undefined ? "" : ` But ${elsewhere.brief}.`;
  const back = `went out in a run that ended before the rest of its release was public, and is back at the texts that it had before.${beside}`;
  const [topic, end] = stuck === undefined ? ["taken-back", back] : ["not-taken-back", `can't go back: ${stuck}.`];
  run.warn({ code: "of-kind", kind: "page", id: member.id, topic, text: `publish: ${called(member)} ${end}` });
}
