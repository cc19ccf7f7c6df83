/** The service knows nothing of a release. Whether its pages are public, the pages show. */
import { mapOf, type JsonMap } from "../../values/json.ts";
import type { ObjectState } from "../../reconcile/object-state.ts";
import type { RunContext } from "../../reconcile/run-context.ts";
import { pages } from "../page/collection.ts";
import { RELEASED } from "./members.ts";

/** A page that the release has published, and that is a draft now, is to be published again. */
export async function readRelease(run: RunContext, _id: string, old: ObjectState): Promise<JsonMap> {
  const released = Object.entries(mapOf(old.notes[RELEASED]));
  const looks = await Promise.all(released.map(([id]) => isDraft(run, id)));
  if (!looks.includes(true)) return old.answer;
  old.notes = { ...old.notes, [RELEASED]: Object.fromEntries(released.filter((_one, index) => looks[index] !== true)) };
  old.redo.add("drafts");
  return old.answer;
}

/** A list may lag behind. */
async function isDraft(run: RunContext, id: string): Promise<boolean> {
  const row = await run.account.row(pages, id);
  return row?.status === "draft" && (await run.account.read(pages, id))?.status === "draft";
}
