/** How pages and their release know each other. Programs load this at their start. Pure. */
import type { ReleaseDraft } from "./release-draft.ts";
import { isMap, type JsonMap } from "../../../values/json.ts";

/** The output of a page in a release that tells of its draft. */
export const DRAFT = "__draft";

/** The input by which a release gets these drafts, in the order of its pages. */
export const DRAFTS = "drafts";

/** An output that every state of a page has, and that no preview of an update knows. */
export const TOLD_BY_STATE = "hasUnpublishedChanges";

/** Revisions by page, as they were last published. */
export const RELEASED = "released";

/** `gathers`: the input that names them. */
export function memberIds(inputs: JsonMap, gathers: string): string[] {
  const members = inputs[gathers];
  return (Array.isArray(members) ? members : []).flatMap((member) => {
    const id = isMap(member) ? member["pageId"] : undefined;
    return typeof id === "string" ? [id] : [];
  });
}

/** Tells if the page was written since its release last published it. `notes`: those of the release. */
export function isDue(notes: JsonMap, pageId: string, { revision }: ReleaseDraft): boolean {
  const released = isMap(notes[RELEASED]) ? notes[RELEASED] : {};
  return released[pageId] !== revision;
}

/** Tells if the declared publication waits for a release. */
export function isReleased(inputs: { readonly publish?: unknown }): boolean {
  return releaseIn(inputs) !== undefined;
}

/** Returns the release that the declared publication waits for. */
export function releaseIn({ publish }: { readonly publish?: unknown }): unknown {
  return isMap(publish) ? publish["release"] : undefined;
}
