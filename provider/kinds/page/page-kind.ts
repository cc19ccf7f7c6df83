/** What pages and quizzes have in common: a quiz is a page. */
import { z } from "zod";
import { idOf } from "../../definition/references.ts";
import { dueOnAdoption } from "./adopted.ts";
import { pageCalls, pages } from "./collection.ts";
import type { PagePass } from "./declared.ts";
import { Draft } from "./document.ts";
import { exportedPage, pageExporting } from "./exported.ts";
import { pageStowaways } from "./guard.ts";
import { pageHeld, pageRestores, pageRestoresDraft } from "./held.ts";
import { pageInPreview } from "./in-preview.ts";
import {
  claimPath,
  diffPage,
  movedByRelease,
  pageInputs,
  pageLost,
  pageRepeats,
  pageRules,
  pageShows,
  pageSteady,
} from "./inputs.ts";
import { applyPage, deletePage } from "./life.ts";
import { isPassingPlace } from "./place.ts";
import { renderedContent, showsAlready, unpublished } from "./shown.ts";
import { isPublishDue } from "./still-draft.ts";
import { unfilledAnew, unfilledChange } from "./unfilled.ts";
import type { RunContext } from "../../reconcile/run-context.ts";
import type { JsonMap } from "../../values/json.ts";

/** `kind`: a copy is one of its own kind. */
export function inputsOf(kind: "page" | "quiz") {
  const doc = `${kind === "page" ? "Page" : "Quiz"} that this one is a copy of. A change replaces the ${kind}.`;
  return z.strictObject({ ...pageInputs, duplicateOf: idOf(kind).optional().describe(doc) });
}

export const pageKind = {
  named: true,
  marked: true,
  repeats: pageRepeats,
  shows: pageShows,
  rules: { ...pageRules, duplicateOf: { onChange: "replace" } },
  collection: pages,
  calls: pageCalls,
  inPreview: pageInPreview,
  public: "address",
  rendered: renderedContent,
  movedByRelease,
  exporting: pageExporting,
  exported: exportedPage,
  claims: claimPath,
  steady: pageSteady,
  makesNoDifference: showsAlready,
  isDue: isPublishDue,
  isPassing: isPassingPlace,
  dueOnAdoption,
  diff: diffPage,
  failsAnew: unfilledAnew,
  failsChanged: unfilledChange,
  resumes: ({ variables }: JsonMap) => variables === undefined,
  load: (run: RunContext, id: string) => new Draft(run, id),
  apply: (pass: PagePass) => applyPage(pass),
  delete: deletePage,
  held: pageHeld,
  restores: pageRestores,
  restoresDraft: pageRestoresDraft,
  lost: pageLost,
  unpublished,
  stowaways: pageStowaways,
} as const;
