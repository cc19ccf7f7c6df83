/** The notices of a run as data. A notice that only one kind has comes with the kind's own words. */
import { foreignEditsText, type ForeignEditsNotice } from "./foreign-edits.ts";
import type { Json } from "../values/json.ts";
import { isSeen, seenLiveText, type SeenLiveNotice } from "../seen/seen-live.ts";

interface About {
  readonly kind: string;
  readonly id: string;
}

export type Notice =
  /** A delete left the object in the account; `name`: of one resource alone, where others have it, too. */
  | (About & { readonly code: "stays"; readonly text: string; readonly name?: string })
  /** Something that only this kind has to tell; `topic` tells one such thing from another. `url`: the object is public there, and not where its outputs say. */
  | (About & { readonly code: "of-kind"; readonly topic: string; readonly text: string; readonly url?: string })
  | (About & { readonly code: "carried-on"; readonly name: string })
  | (About & { readonly code: "removed-leftover"; readonly name: string })
  /** An interrupted run finished an object from other inputs than these: it is no longer the one that is asked for, and stays. */
  | (About & { readonly code: "left-behind" })
  /** It bears this stack's marker under a name that the stack never gave it. */
  | (About & { readonly code: "perhaps-a-copy"; readonly name: string })
  /** An interrupted run may have made one that nobody can find: the API never shows this kind. Without an id. */
  | (About & {
      readonly code: "perhaps-orphaned";
      readonly name: string;
      readonly searchHint?: string;
      readonly at?: string;
    })
  | (About & { readonly code: "second-copy"; readonly duplicateId: string })
  | ForeignEditsNotice
  | SeenLiveNotice
  /** Parts of the declared values that differ from what the last run left there, or from what it was told. For a secret, events tell neither. */
  | (About & { readonly code: "moved"; readonly by: "app" | "code"; readonly paths: readonly (readonly string[])[] })
  /** An option of the program that a preview does without, because with it nothing of the preview would go again. Without an id. */
  | (About & { readonly code: "option-left-out"; readonly name: string; readonly option: "protect" | "retainOnDelete" })
  /** Somebody changed it outside, and the API has no call that changes it back. */
  | (About & { readonly code: "not-restorable"; readonly field: string; readonly live: Json });

export function isNews(notice: Notice): boolean {
  return notice.code === "seen-live" && isSeen(notice);
}

export function noticeText(notice: Notice): string {
  const { kind, id } = notice;
  switch (notice.code) {
    case "stays":
    case "of-kind":
      return notice.text;
    case "carried-on":
      return `The run goes on with ${kind} "${notice.name}" (${id}), which an earlier run left behind.`;
    case "removed-leftover":
      return `Removed ${kind} ${id} ("${notice.name}"), which an interrupted run had left behind.`;
    case "left-behind":
      return `An interrupted run made ${kind} ${id} from other inputs than these, so it stays in the account. Delete it in the app if you don't want it.`;
    case "perhaps-a-copy":
      return `${kind} ${id} ("${notice.name}") has the marker of an unfinished creation in its name, and nothing proves that a run of this stack made it. It may be somebody's copy, so it stays. Delete it in the app if nobody needs it. Otherwise take the marker out of its name.`;
    case "perhaps-orphaned":
      return `An interrupted run may have made ${notice.name}${whichText(notice)} already, and the API has no way to look for it: an orphan may be left. Look in the app for a second one.`;
    case "second-copy":
      return `There is a second copy of ${kind} ${id}: ${notice.duplicateId}. An up removes it.`;
    case "moved":
      return `${notice.paths.map((path) => path.join(".")).join(", ")} of ${kind} ${id} ${notice.by === "app" ? "was edited in the app" : "has another value in the code"}.`;
    case "foreign-edits":
      return foreignEditsText(notice);
    case "seen-live":
      return seenLiveText(notice);
    case "option-left-out":
      return `${kind} "${notice.name}": the preview is without the option ${notice.option}, since a preview is deleted later.`;
    case "not-restorable":
      return `${kind} ${id}: somebody has changed ${notice.field} to ${JSON.stringify(notice.live)} in the app, and the API can't change it back.`;
  }
}

function whichText({ searchHint = "", at }: { readonly searchHint?: string; readonly at?: string }): string {
  // With its seconds: two that were begun in one minute are two sentences.
  const when = at === undefined ? "" : `${at.slice(0, 19).replace("T", " ")} UTC`;
  const known = [searchHint, when].filter((text) => text !== "");
  return known.length === 0 ? "" : ` (${known.join(", ")})`;
}
