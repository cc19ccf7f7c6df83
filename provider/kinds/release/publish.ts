/**
 * The publication of a release. First it looks at and checks every page that was written since its last publication. Only when all are
 * ready they go out, one after another. If one can't, it takes back those before it. A run that ends on the way leaves the release due, and
 * the next one goes through all of it again.
 */
import type { PagePublished } from "../../api/records.ts";
import type { Apply } from "../../definition/define.ts";
import { pageKey, pages } from "../page/document/collection.ts";
import { orElse } from "../page/document/document.ts";
import { tell } from "../page/edits/guard.ts";
import { pageRestoresDraft } from "../page/held.ts";
import { PageRun, placeOfRecord } from "../page/document/places.ts";
import { lookLive, publishOne, unready, wantedTexts } from "../page/public/publish.ts";
import { draftIn, isDue, RELEASED, type ReleaseDraft } from "../page/document/released.ts";
import { refuseDraft } from "../page/public/settle.ts";
import { bring, type Found, linkTargetsFirst, type Member, openMember, readdressed, slippedInto } from "./member.ts";
import { takeAllBack, takeHalfBack, wentOut, withMove } from "./take-back.ts";
import { ApplyError } from "../../messages/errors.ts";
import type { ObjectState } from "../../reconcile/object-state.ts";
import type { RunContext } from "../../reconcile/run-context.ts";
import { camelKeys, type Json, type JsonMap, mapEach, mapOf } from "../../values/json.ts";

interface ReleaseInputs {
  readonly pages: readonly { readonly pageId: string }[];
  readonly drafts?: readonly string[] | undefined;
}

export async function publishRelease({ run, now, object }: Apply<ReleaseInputs>): Promise<void> {
  const drafts = now.pages.flatMap(({ pageId }, index): [string, ReleaseDraft][] => {
    const draft = draftIn(now.drafts?.[index]);
    return draft ? [[pageId, draft]] : [];
  });
  const due = drafts.filter(([id, draft]) => isDue(object.notes, id, draft));
  const members = linkTargetsFirst((await openAll(run, drafts, due)).map((one) => withMove(run, object, one)));
  for (const { id, draft, record } of members) run.part(PageRun).awaitPlace(id, draft, placeOfRecord(record));
  const held = members.filter(({ guarded }) => guarded.isHeld);
  if (held.length > 0) {
    await holdBack(run, object, members, held);
    object.unfinished.set("drafts", "held");
    return;
  }
  for (const { pass, guarded } of members) tell(pass, "included", guarded.edits);
  await requireAllReady(run, members);
  // A page that goes elsewhere makes way for the others, also in a run that has nothing more to write to it.
  for (const { id } of members) run.settings.ours?.add(pageKey(id));
  const looks = await Promise.all(members.map(async (member) => [member.id, await lookAt(run, member)] as const));
  const published = await publishTogether(run, object, members);
  for (const { id } of members) run.part(PageRun).endAwaiting(id);
  const revisions = Object.fromEntries(drafts.map(([id, { revision }]) => [id, revision]));
  object.notes = { ...object.notes, [RELEASED]: revisions };
  const known = mapOf(object.answer["urls"]);
  object.learn({ urls: mapEach(revisions, (_, id) => published.get(id)?.url ?? known[id]) });
  await tellSlippedIn(members);
  await Promise.all(
    looks.map(async ([id, look]) => {
      const { url = null, domain = null, slug = null } = published.get(id) ?? {};
      await look?.({ status: "published", url, domain, slug });
    }),
  );
  for (const { pageId } of now.pages) {
    const draft = run.settings.restore?.objects[pageKey(pageId)]?.draft ?? run.draftsToCome.get(pageId);
    if (draft) await pageRestoresDraft(run, pageId, draft);
  }
}

type Drafts = readonly (readonly [id: string, draft: ReleaseDraft])[];

/** The pages that are not due are to be there, too: all are public together. */
async function openAll(run: RunContext, drafts: Drafts, due: Drafts): Promise<Member[]> {
  // The drafts were written after their publication. How long after tells nothing of what a publication moves by itself.
  for (const [id] of due) run.part(PageRun).beginWork(id, {});
  const records = await Promise.all(due.map(([id]) => run.account.read(pages, id)));
  const idle = due.length === 0 ? [] : drafts.filter((one) => !due.includes(one));
  const rows = await Promise.all(idle.map(([id]) => run.account.row(pages, id)));
  const found = due.flatMap(([id, draft], index): Found[] => (records[index] ? [[id, draft, records[index]]] : []));
  const corrected = found.flatMap(([, { url: likely }, { status, url }]) =>
    status === "published" && likely !== null && url !== null && url !== likely ? [[likely, url] as const] : [],
  );
  const all = [...records, ...rows];
  const gone = [...due, ...idle].flatMap(([, { name }], index) => (all[index] ? [] : [`"${name}"`]));
  if (gone.length === 0) return Promise.all(found.map((one) => openMember(run, one, corrected)));
  throw new ApplyError(
    `publish: ${gone.join(", ")} of this release was deleted by somebody else, so no page of it was published. ` +
      `Run again with --refresh, which makes it anew.`,
  );
}

/** One page that is held back holds all. */
async function holdBack(
  run: RunContext,
  object: ObjectState,
  members: readonly Member[],
  held: readonly Member[],
): Promise<void> {
  const out = await takeHalfBack(run, object, members);
  const heldBy = held.map(({ draft: { name } }) => name);
  const others = members.filter((member) => !held.includes(member));
  for (const member of [...held, ...others]) {
    const isPublic = out.includes(member) && { isPublic: true as const };
    const { pass, guarded } = member;
    tell(pass, "held-back", guarded.isHeld ? guarded.edits : [], { ...(!guarded.isHeld && { heldBy }), ...isPublic });
  }
}

async function requireAllReady(run: RunContext, members: readonly Member[]): Promise<void> {
  const checks = await Promise.all(
    members.map(async ({ id, record }) =>
      unready(run.api, { id, isPublic: record.status === "published" }, await run.api.pages.validate(id)),
    ),
  );
  const failures = checks.filter((why) => why !== undefined);
  if (failures.length > 0) throw new ApplyError(`${failures.join(" ")} No page of this release was published.`);
}

/** Publishes pages together. If one can't go out, those that went out are taken back. */
async function publishTogether(
  run: RunContext,
  object: ObjectState,
  members: readonly Member[],
): Promise<ReadonlyMap<string, PagePublished>> {
  const published = new Map<string, PagePublished>();
  for (const [index, member] of members.entries()) {
    const { id, draft, record } = member;
    const before = { from: placeOfRecord(record), replacedId: draft.replacedId, owner: object.identity };
    try {
      const result = await publishOne(run, id, draft.place, before);
      await requirePublic(run, member);
      for (const later of members.slice(index + 1)) await correctLinks(member, result.url, later);
      published.set(id, result);
    } catch (error) {
      // A page that made way was published for that, as it is now. It goes back last, once its place is free again.
      const out = members.slice(index + 1).filter((later) => run.putAside.has(later.id));
      out.push(...members.slice(0, index));
      if (await wentOut(run, member, error)) out.push(member);
      throw await takeAllBack(run, object, out, { failed: member, cause: error });
    }
  }
  return published;
}

/** Refuses a page that stays a draft though its publication was answered with success: links to it would lead nowhere. */
async function requirePublic(run: RunContext, { id, record }: Member): Promise<void> {
  if (record.status === "published") return;
  const shown = await run.account.documents.published(await run.api.pages.read(id));
  refuseDraft(shown, run.settings.patienceMs);
}

/** Corrects pages that were written before the address was known: they got the likely address. */
async function correctLinks(
  { draft: { url: likely } }: Member,
  url: string | null,
  { pass, document, corrected }: Member,
): Promise<void> {
  if (url === null || likely === null || url === likely) return;
  const texts = [...new Map<string, Json | undefined>([...(document.fields ?? []), ...corrected])];
  const read = texts.flatMap(([key, text]): [string, string][] => (typeof text === "string" ? [[key, text]] : []));
  const wrong = read.filter(([, text]) => readdressed(text, likely, url) !== text);
  if (wrong.length === 0) return;
  const right = wrong.map(([key, text]): [string, string] => [key, readdressed(text, likely, url)]);
  const saying = (content: [string, string][]) => ({ content: Object.fromEntries(content), nodes: {} });
  await bring(pass, saying(wrong), saying(right));
  for (const [key, text] of right) corrected.set(key, text);
}

// After a release went out: the edits that slipped in, and the texts that visitors get. A failure of these looks is no failure of the release.

/** Tells of edits between the look and the publication, which may be public. Links that were put right are the release's own. */
async function tellSlippedIn(members: readonly Member[]): Promise<void> {
  const edited = members.filter(({ record }) => record.status === "published");
  const slipped = await Promise.all(edited.map((member) => orElse(slippedInto(member), [])));
  for (const [index, { pass }] of edited.entries()) tell(pass, "slipped-in", slipped[index] ?? []);
}

function lookAt(run: RunContext, { id, record, draft }: Member): ReturnType<typeof lookLive> {
  const { name, verify, before, after } = draft;
  const texts = wantedTexts(after.content, before?.content ?? {});
  return lookLive(run, { id, name, verify, answer: camelKeys(record), texts });
}

/** Reads a release. A page that it has published, and that is a draft now, is to be published again. */
export async function readRelease(run: RunContext, _id: string, old: ObjectState): Promise<JsonMap> {
  const released = Object.entries(mapOf(old.notes[RELEASED]));
  const looks = await Promise.all(released.map(([id]) => isDraft(run, id)));
  if (!looks.includes(true)) return old.answer;
  old.notes = { ...old.notes, [RELEASED]: Object.fromEntries(released.filter((_one, index) => looks[index] !== true)) };
  old.reapply("drafts");
  return old.answer;
}

/** Tells if a page is a draft. A list may lag behind. */
async function isDraft(run: RunContext, id: string): Promise<boolean> {
  const row = await run.account.row(pages, id);
  return row?.status === "draft" && (await run.account.read(pages, id))?.status === "draft";
}
