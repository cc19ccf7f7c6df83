/**
 * Where the content map shows what is live, an edit of a field shows in the builder tree alone, which names no keys. A node that is
 * as it was published once a live text is put back into it tells which field was edited, and what the draft says there. Pure.
 */
import type { ForeignEdit } from "../../../messages/foreign-edits.ts";
import type { Json } from "../../../values/json.ts";
import { valueText, type Marks } from "./footprint.ts";
import { isOnceExchanged } from "./exchanged.ts";
import { leavesOf } from "./leaves.ts";
import { saidText, type PassWrites, type Written } from "./own-writes.ts";
import { holdsOne, movedNodes, textsOf } from "./foreign-edits.ts";
import type { PageLook } from "./page-look.ts";

export interface DraftText {
  /** Several, where they have the same live text. */
  readonly keys: readonly string[];
  readonly text: string;
}

/** Live texts that stand in no node any more: with more of them it would be guessing. */
const MOST_LOST = 8;

/** By node: all that moved in it since it was published, where that is texts of fields and nothing else. */
export function draftTexts(published: Marks, look: PageLook): Map<string, DraftText[]> {
  const keys = keysByText(look);
  const all = [...keys.keys()];
  const lost = all.filter((text) => isNowhere(text, look));
  const found = movedNodes(published, look, { nodeIds: new Set() }).flatMap(
    ([id, { own }]): [string, DraftText[]][] => {
      if (id === "") return [];
      const isPublished = (node: string): boolean => published.holds(id, node);
      const pools =
        lost.length > MOST_LOST
          ? []
          : [
              [lost, all],
              [lost, lost, lost],
            ];
      const edits = [[all], ...pools].reduce<Edit[] | undefined>(
        (found, pool) => found ?? putBack(own, pool, isPublished),
        undefined,
      );
      return edits ? [[id, edits.map(({ live, text }) => ({ keys: keys.get(live) ?? [], text }))]] : [];
    },
  );
  return new Map(found);
}

/** `own`: what is written by name. Nodes that hold nothing else than what is written over are told so; those that hold what the code says are no edits. */
export function withOwnTexts(
  edits: readonly ForeignEdit[],
  published: Marks,
  look: PageLook,
  own: PassWrites,
): readonly ForeignEdit[] {
  if (look.fields === undefined || !edits.some(({ kind }) => kind === "node")) return edits;
  const texts = draftTexts(published, look);
  return edits.flatMap((edit): ForeignEdit[] => {
    const held = edit.kind === "node" ? texts.get(edit.nodeId) : undefined;
    if (edit.kind !== "node" || held?.every((text) => isOwnText(text, own)) !== true) return [edit];
    return held.every((text) => isSaid(text, own)) ? [] : [{ ...edit, writtenOver: true }];
  });
}

/**
 * Without nodes in which nothing moved but what this stack writes: once what stood there when the page was published is put back in
 * its place, the node is as it was published, so a run of ours that failed or was killed has written it, and nobody anything else.
 */
export function withoutWritten(
  edits: readonly ForeignEdit[],
  published: Marks,
  look: PageLook,
  written: readonly Written[],
): readonly ForeignEdit[] {
  const isWritten = (nodeId: string): boolean => {
    const own = look.nodes.get(nodeId)?.own;
    return own !== undefined && isOnceExchanged(own, written, (node) => published.holds(nodeId, node));
  };
  return written.length === 0 ? edits : edits.filter((edit) => edit.kind !== "node" || !isWritten(edit.nodeId));
}

function isOwnText(text: DraftText, own: PassWrites): boolean {
  return isSaid(text, own) || text.keys.every((key) => own.keys.has(key));
}

function isSaid({ keys, text }: DraftText, own: PassWrites): boolean {
  return keys.some((key) => Object.hasOwn(own.said, key) && saidText(own, key) === valueText(text));
}

/** Stands in no node: the draft says something else there. A text of a few letters stands everywhere. */
export function isNowhere(value: Json | undefined, look: PageLook): boolean {
  return typeof value === "string" && textsOf([value]).length > 0 && !isSomewhere(value, look);
}

export function isSomewhere(value: Json | undefined, { nodes }: PageLook): boolean {
  const texts = textsOf([value ?? null]);
  return [...nodes.values()].some((node) => holdsOne(node, texts));
}

function keysByText({ fields }: PageLook): Map<string, string[]> {
  const keys = new Map<string, string[]>();
  for (const [key, value] of fields ?? [])
    if (typeof value === "string") keys.set(value, [...(keys.get(value) ?? []), key]);
  return keys;
}

interface Edit {
  readonly live: string;
  readonly text: string;
}

/** What has to be put back, each from its pool of live texts, in another place each. */
function putBack(
  own: string,
  [pool = [], ...rest]: readonly (readonly string[])[],
  isPublished: (node: string) => boolean,
  done: ReadonlySet<number> = new Set(),
): Edit[] | undefined {
  const node = JSON.parse(own) as Json;
  for (const [index, { value: text, set }] of leavesOf(node).entries()) {
    if (typeof text !== "string" || done.has(index)) continue;
    for (const live of pool) {
      if (live === text) continue;
      set(live);
      const changed = JSON.stringify(node);
      if (isPublished(changed)) return [{ live, text }];
      const others = rest.length > 0 ? putBack(changed, rest, isPublished, new Set([...done, index])) : undefined;
      if (others) return [{ live, text }, ...others];
    }
    set(text);
  }
  return undefined;
}
