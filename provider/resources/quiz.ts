/** Quizzes: pages that are quizzes. The page's id and the quiz's id are two things, and may differ. */
import { z } from "zod";
import { defineResource, type Created } from "../define.ts";
import { camelKeys, type Json, type JsonMap } from "../json.ts";
import { orGone, type RunContext } from "../lifecycle/run-context.ts";
import { out } from "./fields.ts";
import { checkPage, claimPath, diffPage, pageInputs, pageOutputs, pageRules } from "./pages/inputs.ts";
import { applyPage, deletePage, readPage, settlePage } from "./pages/life.ts";

const inputs = z.strictObject(pageInputs);

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
  rules: pageRules,
  check: checkPage,
  claims: claimPath,
  diff: diffPage,
  resumes: ({ variables }) => variables === undefined,
  create: async ({ api }, declared, name): Promise<Created> => {
    const { templateId, projectId, siteId } = declared;
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
  search: async ({ api }, query) =>
    (await api.pages.search({ query, limit: 100 })).map((row) => ({
      id: row.id,
      name: row.page_name,
      answer: camelKeys(row),
    })),
  identify: async ({ api }, adoptId) => (await orGone(api.quizzes.read(adoptId)))?.page_id ?? undefined,
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
});

/** The quiz's own id shows up only after the creation (specification: "later list calls return the qid"). */
async function quizIdOf({ api }: RunContext, pageId: string, known: JsonMap): Promise<Json> {
  if (typeof known["quizId"] === "string") return known["quizId"];
  return (await orGone(api.quizzes.read(pageId)))?.id ?? null;
}
