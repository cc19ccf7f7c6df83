import { describe, expect, test } from "vitest";
import { refused, text } from "./expectations.ts";
import {
  eventually,
  makePage,
  makeProject,
  makeQuiz,
  makeSite,
  makeTemplatedQuiz,
  missingId,
  someTemplate,
  unique,
} from "./fixtures.ts";
import { openTarget } from "./target.ts";

const target = await openTarget();

/** Returns the quiz of a page once lists show it. Its id can differ from the page's. */
async function quizOn(pageId: string, operation = "listQuizzes") {
  const found = await eventually(
    () => target.list(operation, { query: { page_id: pageId } }),
    (quizzes) => quizzes.length > 0,
  );
  expect(found).toHaveLength(1);
  const [quiz] = found;
  expect(quiz?.page_id).toBe(pageId);
  return await target.record("getQuiz", { at: quiz?.id ?? "" });
}

describe("POST /quizzes", () => {
  test("answers the page id as id and quiz_id", async () => {
    const project = await makeProject(target);
    const quiz = await makeQuiz(target, { project_id: project.id });
    expect(quiz).toMatchObject({ quiz_id: quiz.id, is_quiz: true, project_id: project.id, site_id: null });
    expect(text(quiz.edit_url)).not.toBe("");
    const page = await target.record("getPage", { at: quiz.id });
    expect(page).toMatchObject({ is_quiz: true, status: "draft", project_id: project.id });
  });

  test("with a site", async () => {
    const site = await makeSite(target);
    expect((await makeQuiz(target, { site_id: site.id })).site_id).toBe(site.id);
  });
});

test("POST /quizzes/from-template", async () => {
  const { id: template_id } = await someTemplate(target, "quiz");
  const name = unique("Quiz");
  const quiz = await makeTemplatedQuiz(target, { name });
  expect(quiz).toMatchObject({ quiz_id: quiz.id, from_template: true, template_id, page_name: name });
  refused(await target.call("createQuizFromTemplate", { body: { template_id: missingId } }));
});

test("GET /quizzes/{quizId} takes the quiz id and the page id alike, and refuses a page that is no quiz", async () => {
  const page = await makeQuiz(target);
  const quiz = await quizOn(page.id);
  expect(await target.record("getQuiz", { at: page.id })).toEqual(quiz);
  for (const at of [missingId, (await makePage(target)).id]) refused(await target.call("getQuiz", { at }));
});

describe.each(["listQuizzes", "searchQuizzes"])("%s", (operation) => {
  const search = (query: Record<string, string | number>) => target.list(operation, { query });

  test("by page", async () => {
    const page = await makeQuiz(target);
    expect((await quizOn(page.id, operation)).page_name).toBe(page.page_name);
    expect(await search({ page_id: missingId })).toEqual([]);
  });

  test("by exact quiz id, and by text, whatever its case", async () => {
    const quiz = await quizOn((await makeQuiz(target)).id, operation);
    expect((await search({ quiz_id: quiz.id })).map((found) => found.id)).toEqual([quiz.id]);
    expect(await search({ quiz_id: missingId })).toEqual([]);
    const found = await search({ query: text(quiz.quiz_name).toUpperCase() });
    expect(found.map((one) => one.id)).toContain(quiz.id);
  });

  test("shows no page that is not a quiz", async () => {
    const page = await makePage(target);
    expect(await search({ page_id: page.id })).toEqual([]);
  });

  test("loses a quiz whose page is deleted", async () => {
    const page = await makeQuiz(target);
    await quizOn(page.id, operation);
    await target.record("deletePage", { at: page.id });
    const left = await eventually(
      () => search({ page_id: page.id }),
      (quizzes) => quizzes.length === 0,
    );
    expect(left).toEqual([]);
    refused(await target.call("getQuiz", { at: page.id }));
  });
});
