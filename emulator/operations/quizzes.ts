import { notFound } from "../http/errors.ts";
import { addPage, pageOnWire, quizOfPage } from "../records/pages.ts";
import { equals, matches, type Window, windowOf } from "../http/paging.ts";
import type { PageRecord, QuizRecord } from "../records/records.ts";
import type { Service } from "../records/service.ts";
import type { Call, Operations } from "./operation.ts";
import { addFromTemplate, type PageFromTemplate } from "./pages.ts";
import { projectIdOf } from "./projects.ts";
import { siteById } from "./sites.ts";

interface Filters extends Window {
  query?: string;
  page_id?: string;
  quiz_id?: string;
}

interface QuizCreate {
  name: string;
  project_id?: string;
  site_id?: string;
}

export const quizzes: Operations = {
  listQuizzes: search,
  searchQuizzes: search,

  createQuiz: (service, { body }: Call<unknown, QuizCreate>) => {
    const page = addPage(service, {
      name: service.nameOf(body.name),
      projectId: projectIdOf(service, body.project_id),
      siteId: body.site_id === undefined ? null : siteById(service, body.site_id).id,
      isQuiz: true,
    });
    return quizPage(service, page);
  },

  createQuizFromTemplate: (service, { body }: Call<unknown, PageFromTemplate>) => {
    const page = addFromTemplate(service, body, true);
    return { ...quizPage(service, page), template_id: body.template_id, from_template: true };
  },

  getQuiz: (service, { params }: Call) => {
    const id = params["quizId"] ?? "";
    const quiz = service.quizzes.get(id) ?? quizOfPage(service, id);
    if (quiz === undefined) throw notFound("quiz", id);
    return quizOnWire(service, quiz);
  },
};

function search(service: Service, { query }: Call<Filters>) {
  const found = service
    .list(service.quizzes)
    .filter(({ id, pageId }) => equals(query.quiz_id, id) && equals(query.page_id, pageId))
    .map((quiz) => quizOnWire(service, quiz))
    .filter(({ name, page_name }) => matches(query.query, name, page_name));
  return windowOf(found, query);
}

/** Returns the answer to a creation. Its ids are the page's, while lists show the quiz's own id. */
function quizPage(service: Service, page: PageRecord) {
  return { ...pageOnWire(service, page), quiz_id: page.id };
}

function quizOnWire(service: Service, { id, quizName, pageId, createdAt, updatedAt }: QuizRecord) {
  const page = service.pages.get(pageId);
  return {
    id,
    name: page === undefined ? quizName : `${quizName} (${page.pageName})`,
    quiz_name: quizName,
    page_id: page?.id ?? null,
    page_name: page?.pageName ?? null,
    site_id: page?.siteId ?? null,
    project_id: page?.projectId ?? null,
    created_at: createdAt,
    updated_at: updatedAt,
  };
}
