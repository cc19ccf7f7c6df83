/** Publishes a page once it is ready. If somebody asked for it, a look at the public page then tells what visitors get. */
import { ContentFields } from "../../../account/content-map.ts";
import { isShownAt, misplacedIn } from "../../../account/page-answers.ts";
import { orGone } from "../../../account/presence.ts";
import type { LandformApi } from "../../../api/index.ts";
import type { Page, PagePublished, PageValidation } from "../../../api/records.ts";
import { pages } from "../document/collection.ts";
import { replaceLeftOver } from "../draft/content.ts";
import { after, type PagePass, type Reached, type Step } from "../document/document.ts";
import { type Guarded, tell } from "../edits/guard.ts";
import { type Before, PathHeld, publishAt, refusedPath } from "./path.ts";
import { isSamePlace, PageRun, type Place, placeOf, placeOfRecord } from "../document/places.ts";
import { noteGoingPublic, settlePublished } from "./settle.ts";
import { Templates } from "../draft/templates.ts";
import { valuesNow } from "../document/texts.ts";
import type { Writes } from "../document/writes.ts";
import { ApplyError } from "../../../messages/errors.ts";
import { halfMadeBefore } from "../../../reconcile/creation.ts";
import type { RunContext } from "../../../reconcile/run-context.ts";
import type { WantedText } from "../../../seen/evidence.ts";
import { DEFAULT_WAIT_MS, lookBefore, lookUntilSeen } from "../../../seen/look.ts";
import { landform } from "../../../values/command-line.ts";
import { isMap, type Json, type JsonMap, mapOf } from "../../../values/json.ts";
import { propertyPath } from "../../../values/paths.ts";
import { renderAll } from "../../../values/placeholders.ts";
import { listed } from "../../../values/wording.ts";
import { addressOf, withoutAddress } from "../../../seen/seen-live.ts";

export async function publishOne(run: RunContext, id: string, place: Place, before: Before): Promise<PagePublished> {
  const result = await publishAt(run, id, place, before);
  if (result.revision_warning !== null) {
    const text = `publish: page ${id} is published, but: ${result.revision_warning}`;
    run.warn({ code: "of-kind", kind: "page", id, topic: "published-with-warning", text });
  }
  return result;
}

export async function* publishNow(before: Reached, guarded: Guarded): Step {
  const { run, id, now } = before;
  const target = now.publish ?? { siteId: "" };
  const [place, validation] = await Promise.all([
    placeFor(before, { siteId: target.siteId, slug: target.slug ?? "" }),
    run.api.pages.validate(id),
  ]);
  const ready = yield* whenReady(before, validation);
  const isFirst = guarded.writes.then.answer["status"] !== "published";
  // The service replaced placeholders wherever they stood, also in places that no change of the pass had named.
  const writes = ready.document === before.document ? guarded.writes : { ...guarded.writes, broad: true };
  tell(ready, "included", guarded.edits);
  await noteGoingPublic(ready, guarded);
  const published = yield* publish(ready, target, place);
  yield published;
  return yield* settlePublished(published, { ...guarded, writes }, isFirst);
}

async function* publish(at: Reached, target: { siteId: string; slug?: string }, place: Place): Step {
  const { run, id, object } = at;
  const { replacedId, identity: owner } = object;
  const before = { from: placeOf(object), replacedId, halfMade: halfMadeBefore(run, object), owner };
  try {
    const { site_id, slug, url, domain } = await publishOne(run, id, place, before);
    run.part(PageRun).endAwaiting(id);
    return after(at, (one) => {
      one.wrote = true;
      one.learn({ status: "published", siteId: site_id ?? place.siteId, slug, url, domain });
      one.declare("publish", target);
      one.published = {};
    });
  } catch (error) {
    yield withElsewhere(at, target, error);
    throw error instanceof PathHeld ? refusedPath(at, error) : error;
  }
}

/** Returns the pass once the draft is ready. If placeholders that have a value were left, it replaces them and asks the service again. */
export async function* whenReady(at: Reached, first: PageValidation): Step {
  const { run, id, object, now } = at;
  const replaced = first.ready_to_publish ? undefined : yield* replaceLeftOver(at, first.remaining_variables);
  const last = replaced ? await run.account.documents.check(id, Object.keys(now.variables ?? {})) : first;
  const isPublic = object.answer["status"] === "published";
  const why = await unready(run.api, { id, isPublic, content: now.content }, last);
  if (now.templateId !== undefined && at.created)
    run.part(Templates).tell(now.templateId, why === undefined ? {} : { open: last.remaining_variables });
  if (why !== undefined) throw new ApplyError(why);
  return replaced ?? at;
}

/**
 * Returns the place where the page goes public. A publication that only brings another change to visitors leaves a page where somebody has
 * moved it in the app. That is drift, which a refresh finds and its plan tells.
 */
export async function placeFor({ run, id, created, changed, object }: PagePass, wanted: Place): Promise<Place> {
  const was = placeOf(object);
  if (created || was === undefined || changed.has("publish") || run.putAside.has(id)) return wanted;
  const placeNow = (record: Page | undefined): Place => (record && placeOfRecord(record)) ?? was;
  const isKnown = (place: Place): boolean => [was, wanted].some((known) => isSamePlace(known, place));
  // A list may lag behind.
  if (isKnown(placeNow(await run.account.row(pages, id)))) return wanted;
  const record = await orGone(run.api.pages.read(id));
  const now = placeNow(record);
  if (isKnown(now)) return wanted;
  const text =
    `publish: page ${id} is at /${now.slug} of site ${now.siteId}, where somebody moved it in the app, and stays there. ` +
    `${landform("up", "--refresh")} moves it back to /${wanted.slug}; to keep it there, change publish in the code.`;
  const url = record?.url && { url: record.url };
  run.warn({ code: "of-kind", kind: "page", id, topic: "moved-by-hand", text, ...url });
  return now;
}

/** Returns the reason why a page can't be published. `content`: what the code writes. */
export async function unready(
  api: LandformApi,
  { id, isPublic, content = {} }: { readonly id: string; readonly isPublic: boolean; readonly content?: JsonMap },
  validation: PageValidation,
): Promise<string | undefined> {
  const { ready_to_publish: isReady, remaining_variables: names } = validation;
  if (isReady) return undefined;
  // The keys only help to find the placeholders: the reason is told without them, too.
  const map = names.length === 0 ? undefined : await api.builder.contentMap(id).catch(() => undefined);
  const fields = new ContentFields(map?.fields);
  const holders = names.map((name) => fields.holding(name));
  const left = names.map((name, index) => `{{${name}}}${inKeys(holders[index] ?? [])}`).join(", ");
  const written = holders.flat().find((key) => Object.hasOwn(content, key));
  const others = issuesBesides(validation);
  const said = [...(left === "" ? [] : [`placeholders without a value: ${left}`]), ...others].join("; ");
  const state = isPublic ? "keeps its last published revision" : "stays a draft";
  return (
    `${propertyPath(written === undefined ? ["publish"] : ["content", written])}: page ${id} is not ready (POST /pages/validate-before-publish), so it ${state}. ` +
    (said === "" ? "" : `${said.charAt(0).toUpperCase()}${said.slice(1)}. `) +
    `${left === "" ? "Correct this" : "Give these a value under variables"} and run again: the next run goes on from here.`
  );
}

export function inKeys(keys: readonly string[]): string {
  return keys.length === 0 ? "" : ` (in ${listed(keys, KEYS_NAMED)})`;
}

const KEYS_NAMED = 3;

/** Returns the reasons beside placeholders that keep it from being published, a text each. */
export function issuesBesides({ issues, remaining_variables: names }: PageValidation): string[] {
  return issues.map(issueText).filter((text) => !names.some((name) => text.includes(`{{${name}}}`)));
}

function issueText(issue: unknown): string {
  if (typeof issue === "string") return issue;
  const text = isMap(issue) ? (issue["message"] ?? issue["reason"] ?? issue["code"]) : undefined;
  return typeof text === "string" ? text.replace(/\.$/, "") : JSON.stringify(issue);
}

/** Notes the actual address as if it had been declared. Drift and the next plan then tell the way from there to the declared one. */
function withElsewhere(at: Reached, target: JsonMap, error: unknown): Reached {
  const misplaced = misplacedIn(error);
  if (misplaced === undefined) return at;
  const { slug, url } = misplaced.shown;
  return after(at, (object) => {
    object.learn({ status: "published", siteId: target["siteId"] ?? null, slug: slug ?? "", url });
    object.declare("publish", { ...target, slug: slug ?? "" });
  });
}

/** Refuses a published page that the last look shows elsewhere, once that is learned. `slug`: the slug in the answer to its publication. */
export async function* refuseElsewhere(at: Reached, record: Page, slug: Json | undefined): Step {
  const { run, id, now } = at;
  const { status, site_id: siteId } = record;
  if (typeof slug !== "string" || status !== "published" || siteId === null || isShownAt(slug, record)) return at;
  try {
    const placed = await run.account.documents.placed(id, { siteId, slug }, record, undefined);
    return after(at, (object) => object.learn({ slug: placed.slug, url: placed.url }));
  } catch (error) {
    yield withElsewhere(at, { ...now.publish }, error);
    throw error;
  }
}

interface Looking {
  readonly id: string;
  readonly name: string | undefined;
  /** True if the publication asks for it. */
  readonly verify: boolean | undefined;
  readonly answer: JsonMap;
  readonly texts: readonly WantedText[];
}

/**
 * Looks while the page shows the old texts. Returns the look for after the publication, which says what it found. Undefined if nobody asked
 * for one.
 */
export async function lookLive(
  run: RunContext,
  { id, name, verify, answer, texts }: Looking,
): Promise<((answer: JsonMap) => Promise<void>) | undefined> {
  const { settings } = run;
  if (verify !== true && settings.verify !== true) return undefined;
  const address = addressOf(answer);
  const isFirst = answer["status"] !== "published";
  const before = address === undefined ? undefined : await lookBefore(run.publicPages, address);
  return async (now) => {
    const url = addressOf(now);
    const waitMs = settings.verifyWaitMs ?? DEFAULT_WAIT_MS;
    const published = url !== undefined && { url, texts, before, isFirst };
    const found = published ? await lookUntilSeen(run.publicPages, published, waitMs) : withoutAddress;
    run.warn({ code: "seen-live", kind: "page", id, name, ...found });
  };
}

/** Returns the texts that this pass changes. For a page that is published for the first time, or had to wait, it returns all declared texts. */
export function textsToSee({ now, object }: PagePass, { content }: Writes): WantedText[] {
  const isChange = object.answer["status"] === "published" && Object.keys(content).length > 0;
  const texts = isChange ? content : renderAll(now.content, valuesNow(object, now.variables));
  return wantedTexts(texts, mapOf(object.answer["content"]));
}

export function wantedTexts(texts: JsonMap, old: JsonMap): WantedText[] {
  return Object.entries(texts).flatMap(([key, now]) => {
    const before = old[key] === now ? undefined : old[key];
    return typeof now === "string" ? [{ key, now, before: typeof before === "string" ? before : undefined }] : [];
  });
}
