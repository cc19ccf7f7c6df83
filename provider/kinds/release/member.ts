/** A page of a release that is due: its draft as it is now, and the edits that the guard of pages finds in it. */
import type { Page } from "../../api/records.ts";
import { pageKey, pages } from "../page/document/collection.ts";
import { Draft, type NodeInput, type PageDocument } from "../page/document/document.ts";
import { standsIn } from "../page/edits/foreign-edits.ts";
import { lookForEdits, slippedIn } from "../page/edits/guard.ts";
import { writeNode } from "../page/draft/nodes.ts";
import { leavesSet } from "../page/document/ours.ts";
import { leafName } from "../page/document/readings.ts";
import type { ReleaseDraft, Revision } from "../page/document/released.ts";
import { type Writes, writesFor } from "../page/document/writes.ts";
import type { ForeignEdit, ForeignEditsNotice, ForeignEditsPolicy } from "../../messages/foreign-edits.ts";
import { policyFor, policyOf } from "../../reconcile/foreign-edits.ts";
import { ObjectState } from "../../reconcile/object-state.ts";
import type { RunContext } from "../../reconcile/run-context.ts";
import { normalSlug } from "../../values/addresses.ts";
import { camelKeys, filterMap, type Json, type JsonMap, mapOf, same, snake } from "../../values/json.ts";

export interface Member {
  readonly id: string;
  readonly draft: ReleaseDraft;
  readonly record: Page;
  readonly document: PageDocument;
  /** The release writes nothing by itself. It tells our values from others. */
  readonly writes: Writes;
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
  const isFinished = draft.before && (await finishTakingBack(run, id, draft, await look.whole()));
  const now = isFinished ? look.written() : look;
  const object = asReleased(id, draft, record);
  const writes = writesFor(object, undefined);
  for (const text of Object.values(draft.after.content)) writes.ours.addText(text);
  // If the page was taken over with edits in its draft, nobody knows which.
  const known = { publishedAt: draft.at, hasUnpublishedChanges: true };
  const isPublic = record.status === "published";
  const looked =
    isPublic && (await lookForEdits({ run, id, object, document: now }, { writes, publishes: true, known }));
  const { edits } = looked || { edits: [] };
  return { id, draft, record, document: await now.whole(), writes, edits, corrected: new Map() };
}

/** Returns the page as its own pass left it to the release. */
function asReleased(id: string, { shipped, ours }: ReleaseDraft, record: Page): ObjectState {
  const object = new ObjectState({ rule: () => ({}) }, id);
  object.recorded = true;
  object.answer = camelKeys(record);
  object.notes = { ...(shipped !== undefined && { shipped }), ours };
  return object;
}

/**
 * Goes on for an earlier run that was ended while it took a publication back: the draft has the old texts and nodes, and gets ours again. A
 * value that is neither the old one nor ours is somebody's. No call shows a delay.
 */
async function finishTakingBack(
  run: RunContext,
  id: string,
  { before, after }: ReleaseDraft,
  { fields, nodes }: PageDocument,
): Promise<boolean> {
  if (!before) return false;
  const shows = (nodeId: string, node: Json): boolean =>
    leavesSet(nodeId, node).every(([name, value]) =>
      [...(nodes.get(nodeId)?.leaves ?? [])].some(([place, is]) => leafName(nodeId, place) === name && same(is, value)),
    );
  const content = oldValues(before.content, after.content, (key, then) => same(fields?.get(key), then));
  const looks = oldValues(before.nodes, after.nodes, shows);
  const isDelayAlone = before.delay !== undefined && Object.keys({ ...before.content, ...before.nodes }).length === 0;
  if (Object.keys({ ...content, ...looks }).length === 0 && !isDelayAlone) return false;
  await write(run, id, { ...after, content, nodes: looks });
  return true;
}

/** Returns the new values in whose place the draft has the old ones. */
function oldValues(before: JsonMap, after: JsonMap, isShown: (key: string, then: Json) => boolean): JsonMap {
  return filterMap(after, (value, key) => {
    const then = before[key];
    return then !== undefined && !same(value, then) && isShown(key, then);
  });
}

/** Brings texts, nodes and delay of a draft to these. */
export async function write(run: RunContext, id: string, { content, nodes, delay }: Revision): Promise<void> {
  const updates = filterMap(content, (value) => value !== null);
  if (Object.keys(updates).length > 0) await run.api.pages.updateContent({ page_id: id, updates });
  for (const [nodeId, node] of Object.entries(nodes)) await writeNode(run, id, nodeId, node as unknown as NodeInput);
  if (delay === undefined) return;
  const settings = Object.entries(mapOf(delay)).map(([key, value]): [string, Json] => [snake(key), value]);
  await run.api.builder.setDelay({ page_id: id, ...(Object.fromEntries(settings) as object) });
}

/** Returns the decision of a release about edits of others in the draft of a page. */
export function memberWord(
  run: RunContext,
  { id, draft }: Member,
  edits: readonly ForeignEdit[],
): ForeignEditsPolicy | undefined {
  // The current declaration counts. The setting by itself changes nothing of the page, so its draft may carry the setting from before.
  const declared = run.settings.seen?.objectOf(pageKey(id))?.inputs;
  return policyFor(run, id, edits, declared === undefined ? draft.policy : policyOf(declared["onForeignEdits"]));
}

export function tell(
  run: RunContext,
  { id, draft: { name } }: Member,
  outcome: ForeignEditsNotice["outcome"],
  edits: readonly ForeignEdit[],
  more: Pick<ForeignEditsNotice, "heldBy" | "isPublic"> = {},
): void {
  run.warn({ code: "foreign-edits", kind: "page", id, name, outcome, edits, ...more });
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
export async function slippedInto(run: RunContext, member: Member): Promise<ForeignEdit[]> {
  const { id, document: before, draft, corrected, writes } = member;
  for (const text of corrected.values()) writes.ours.addText(text);
  const now = new Draft(run, id);
  const sent = { ...writes, content: Object.fromEntries(corrected) };
  const slipped = (after: PageDocument) => slippedIn(before, after, { writes: sent, known: undefined });
  const tree = await now.tree();
  const tells = Object.values(draft.after.content).some((text) => standsIn(tree, text));
  return tells && slipped(tree).length === 0 ? [] : slipped(await now.whole());
}
