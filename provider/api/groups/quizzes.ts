import { z } from "zod";
import type { Call } from "../caller.ts";
import type { FromTemplate, QuizCreate, QuizFilter, QuizList } from "../inputs.ts";
import type { IterateOptions, Pager } from "../paging.ts";
import { quiz, quizPage } from "../records.ts";

const quizzes = z.array(quiz);

export function quizzesGroup(call: Call, pager: Pager) {
  const list = (query?: QuizList) => call("listQuizzes", quizzes, { query: { ...query } });
  return {
    list,
    iterate: (filter?: QuizFilter, options?: IterateOptions) =>
      pager.pages("listQuizzes", (paging) => list({ ...filter, ...paging }), options),
    create: (body: QuizCreate) => call("createQuiz", quizPage, { body }),
    search: (query: QuizList) => call("searchQuizzes", quizzes, { query: { ...query } }),
    /** Takes the id of a quiz, or of a page that is one. */
    read: (quizId: string) => call("getQuiz", quiz, { ids: { quizId } }),
    createFromTemplate: (body: FromTemplate) => call("createQuizFromTemplate", quizPage, { body }),
  };
}
