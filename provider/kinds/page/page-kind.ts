/** The common parts of pages and quizzes: a quiz is a page. */
import { pageCalls, pages } from "./document/collection.ts";
import { isPublicAgain, isPublishDue, renderedContent, showsAlready, takenOver, unpublishedForAll } from "./shown.ts";
import { Draft, type PageLife, type PagePass } from "./document/document.ts";
import { pageExporting } from "./exported.ts";
import { foreseeDeletion, unfilled } from "./foresee.ts";
import { pageGoing, pageForeignEdits, refuseHalfDone } from "./edits/guard.ts";
import { pageHeld, pageRestores, pageRestoresDraft } from "./held.ts";
import { claimPath, diffPage, pageLost, pageRules, pageShown } from "./document/inputs.ts";
import { applyPage, deletePage } from "./life.ts";
import { pageGathered } from "./document/released.ts";
import { unfilledTexts } from "./document/texts.ts";
import { withBegun } from "./document/writes.ts";
import { Templates } from "./draft/templates.ts";
import type { Created } from "../../definition/define.ts";
import { type InPreview, placedAt, placedSlug } from "../../definition/in-preview.ts";
import type { ObjectState } from "../../reconcile/object-state.ts";
import type { RunContext } from "../../reconcile/run-context.ts";
import type { JsonMap } from "../../values/json.ts";

/** In a preview, pages are at paths of their own, never at the root of a site, and search engines are asked to leave them out. */
const pageInPreview: InPreview = {
  becomes: "made",
  copies: { by: "duplicateOf", without: ["templateId", "siteId"] },
  places: { publish: { slug: placedSlug, siteId: placedAt("site") }, siteId: placedAt("site") },
  hides: "content",
  publishes: ["publish"],
};

export const pageKind = {
  named: true,
  rules: { ...pageRules, duplicateOf: { onChange: "replace" } },
  collection: pages,
  calls: pageCalls,
  inPreview: pageInPreview,
  public: "address",
  gathered: pageGathered,
  apply: (pass: PagePass) => applyPage(pass),
  delete: deletePage,
  shown: pageShown,
  life: {
    takenOver,
    begun: withBegun,
    resumes: ({ variables }: JsonMap) => variables === undefined,
    inTurn: (run: RunContext, inputs: JsonMap) => run.part(Templates).inTurn(inputs),
    load: (run: RunContext, id: string) => new Draft(run, id),
  },
  plan: {
    claims: claimPath,
    due: (field: string, old: ObjectState, now: JsonMap) => {
      if (isPublishDue(field, old, now)) return true;
      if (field === "content" && Object.keys(unfilledTexts(old, now)).length > 0) return true;
      return showsAlready(field, old, now) ? false : undefined;
    },
    diff: diffPage,
    fails: unfilled,
    foreseeDeletion,
    rendered: renderedContent,
    unfilled: (old: ObjectState, now: JsonMap) => ({ content: unfilledTexts(old, now) }),
    unpublished: unpublishedForAll,
    isPublicAgain,
    foreignEdits: pageForeignEdits,
    going: pageGoing,
  },
  undo: {
    held: pageHeld,
    restores: pageRestores,
    restoresDraft: pageRestoresDraft,
    lost: pageLost,
  },
  exporting: pageExporting,
} as const;

export async function copyOf(run: RunContext, source: string, declared: PageLife, name: string): Promise<Created> {
  await refuseHalfDone(run, source, declared);
  const { id, page_name, edit_url } = await run.api.pages.duplicate({ page_id: source, new_name: name });
  return { id, answer: { pageName: page_name, editUrl: edit_url }, sent: ["duplicateOf"] };
}
