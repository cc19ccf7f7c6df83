/** A page of a release that is due: a pass of the page's own, which has looked at the draft and is to publish it. */
import type { Page } from "../../api/records.ts";
import { applyContent } from "../page/draft/content.ts";
import { applyDelay } from "../page/draft/metadata.ts";
import { applyNodes } from "../page/draft/nodes.ts";
import { pageKey } from "../page/document/collection.ts";
import { Draft, endOf, type PageDocument, type PageLife, type Reached } from "../page/document/document.ts";
import { standsIn } from "../page/edits/foreign-edits.ts";
import { guard, type Guarded, slippedIn } from "../page/edits/guard.ts";
import { leavesSet } from "../page/document/ours.ts";
import { leavesIn } from "../page/document/readings.ts";
import type { ReleaseDraft, Revision } from "../page/document/released.ts";
import { planWrites } from "../page/document/writes.ts";
import type { ForeignEdit } from "../../messages/foreign-edits.ts";
import { policyOf } from "../../reconcile/foreign-edits.ts";
import { ObjectState } from "../../reconcile/object-state.ts";
import type { RunContext } from "../../reconcile/run-context.ts";
import { normalSlug } from "../../values/addresses.ts";
import { camelKeys, filterMap, type Json, type JsonMap, same } from "../../values/json.ts";

export interface Member {
  readonly id: string;
  readonly draft: ReleaseDraft;
  readonly record: Page;
  readonly pass: Reached;
  readonly guarded: Guarded;
  readonly document: PageDocument;
  /** Texts in which the release itself has put links right since the look, by content key. */
  readonly corrected: Map<string, string>;
}

export type Found = readonly [id: string, draft: ReleaseDraft, record: Page];

/** `corrected`: the likely addresses of pages that are public, and the ones that they got. */
export async function openMember(
  run: RunContext,
  [id, draft, record]: Found,
  corrected: readonly (readonly [likely: string, url: string])[],
): Promise<Member> {
  const pass = await takenBackBefore(passOf(run, id, draft, record), draft);
  const writes = planWrites(pass);
  // An earlier run may have put these right, and ended before the page was public.
  for (const [likely, url] of corrected)
    for (const text of Object.values(draft.after.content))
      if (typeof text === "string") writes.ours.addText(readdressed(text, likely, url));
  // If the page was taken over with edits in its draft, nobody knows which.
  const known = { publishedAt: draft.at, hasUnpublishedChanges: true };
  const looked = await guard(pass, writes, known);
  const { held = [], stays = draft.place } = draft;
  const guarded = held.length === 0 ? looked : { ...looked, edits: [...held, ...looked.edits], isHeld: true };
  const document = await pass.document.whole();
  return { id, draft: { ...draft, place: stays }, record, pass, guarded, document, corrected: new Map() };
}

/** Returns the page as its own pass left it to the release. It is as declared, so the pass writes nothing by itself. */
function passOf(run: RunContext, id: string, draft: ReleaseDraft, record: Page): Reached {
  const { name, place, verify, after, policy, shipped, ours } = draft;
  const object = new ObjectState({ rule: () => ({}) }, id);
  object.recorded = true;
  object.answer = camelKeys(record);
  object.notes = { ...(shipped !== undefined && { shipped }), ours };
  // The current declaration counts. The setting by itself changes nothing of the page, so its draft may carry the setting from before.
  const declared = run.settings.seen?.objectOf(pageKey(id))?.inputs;
  const onForeignEdits = declared === undefined ? policy : policyOf(declared["onForeignEdits"]);
  const now = { ...inputsOf(after), name, publish: { ...place, verify }, onForeignEdits };
  const nothing = { changed: new Set<string>(), removed: new Set<string>(), sent: [], created: false };
  return { run, id, now, object, document: new Draft(run, id), keep: () => Promise.resolve(), ...nothing };
}

function inputsOf({ content, ...others }: Revision): Pick<PageLife, "content" | "nodes" | "delay"> {
  return { ...others, content: filterMap(content, (value) => value !== null) } as object;
}

/** Brings texts, nodes and delay of the draft from one revision to another, as a pass of the page does. */
export async function bring<Pass extends Reached>(pass: Pass, from: Revision, to: Revision): Promise<Reached> {
  const object = pass.object.with((next) => {
    for (const [field, value] of Object.entries(from)) next.declare(field, value as Json);
  });
  const now = { ...pass.now, ...inputsOf(to) };
  let at: Reached = { ...pass, now, object, changed: new Set(Object.keys(to)) };
  const guarded = { ...UNGUARDED, writes: planWrites(at) };
  for (const step of [applyContent, applyDelay, applyNodes]) at = await endOf(step(at, guarded));
  return { ...pass, document: at.document };
}

const UNGUARDED = { edits: [], found: [], isHeld: false, document: undefined, shipped: undefined };

/**
 * Goes on for an earlier run that was ended while it took a publication back: the draft has the old texts and nodes, and gets ours again. A
 * value that is neither the old one nor ours is somebody's. No call shows a delay.
 */
async function takenBackBefore(pass: Reached, { before, after }: ReleaseDraft): Promise<Reached> {
  if (!before) return pass;
  const { fields, nodes } = await pass.document.whole();
  const leaves = new Map(leavesIn(nodes).map((leaf) => [leaf.name, leaf.value]));
  const shows = (nodeId: string, node: Json): boolean =>
    leavesSet(nodeId, node).every(([name, value]) => same(leaves.get(name), value));
  const content = oldValues(before.content, after.content, (key, then) => same(fields?.get(key), then));
  const looks = oldValues(before.nodes, after.nodes, shows);
  const isDelayAlone = before.delay !== undefined && Object.keys({ ...before.content, ...before.nodes }).length === 0;
  if (Object.keys({ ...content, ...looks }).length === 0 && !isDelayAlone) return pass;
  return bring(pass, before, { ...after, content, nodes: looks });
}

/** Returns the new values in whose place the draft has the old ones. */
function oldValues(before: JsonMap, after: JsonMap, isShown: (key: string, then: Json) => boolean): JsonMap {
  return filterMap(after, (value, key) => {
    const then = before[key];
    return then !== undefined && !same(value, then) && isShown(key, then);
  });
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
  if (url !== null && readdressed(text, url, "") !== text) return true;
  return place.slug !== "" && text.startsWith("/") && normalSlug(text) === place.slug;
}

/** Returns the text with one address in place of another: `/offer` is not `/offer-2`. */
export function readdressed(text: string, from: string, to: string): string {
  return text.split(from).reduce((before, after) => `${before}${/^[\w/-]/.test(after) ? from : to}${after}`);
}

/** Finds edits since the look. One read is enough if it tells that nothing moved. */
export async function slippedInto({ pass, guarded, document, draft, corrected }: Member): Promise<ForeignEdit[]> {
  const now = pass.document.written();
  const ours = guarded.writes.ours.and({ texts: corrected.values() });
  const sent = { ...guarded.writes, ours, content: Object.fromEntries(corrected) };
  const slipped = (after: PageDocument) => slippedIn(document, after, sent);
  const tree = await now.tree();
  const tells = Object.values(draft.after.content).some((text) => standsIn(tree, text));
  return tells && slipped(tree).length === 0 ? [] : slipped(await now.whole());
}
