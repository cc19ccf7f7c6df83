/** Quizzes: pages that are quizzes. The page's id and the quiz's id are two things, and may differ. */
import { z } from "zod";
import type { LandformApi, Quiz } from "../api/index.ts";
import { defineCollection, MOST } from "../definition/collection.ts";
import { defineResource, type Created } from "../definition/define.ts";
import { foreseePage } from "./page/foresee.ts";
import { pageCalls, pages } from "./page/collection.ts";
import { exportedPage, pageExporting } from "./page/exported.ts";
import { camelKeys, type Json, type JsonMap } from "../values/json.ts";
import { idOf } from "../definition/references.ts";
import { orGone } from "../account/presence.ts";
import type { RunContext } from "../reconcile/run-context.ts";
import { out } from "./fields.ts";
import {
  checkPage,
  claimPath,
  diffPage,
  movedByRelease,
  pageBeside,
  pageInputs,
  pageOutputs,
  pageLost,
  pageRepeats,
  pageRules,
  pageShows,
  pageSteady,
} from "./page/inputs.ts";
import { renderedContent, showsAlready } from "./page/content.ts";
import { unfilledAnew, unfilledChange } from "./page/unfilled.ts";
import { dueOnAdoption } from "./page/drafts/adopted.ts";
import { pageStowaways } from "./page/drafts/stowaways.ts";
import { pageHeld, pageRestores, pageRestoresDraft } from "./page/held.ts";
import { isPassingPlace } from "./page/path.ts";
import { findQuiz, quizBy } from "./page/quizzes.ts";
import { isPublishDue } from "./page/still-draft.ts";
import { pageInPreview } from "./page/in-preview.ts";
import { applyPage, deletePage, readPage, settlePage } from "./page/life.ts";

const inputs = z.strictObject({
  ...pageInputs,
  duplicateOf: idOf("quiz").optional().describe("Quiz that this one is a copy of. A change replaces the quiz."),
});

const quizzes = defineCollection({
  what: "quiz",
  plural: "quizzes",
  doc: "One quiz, by its id (or that of its page) or its name. `pageId` of the result is the page that hosts it.",
  calls: { list: "listQuizzes", search: "searchQuizzes", read: "getQuiz" },
  filters: z.object({
    pageId: z.string().optional().describe("Quizzes on this page."),
    query: z.string().optional().describe("Text in the name and related fields."),
  }),
  nameOf: ({ quiz_name }: Quiz) => quiz_name,
  // A quiz is referred to by its page.
  idOf: ({ id, page_id }) => page_id ?? id,
  read: quizBy,
  find: findQuiz,
  search: (api, query) => api.quizzes.search({ query, limit: MOST }),
  all: (api, filter, options) => api.quizzes.iterate(filter, options),
});

export const quiz = defineResource({
  kind: "quiz",
  type: "Quiz",
  section: "quizzes",
  doc: "A quiz: a page with questions. It has the content, the publication and the deletion of a page.",
  named: true,
  marked: true,
  inputs,
  outputs: z.object({
    ...pageOutputs,
    pageId: out.text("Id of the page that hosts the quiz."),
    quizId: out.nullable("Id of the quiz itself; may differ from the page's."),
  }),
  beside: [...pageBeside, "pageId", "quizId"],
  repeats: pageRepeats,
  shows: pageShows,
  rules: { ...pageRules, duplicateOf: { onChange: "replace" } },
  collection: pages,
  foresee: (api, planned) => foreseePage(api, planned, pageOf),
  isOne: ({ is_quiz }) => is_quiz,
  lookup: quizzes,
  calls: pageCalls,
  inPreview: pageInPreview,
  limits: [
    {
      api: "Gives the quiz an id of its own that may differ from its page's.",
      landform: "The id of the resource is that of the page; `quizId` is an output, and `adoptId` takes either.",
    },
    { api: "Everything that holds for pages.", landform: "The same." },
  ],
  public: "address",
  rendered: renderedContent,
  movedByRelease,
  // What it says is read with the pages.
  pointing: { shown: ({ pageId = null }) => ({ pageId }) },
  exporting: pageExporting,
  exported: exportedPage,
  check: checkPage,
  claims: claimPath,
  steady: { ...pageSteady, pageId: [], quizId: [] },
  makesNoDifference: showsAlready,
  isDue: isPublishDue,
  isPassing: isPassingPlace,
  dueOnAdoption,
  diff: diffPage,
  failsAnew: unfilledAnew,
  failsChanged: unfilledChange,
  resumes: ({ variables }) => variables === undefined,
  create: async ({ api }, declared, name): Promise<Created> => {
    const { templateId, duplicateOf, projectId, siteId } = declared;
    if (duplicateOf !== undefined) {
      const source = await pageOf(api, duplicateOf);
      const copy = await api.pages.duplicate({ page_id: source, new_name: name });
      const answer = { pageName: copy.page_name, editUrl: copy.edit_url, pageId: copy.id };
      return { id: copy.id, answer, sent: ["duplicateOf"] };
    }
    const record =
      templateId === undefined
        ? await api.quizzes.create({ name, project_id: projectId, site_id: siteId })
        : await api.quizzes.createFromTemplate({
            template_id: templateId,
            name,
            project_id: projectId,
            site_id: siteId,
          });
    const { template_id, from_template, quiz_id, ...fields } = record;
    return {
      id: record.id,
      answer: { ...camelKeys(fields), pageId: record.id },
      sent: ["templateId", "siteId", "projectId"],
    };
  },
  identify: async ({ api }, adoptId) => (await orGone(quizBy(api, adoptId)))?.page_id ?? undefined,
  read: async (run, id, old) => {
    const answer = await readPage(run, id, old);
    return answer && { ...answer, pageId: id, quizId: await quizIdOf(run, id, old.answer) };
  },
  apply: applyPage,
  settle: async (pass) => {
    await settlePage(pass);
    pass.object.learn({ pageId: pass.id, quizId: await quizIdOf(pass.run, pass.id, pass.object.answer) });
  },
  delete: deletePage,
  held: pageHeld,
  restores: pageRestores,
  restoresDraft: pageRestoresDraft,
  lost: pageLost,
  stowaways: pageStowaways,
});

/** A quiz is taken over by the id of its page, or by its own. */
async function pageOf(api: LandformApi, id: string): Promise<string> {
  return (await orGone(quizBy(api, id)))?.page_id ?? id;
}

/** The quiz's own id shows up only after the creation (specification: "later list calls return the qid"). */
async function quizIdOf({ api }: RunContext, pageId: string, known: JsonMap): Promise<Json> {
  if (typeof known["quizId"] === "string") return known["quizId"];
  const { id = null, page_id: page = null } = (await orGone(quizBy(api, pageId))) ?? {};
  return page === null || page === pageId ? id : null;
}
