/** How pages and their release know each other. Programs load this at their start. Pure. */
import type { PageLife } from "./document.ts";
import type { Place } from "./places.ts";
import { isMap, type Json, type JsonMap } from "../../../values/json.ts";

/** Rendered texts by key, and nodes by id. */
export interface Revision {
  readonly content: JsonMap;
  readonly nodes: JsonMap;
  readonly delay?: Json;
}

export interface ReleaseDraft {
  /** Moves with each write. */
  readonly revision: number;
  readonly name: string;
  readonly place: Place;
  /** The address where it will be public, as far as that can be told. */
  readonly url: string | null;
  /** The page that this one replaces, as long as that page may have its path. */
  readonly predecessor?: string;
  /** The date of its last publication before this, by the service's clock; NEVER if there was none. */
  readonly at: string;
  /** The record of its last publication, as the notes have it. */
  readonly shipped?: Json;
  readonly ours: Json;
  /** The public values of what was written since; absent if nothing is public. */
  readonly before?: Revision;
  readonly after: Revision;
  readonly verify: boolean;
  readonly word?: PageLife["onForeignEdits"];
}

/** The output of a page in a release that tells of its draft. */
export const DRAFT = "__draft";

/** The input by which a release gets these drafts, in the order of its pages. */
export const DRAFTS = "drafts";

/** An output that every state of a page has, and that no preview of an update knows. */
export const TOLD_BY_STATE = "hasUnpublishedChanges";

/** Revisions by page, as they were last published. */
export const RELEASED = "released";

export function draftIn(text: unknown): ReleaseDraft | undefined {
  return typeof text === "string" && text !== "" ? (JSON.parse(text) as ReleaseDraft) : undefined;
}

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

/** Tells if the declared publication makes the page public by itself. A publication in a release waits for the release. */
export function isToBePublic(publish: Json | undefined): boolean {
  return isMap(publish) && publish["release"] === undefined;
}
