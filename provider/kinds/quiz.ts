/** Quizzes: pages that are quizzes. The page's id and the quiz's id are two things, and may differ. */
import { z } from "zod";
import type { LandformApi, Quiz } from "../api/index.ts";
import { orGone } from "../account/presence.ts";
import { defineCollection, MOST } from "../definition/collection.ts";
import { defineResource } from "../definition/define.ts";
import type { RunContext } from "../reconcile/run-context.ts";
import { camelKeys, type Json, type JsonMap } from "../values/json.ts";
import { out } from "./fields.ts";
import { foreseePage } from "./page/foresee.ts";
import { checkPage, inputsOf, pageOutputs, pageShown } from "./page/document/inputs.ts";
import { applyPage } from "./page/life.ts";
import { readPage } from "./page/shown.ts";
import { copyOf, pageKind } from "./page/page-kind.ts";
import { findQuiz, quizBy } from "./page/document/collection.ts";

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
  // Others refer to a quiz by its page.
  idOf: ({ id, page_id }) => page_id ?? id,
  read: quizBy,
  find: findQuiz,
  search: (api, query) => api.quizzes.search({ query, limit: MOST }),
  all: (api, filter, options) => api.quizzes.iterate(filter, options),
});

export const quiz = defineResource({
  ...pageKind,
  kind: "quiz",
  section: "quizzes",
  doc: "A quiz: a page with questions. Its content, publication and deletion work like those of a page.",
  inputs: inputsOf("quiz"),
  outputs: z.object({
    ...pageOutputs,
    pageId: out.text("Id of the page that hosts the quiz."),
    quizId: out.nullable("Id of the quiz itself; may differ from the page's."),
  }),
  lookup: quizzes,
  limits: [
    {
      api: "The API gives the quiz an id of its own that may differ from its page's.",
      landform: "The id of the resource is that of the page; `quizId` is an output, and `adoptId` takes either.",
    },
    { api: "The limits of a page hold for a quiz too.", landform: "See [Page](#limits-of-page)." },
  ],
  shown: {
    ...pageShown,
    beside: [...pageShown.beside, "pageId", "quizId"],
    isOne: ({ is_quiz }) => is_quiz,
    steady: { ...pageShown.steady, pageId: [], quizId: [] },
    // Its texts are read with the pages.
    pointing: { shown: ({ pageId = null }) => ({ pageId }) },
  },
  plan: { ...pageKind.plan, check: checkPage, foresee: (api, planned) => foreseePage(api, planned, pageOf) },
  create: async (run, declared, name) => {
    const { api } = run;
    const { templateId, duplicateOf, projectId, siteId } = declared;
    if (duplicateOf !== undefined) {
      const { id, answer, sent } = await copyOf(run, await pageOf(api, duplicateOf), declared, name);
      return { id, answer: { ...answer, pageId: id }, sent };
    }
    const made = { name, project_id: projectId, site_id: siteId };
    const { template_id, from_template, quiz_id, ...fields } =
      templateId === undefined
        ? await api.quizzes.create(made)
        : await api.quizzes.createFromTemplate({ ...made, template_id: templateId });
    const { id } = fields;
    return { id, answer: { ...camelKeys(fields), pageId: id }, sent: ["templateId", "siteId", "projectId"] };
  },
  read: async (run, id, old) => {
    const answer = await readPage(run, id, old);
    return answer && { ...answer, pageId: id, quizId: await quizIdOf(run, id, old.answer) };
  },
  apply: async (pass) => {
    await applyPage(pass);
    const { run, id, object, created } = pass;
    if (created || object.wrote) object.learn({ pageId: id, quizId: await quizIdOf(run, id, object.answer) });
  },
  life: {
    ...pageKind.life,
    identify: async ({ api }, adoptId) => (await orGone(quizBy(api, adoptId)))?.page_id ?? undefined,
  },
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
