/** A page of a release that is due, as the service shows it now. */
import type { Page } from "../../api/records.ts";
import type { ForeignEdit } from "../../messages/foreign-edits.ts";
import { isMap, same, snake, type Json, type JsonMap } from "../../values/json.ts";
import type { RunContext } from "../../reconcile/run-context.ts";
import { pages } from "../page/collection.ts";
import { foreignEdits } from "../page/drafts/foreign-edits.ts";
import { mayBeEdited } from "../page/drafts/by-dates.ts";
import { NO_WRITES } from "../page/drafts/own-writes.ts";
import { lookAtPage, type PageLook } from "../page/drafts/page-look.ts";
import type { NodeInput } from "../page/declared.ts";
import { liveNodes, project } from "../page/nodes.ts";
import { footprintOf, type ReleaseDraft, type Revision } from "../page/release-draft.ts";

export interface Member {
  readonly id: string;
  readonly draft: ReleaseDraft;
  readonly record: Page;
  readonly look: PageLook;
  /** Edits that are not the program's, and would go live with it. */
  readonly edits: readonly ForeignEdit[];
  /** Texts in which the release itself has put links right since the look, by content key. */
  readonly corrected: Map<string, string>;
}

/** Undefined where somebody has deleted the page. */
export async function openMember(run: RunContext, id: string, draft: ReleaseDraft): Promise<Member | undefined> {
  const record = await run.account.read(pages, id);
  if (!record) return undefined;
  let look: PageLook = await lookAtPage(run, id);
  if (draft.before && (await finishTakingBack(run, id, draft, look))) look = await lookAtPage(run, id);
  const edits = record.status === "published" ? await editsIn(run, record, draft, look) : [];
  return { id, draft, record, look, edits, corrected: new Map() };
}

async function editsIn(
  run: RunContext,
  record: Page,
  draft: ReleaseDraft,
  look: PageLook,
): Promise<readonly ForeignEdit[]> {
  const { at } = draft;
  const footprint = footprintOf(draft, record.id);
  const edits = footprint ? foreignEdits(footprint, look, NO_WRITES) : unnamed(record, at);
  if (edits.length === 0 || run.putAside.has(record.id)) return edits;
  const isPublishedSince = record.published_at !== null && record.published_at !== at;
  return isPublishedSince && !(await mayBeEdited(run, record, footprint?.lag)) ? [] : edits;
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
  { fields }: PageLook,
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

async function writeNode(run: RunContext, pageId: string, nodeId: string, input: NodeInput): Promise<void> {
  const target = { page_id: pageId, node_id: nodeId };
  if ("node" in input) await run.api.builder.replaceNode({ ...target, node: input.node });
  else {
    const updates = { ...(input.misc && { misc: input.misc }), ...(input.style && { style: input.style }) };
    await run.api.builder.updateNode({ ...target, updates });
  }
}
