import { allNodes } from "../document/index.ts";
import {
  addPage,
  draftOf,
  duplicate,
  instantiate,
  pageById,
  pageOnWire,
  quizOfPage,
  removePage,
} from "../records/pages.ts";
import { equals, matches, type Window, windowOf } from "../http/paging.ts";
import type { PageRecord } from "../records/records.ts";
import type { Service } from "../records/service.ts";
import { editUrl } from "../visitors/urls.ts";
import { type Call, deleted, type Operations } from "./operation.ts";
import { projectIdOf } from "./projects.ts";
import { siteById } from "./sites.ts";

interface Filters extends Window {
  project_id?: string;
  site_id?: string;
  published?: boolean;
  is_quiz?: boolean;
  has_element?: string;
  available_for_funnel?: boolean;
}

interface Search extends Window {
  query?: string;
  page_id?: string;
}

export interface PageFromTemplate {
  template_id: string;
  name?: string;
  site_id?: string;
  project_id?: string;
}

interface PageMetadata {
  page_id: string;
  name?: string;
  project_id?: string;
  tags?: string[] | string;
  product_label?: string;
  produkt?: string;
}

export const pages: Operations = {
  listPages: (service, { query }: Call<Filters>) => {
    const used = query.available_for_funnel === true ? pagesInFunnels(service) : new Set();
    const found = service
      .list(service.pages)
      .filter((page) => equals(query.project_id, page.projectId) && equals(query.site_id, page.siteId))
      .filter((page) => equals(query.published, page.status === "published") && equals(query.is_quiz, page.isQuiz))
      .filter((page) => query.has_element === undefined || hasElement(service, page, query.has_element))
      .filter((page) => !used.has(page.id));
    return windowOf(found, query).map((page) => pageOnWire(service, page));
  },

  searchPages: (service, { query }: Call<Search>) => {
    const found = service
      .list(service.pages)
      .filter(({ id }) => equals(query.page_id, id))
      .map((page) => pageOnWire(service, page))
      .filter(({ name, page_name, domain, slug }) => matches(query.query, name, page_name, domain, slug));
    return windowOf(found, { limit: service.notShown.searchPagesDefaultLimit, ...query });
  },

  createPage: (service, { body }: Call<unknown, { name: string; project_id?: string }>) => {
    const projectId = projectIdOf(service, body.project_id);
    return pageOnWire(service, addPage(service, { name: service.nameOf(body.name), projectId, isQuiz: false }));
  },

  createPageFromTemplate: (service, { body }: Call<unknown, PageFromTemplate>) => {
    const page = addFromTemplate(service, body);
    return { ...pageOnWire(service, page), template_id: body.template_id, from_template: true };
  },

  duplicatePage: (service, { body }: Call<unknown, { page_id: string; new_name?: string }>) => {
    const source = pageById(service, body.page_id);
    const { id, pageName } = addPage(service, {
      name: service.nameOf(body.new_name ?? `Copy of ${source.pageName}`, "new_name"),
      isQuiz: source.isQuiz,
      projectId: source.projectId,
      templateId: source.templateId,
      tags: source.tags,
      productLabel: source.productLabel,
      document: duplicate(draftOf(service, source)),
    });
    const edit_url = editUrl(service, id);
    return { id, name: pageName, page_name: pageName, source_page_id: source.id, edit_url };
  },

  updatePageMetadata: (service, { body }: Call<unknown, PageMetadata>) => {
    const before = pageById(service, body.page_id);
    const page = service.pages.put({
      ...before,
      pageName: body.name === undefined ? before.pageName : service.nameOf(body.name),
      projectId: projectIdOf(service, body.project_id) ?? before.projectId,
      tags: body.tags === undefined ? before.tags : tagsOf(body.tags),
      productLabel: body.product_label ?? body.produkt ?? before.productLabel,
      updatedAt: service.now(),
    });
    renameQuiz(service, page);
    const { id, pageName, projectId, tags, productLabel } = page;
    return {
      id,
      page_id: id,
      updated: true,
      name: pageName,
      project_id: projectId,
      tags,
      product_label: productLabel,
    };
  },

  getPage: (service, { params }: Call) => pageOnWire(service, pageById(service, params["pageId"])),

  deletePage: (service, { params }: Call) => {
    const page = pageById(service, params["pageId"]);
    removePage(service, page);
    return deleted(page.id);
  },
};

/** Makes a page from a template. It is a quiz if the template is one, or if the caller asks for a quiz. */
export function addFromTemplate(service: Service, body: PageFromTemplate, isQuiz = false): PageRecord {
  const { template, document } = instantiate(body.template_id);
  return addPage(service, {
    name: service.nameOf(body.name ?? template.name),
    projectId: projectIdOf(service, body.project_id),
    siteId: body.site_id === undefined ? null : siteById(service, body.site_id).id,
    isQuiz: isQuiz || template.type === "quiz",
    templateId: template.id,
    document,
  });
}

function pagesInFunnels(service: Service): Set<unknown> {
  return new Set(service.funnels.all().flatMap(({ steps }) => steps.map(({ pageId }) => pageId)));
}

function hasElement(service: Service, page: PageRecord, type: string): boolean {
  return allNodes(draftOf(service, page)).some((node) => node.type === type);
}

function tagsOf(tags: string[] | string): string[] {
  const list = typeof tags === "string" ? tags.split(",") : tags;
  return [...new Set(list.map((tag) => tag.trim()).filter((tag) => tag !== ""))];
}

function renameQuiz(service: Service, page: PageRecord): void {
  const quiz = quizOfPage(service, page.id);
  if (quiz === undefined || !service.notShown.quizNameFollowsPage || quiz.quizName === page.pageName) return;
  service.quizzes.put({ ...quiz, quizName: page.pageName, updatedAt: page.updatedAt });
}
