import type { LandformApi, Quiz } from "../api/index.ts";
import { collect, findOne, shown, wired, type Limit, type One, type Shown } from "./find.ts";

export interface QuizQuery extends Limit {
  /** Quizzes on this page. */
  readonly pageId?: string;
  /** Text in the name and related fields. */
  readonly query?: string;
}

/** One quiz, by its id (or that of its page) or its name. `pageId` of the result is the page that hosts it. */
export async function getQuiz(api: LandformApi, wanted: One): Promise<Shown<Quiz>> {
  const record = await findOne(
    {
      what: "quiz",
      nameOf: (quiz) => quiz.quiz_name,
      read: api.quizzes.read,
      search: (query) => api.quizzes.search({ query, limit: 100 }),
      all: () => api.quizzes.iterate(),
    },
    wanted,
  );
  return shown(record);
}

export async function listQuizzes(api: LandformApi, { limit, ...filter }: QuizQuery = {}): Promise<Shown<Quiz>[]> {
  return (await collect(api.quizzes.iterate(wired(filter), { limit }))).map(shown);
}
