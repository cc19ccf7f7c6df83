/** The pages that a release names, and which of them it has to publish. Pure. */
import { isMap, type JsonMap } from "../../values/json.ts";
import type { ReleaseDraft } from "../page/release-draft.ts";

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

/** Whether the page was written since its release last published it. `notes`: of the release. */
export function isDue(notes: JsonMap, pageId: string, { revision }: ReleaseDraft): boolean {
  const released = isMap(notes[RELEASED]) ? notes[RELEASED] : {};
  return released[pageId] !== revision;
}
