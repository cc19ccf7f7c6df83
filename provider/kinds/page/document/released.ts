/** How pages and their release know each other. Programs load this at their start. Pure. */
import type { PageLife } from "./document.ts";
import type { Place } from "./places.ts";
import type { Gathered } from "../../../definition/gathering.ts";
import type { ForeignEdit } from "../../../messages/foreign-edits.ts";
import { isMap, type Json, type JsonMap, mapOf } from "../../../values/json.ts";

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
  /** The place where we last left it; absent if it was not public. */
  readonly from?: Place;
  /** The place where somebody has moved it in the app, and where it stays. */
  readonly stays?: Place;
  /** Edits of its record that its own pass has left as they are. They hold the release. */
  readonly held?: readonly ForeignEdit[];
  /** The address where it will be public, as far as that can be told. */
  readonly url: string | null;
  /** The page that this one replaces, as long as that page may have its path. */
  readonly replacedId?: string;
  /** The date of its last publication before this, by the service's clock; NEVER if there was none. */
  readonly at: string;
  /** The record of its last publication, as the notes have it. */
  readonly shipped?: Json;
  readonly ours: Json;
  /** The public values of what was written since; absent if nothing is public. */
  readonly before?: Revision;
  readonly after: Revision;
  readonly verify: boolean;
  readonly policy?: PageLife["onForeignEdits"];
}

/** The output of a page in a release that tells of its draft. */
export const DRAFT = "__draft";

export const pageGathered: Gathered = {
  draft: DRAFT,
  toldByState: "hasUnpublishedChanges",
  waitsFor: releaseIn,
  placeIn: ({ [DRAFT]: draft }) => draftIn(draft)?.place,
  valuesIn: ({ [DRAFT]: draft }) => {
    const { before, after } = draftIn(draft) ?? {};
    return before && after && { then: { ...before }, now: { ...after } };
  },
};

/** Revisions by page, as they were last published. */
export const RELEASED = "released";

export function draftIn(text: unknown): ReleaseDraft | undefined {
  return typeof text === "string" && text !== "" ? (JSON.parse(text) as ReleaseDraft) : undefined;
}

/** Tells if the page was written since its release last published it. `notes`: those of the release. */
export function isDue(notes: JsonMap, pageId: string, { revision }: ReleaseDraft): boolean {
  return mapOf(notes[RELEASED])[pageId] !== revision;
}

export function isReleased(inputs: { readonly publish?: Json }): boolean {
  return releaseIn(inputs) !== undefined;
}

/** Returns the release that the declared publication waits for. */
function releaseIn({ publish }: { readonly publish?: Json }): Json | undefined {
  return mapOf(publish)["release"];
}

/** Tells if the declared publication makes the page public by itself. A publication in a release waits for the release. */
export function isToBePublic(publish: Json | undefined): boolean {
  return isMap(publish) && publish["release"] === undefined;
}
