/** What a release does about edits of others in the draft of a page. */
import { editsDigest } from "../../messages/foreign-edits.ts";
import type { RunContext } from "../../reconcile/run-context.ts";
import { pageKey } from "../page/collection.ts";
import type { ReleaseDraft } from "../page/release-draft.ts";
import type { Member } from "./member.ts";

export function wordFor(
  run: RunContext,
  { id, draft, edits }: Pick<Member, "id" | "draft" | "edits">,
): "hold" | "include" {
  if (run.putAside.has(id)) return "include";
  const { option, stack, reviewed } = run.settings.foreignEdits ?? {};
  if (reviewed?.[id] === editsDigest(edits)) return "include";
  return option ?? wordOf(run, id, draft) ?? stack ?? "hold";
}

/** As the page declares it now: a word by itself changes nothing of the page, so that its draft may carry the one before. */
function wordOf(run: RunContext, id: string, draft: ReleaseDraft): ReleaseDraft["word"] {
  const declared = run.settings.seen?.objectOf(pageKey(id))?.inputs;
  if (declared === undefined) return draft.word;
  const { onForeignEdits: word } = declared;
  return word === "hold" || word === "include" ? word : undefined;
}
