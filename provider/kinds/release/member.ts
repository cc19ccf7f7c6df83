/** A page of a release that is due, as the service shows it now: the record of its last publication, and the parts of its draft that are not ours. */
import type { Page } from "../../api/records.ts";
import { pageKey, pages } from "../page/collection.ts";
import { mayBeEdited } from "../page/dates.ts";
import { Draft, type NodeInput, type PageDocument } from "../page/document.ts";
import { foreignEdits, type Own, standsIn } from "../page/foreign-edits.ts";
import { slippedIn, wordFor, wordOf } from "../page/guard.ts";
import { liveNodes, project, writeNode } from "../page/nodes.ts";
import { Ours } from "../page/ours.ts";
import { type ReleaseDraft, type Revision, shippedOf } from "../page/release-draft.ts";
import { asText } from "../page/texts.ts";
import type { ForeignEdit, ForeignEditsWord } from "../../messages/foreign-edits.ts";
import type { RunContext } from "../../reconcile/run-context.ts";
import { normalSlug } from "../../values/addresses.ts";
import { isMap, type Json, type JsonMap, same, snake } from "../../values/json.ts";

export interface Member {
  readonly id: string;
  readonly draft: ReleaseDraft;
  readonly record: Page;
  readonly document: PageDocument;
  /** Edits that are not the program's, and would go live with it. */
  readonly edits: readonly ForeignEdit[];
  /** Texts in which the release itself has put links right since the look, by content key. */
  readonly corrected: Map<string, string>;
}

/** Opens a page of a release; undefined if somebody has deleted it. */
export async function openMember(run: RunContext, id: string, draft: ReleaseDraft): Promise<Member | undefined> {
  const record = await run.account.read(pages, id);
  if (!record) return undefined;
  const look = new Draft(run, id);
  const found = await look.whole();
  const isFinished = draft.before && (await finishTakingBack(run, id, draft, found));
  const document = isFinished ? await look.written().whole() : found;
  return { id, draft, record, document, edits: await editsIn(run, record, draft, document), corrected: new Map() };
}

/** A release writes nothing to its pages by itself. */
function ownOf(id: string, { ours }: ReleaseDraft, content: JsonMap = {}): Own {
  return { content, nodes: {}, suspected: {}, broad: false, ours: new Ours(id, ours) };
}

async function editsIn(
  run: RunContext,
  record: Page,
  draft: ReleaseDraft,
  document: PageDocument,
): Promise<readonly ForeignEdit[]> {
  const { at } = draft;
  const { id, status } = record;
  if (status !== "published") return [];
  const shipped = shippedOf(draft, id);
  const edits = shipped ? foreignEdits(shipped, document, ownOf(id, draft)) : unnamed(record, at);
  if (edits.length === 0 || run.putAside.has(id)) return edits;
  const isPublishedSince = record.published_at !== null && record.published_at !== at;
  return isPublishedSince && !(await mayBeEdited(run, record, shipped?.lag)) ? [] : edits;
}

/** The page was taken over with edits in its draft, and nobody knows which. */
function unnamed({ updated_at, published_at }: Page, at: string): ForeignEdit[] {
  return published_at === at ? [{ kind: "unnamed", editedAt: updated_at ?? "", publishedAt: at }] : [];
}

/**
 * Goes on for an earlier run that was ended while it took a publication back: the draft has the old texts and nodes, and gets ours again. A
 * value that is neither the old one nor ours is somebody's. No call shows a delay.
 */
async function finishTakingBack(
  run: RunContext,
  id: string,
  { before, after }: ReleaseDraft,
  { fields }: PageDocument,
): Promise<boolean> {
  if (!before) return false;
  const isOld = (key: string, value: Json): boolean =>
    same(fields?.get(key), before.content[key]) && !same(value, before.content[key]);
  const content = Object.fromEntries(Object.entries(after.content).filter(([key, value]) => isOld(key, value)));
  const nodes = await oldNodes(run, id, before.nodes, after.nodes);
  const isDelayAlone = before.delay !== undefined && Object.keys({ ...before.content, ...before.nodes }).length === 0;
  if (Object.keys(content).length + Object.keys(nodes).length === 0 && !isDelayAlone) return false;
  await write(run, id, { ...after, content, nodes });
  return true;
}

/** Returns the nodes that are to be changed and are as before. */
async function oldNodes(run: RunContext, id: string, before: JsonMap, after: JsonMap): Promise<JsonMap> {
  const wasOf = ([nodeId, wanted]: [string, Json]): Json => {
    const then = before[nodeId];
    return isMap(then) && isMap(then["node"]) ? project(wanted, then["node"]) : (then ?? null);
  };
  const changed = Object.entries(after).filter((entry) => entry[0] in before && !same(wasOf(entry), entry[1]));
  const live = changed.length === 0 ? {} : await liveNodes(run, id, Object.fromEntries(changed));
  return Object.fromEntries(changed.filter((entry) => same(live[entry[0]], wasOf(entry))));
}

/** Brings texts, nodes and delay of a draft to these. */
export async function write(run: RunContext, id: string, { content, nodes, delay }: Revision): Promise<void> {
  const updates = Object.fromEntries(Object.entries(content).filter(([, value]) => value !== null));
  if (Object.keys(updates).length > 0) await run.api.pages.updateContent({ page_id: id, updates });
  for (const [nodeId, node] of Object.entries(nodes)) await writeNode(run, id, nodeId, node as unknown as NodeInput);
  if (delay === undefined) return;
  const settings = Object.entries(delay as JsonMap).map(([key, value]): [string, Json] => [snake(key), value]);
  await run.api.builder.setDelay({ page_id: id, ...(Object.fromEntries(settings) as object) });
}

/** Returns the decision of a release about edits of others in the draft of a page. */
export function memberWord(
  run: RunContext,
  { id, draft, edits }: Pick<Member, "id" | "draft" | "edits">,
): ForeignEditsWord | undefined {
  // The current declaration counts. The setting by itself changes nothing of the page, so its draft may carry the setting from before.
  const declared = run.settings.seen?.objectOf(pageKey(id))?.inputs;
  return wordFor(run, id, edits, declared === undefined ? draft.word : wordOf(declared["onForeignEdits"]));
}

// The order in which pages go public: linked pages come before those that link to them. Pure.

/** A circle is entered where the program names its first page. */
export function linkTargetsFirst(members: readonly Member[]): Member[] {
  const ordered: Member[] = [];
  const visited = new Set<string>();
  const visit = (member: Member): void => {
    if (visited.has(member.id)) return;
    visited.add(member.id);
    for (const target of members) if (linksTo(member, target)) visit(target);
    ordered.push(member);
  };
  for (const member of members) visit(member);
  return ordered;
}

function linksTo({ id, document }: Member, target: Member): boolean {
  if (id === target.id) return false;
  const texts = [...(document.fields?.values() ?? []), ...[...document.nodes.values()].flatMap((node) => node.texts)];
  return texts.some((text) => typeof text === "string" && mentions(text, target));
}

function mentions(text: string, { draft: { url, place } }: Member): boolean {
  if (url !== null && endsThere(text, url)) return true;
  return place.slug !== "" && text.startsWith("/") && normalSlug(text) === place.slug;
}

/** `/offer` is not `/offer-2`. */
function endsThere(text: string, url: string): boolean {
  for (let at = text.indexOf(url); at >= 0; at = text.indexOf(url, at + 1)) {
    if (!/[\w/-]/.test(text.charAt(at + url.length))) return true;
  }
  return false;
}

/** Finds edits since the look. One read is enough if it tells that nothing moved. */
export async function slippedInto(
  run: RunContext,
  { id, document: before, draft, corrected }: Member,
): Promise<ForeignEdit[]> {
  const own = ownOf(id, draft, Object.fromEntries(corrected));
  for (const text of corrected.values()) own.ours.addText(text);
  const shown = new Draft(run, id);
  const slipped = (now: PageDocument): ForeignEdit[] =>
    slippedIn(id, before, now, { writes: own, known: undefined }).filter((edit) => !isWritten(edit, draft));
  const tree = await shown.tree();
  const tells = Object.values(draft.after.content).some((text) => standsIn(tree, text));
  if (tells && slipped(tree).length === 0) return [];
  return slipped(await shown.whole());
}

/** Tells if an edit is our own write. A content map of the published version shows the draft's text once that is public. */
function isWritten(edit: ForeignEdit, { after }: ReleaseDraft): boolean {
  if (edit.kind !== "field" || edit.now === undefined) return false;
  const sent = after.content[edit.key];
  return sent !== undefined && asText(sent) === asText(edit.now);
}
