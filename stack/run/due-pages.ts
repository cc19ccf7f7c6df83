/** Pages that a release has yet to publish: what is written in their drafts is newer than what the release recorded as public. */
import { reveal, type PropertyMap } from "../../engine/index.ts";
import type { JsonMap } from "../../provider/values/json.ts";
import { ObjectState } from "../../provider/reconcile/object-state.ts";
import { definitionOf } from "../../provider/kinds/registry.ts";
import { DRAFT } from "../../provider/kinds/page/release-draft-name.ts";
import { draftIn } from "../../provider/kinds/page/release-draft.ts";
import { isDue, memberIds } from "../../provider/kinds/release/members.ts";

export interface ReleaseRecord {
  readonly type: string;
  readonly id: string;
  readonly inputs: PropertyMap;
  readonly outputs: JsonMap;
}

/** A page by its id, with the outputs that the state has of it. */
export type IsDue = (page: string, outputs: JsonMap | undefined) => boolean;

/** Undefined for whatever is no release. */
export function duePages({ type, id, inputs, outputs }: ReleaseRecord): IsDue | undefined {
  const definition = definitionOf(type);
  if (definition?.gathers === undefined) return undefined;
  const { notes } = ObjectState.fromState(definition, id, outputs);
  const members = new Set(memberIds(reveal(inputs) as JsonMap, definition.gathers));
  return (page, told) => {
    const draft = members.has(page) ? draftIn(told?.[DRAFT]) : undefined;
    return draft !== undefined && isDue(notes, page, draft);
  };
}
