/** A quiz by its own id or that of its page. The two are of different collections, so that one id may be both, of two quizzes. */
import type { LandformApi, Quiz } from "../../api/index.ts";
import { ofId } from "../../definition/collection.ts";

/** Fails as a read does. Quizzes are known by their pages here: an id that is a page's and another quiz's own is the page's. */
export async function quizBy(api: LandformApi, id: string): Promise<Quiz> {
  const row = await api.quizzes.read(id);
  if (row.page_id === id || row.page_id === null) return row;
  return (await quizOn(api, id)) ?? row;
}

/** As a search shows it. */
export async function findQuiz(api: LandformApi, id: string): Promise<Quiz | undefined> {
  return (await quizOn(api, id)) ?? ofId(api.quizzes.search({ quiz_id: id }), id);
}

async function quizOn(api: LandformApi, pageId: string): Promise<Quiz | undefined> {
  return (await api.quizzes.search({ page_id: pageId })).find((row) => row.page_id === pageId);
}
