/** A page of a release that is due, as the service shows it now: what it was last published with, and what is not ours in its draft. */
import type { Page } from "../../api/records.ts";
import type { ForeignEdit, ForeignEditsWord } from "../../messages/foreign-edits.ts";
import { isMap, same, snake, type Json, type JsonMap } from "../../values/json.ts";
import type { RunContext } from "../../reconcile/run-context.ts";
import { pageKey, pages } from "../page/collection.ts";
import { mayBeEdited } from "../page/dates.ts";
import type { NodeInput } from "../page/declared.ts";
import { Draft, type PageDocument } from "../page/document.ts";
import { foreignEdits, type Own } from "../page/foreign-edits.ts";
import { wordFor, wordOf } from "../page/guard.ts";
import { liveNodes, project, writeNode } from "../page/nodes.ts";
import { Ours } from "../page/ours.ts";
import { shippedOf, type ReleaseDraft, type Revision } from "../page/release-draft.ts";

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

/** Undefined where somebody has deleted the page. */
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
export function ownOf(id: string, { ours }: ReleaseDraft, content: JsonMap = {}): Own {
  return { content, nodes: {}, doubtful: {}, broad: false, ours: new Ours(id, ours) };
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
 * An earlier run was ended while it took a publication back: the draft has the old texts and nodes, and gets ours again.
 * What is neither the one nor the other is somebody's. A delay is shown by no call.
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

/** Of the nodes that are to be changed, those that are as before. */
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

/** What a release does about edits of others in the draft of a page. */
export function memberWord(
  run: RunContext,
  { id, draft, edits }: Pick<Member, "id" | "draft" | "edits">,
): ForeignEditsWord | undefined {
  // As the page declares it now: a word by itself changes nothing of the page, so that its draft may carry the one before.
  const declared = run.settings.seen?.objectOf(pageKey(id))?.inputs;
  return wordFor(run, id, edits, declared === undefined ? draft.word : wordOf(declared["onForeignEdits"]));
}
