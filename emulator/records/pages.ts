import {
  blankDocument,
  copyDocument,
  documentFromTemplate,
  type PageDocument,
  type TemplateRecord,
  templates,
} from "../document/index.ts";
import { notFound, Refusal } from "../http/errors.ts";
import { newId } from "./ids.ts";
import type { PageRecord, QuizRecord } from "./records.ts";
import type { Service } from "./service.ts";
import { editUrl, pageUrl, siteDomain } from "../visitors/urls.ts";

/** The life of a page, which may be a quiz. Operations of several groups share it. */

export interface NewPage {
  name: string;
  isQuiz: boolean;
  projectId: string | null;
  siteId?: string | null;
  templateId?: string | null;
  document?: PageDocument;
  tags?: string[];
  productLabel?: string | null;
}

export function addPage(service: Service, { name, ...given }: NewPage): PageRecord {
  const { document = titled(service, name), ...fields } = given;
  const page = service.pages.put({
    siteId: null,
    templateId: null,
    tags: [],
    productLabel: null,
    ...fields,
    ...service.born("page"),
    pageName: name,
    status: "draft",
    slug: service.notShown.copiesOfName.includes("slug") ? slugFrom(name) : null,
    publishedAt: null,
  });
  service.documents.put({ id: page.id, draft: document, live: null });
  if (page.isQuiz) addQuiz(service, page);
  service.emit("page.created", "page", pageOnWire(service, page));
  return page;
}

/** Makes a blank page, with its name as title if the service copies the name. */
function titled(service: Service, name: string): PageDocument {
  const { copiesOfName } = service.notShown;
  if (!copiesOfName.includes("page.title")) return blankDocument();
  const title = { id: newNodeId(), type: "heading", misc: { name: "page.title", text: name }, style: {} };
  return {
    sections: [
      {
        id: newNodeId(),
        type: "section",
        misc: { name: "page", ...(copiesOfName.includes("node") && { heading: name }) },
        style: {},
        children: [title],
      },
    ],
  };
}

/** Makes a text fit for an address. */
export function slugFrom(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
}

function addQuiz(service: Service, page: PageRecord): void {
  const { createdAt, updatedAt } = page;
  const id = service.notShown.quizIdDiffers ? service.newId("quiz") : page.id;
  service.quizzes.put({ id, createdAt, updatedAt, quizName: page.pageName, pageId: page.id });
}

export function pageById(service: Service, id: string | undefined): PageRecord {
  const page = service.pages.get(id ?? "");
  if (page === undefined) throw notFound("page", id ?? "");
  return page;
}

export function draftOf(service: Service, page: PageRecord): PageDocument {
  return service.documents.get(page.id)?.draft ?? blankDocument();
}

/** Returns the draft as reads show it. */
export function shownDraftOf(service: Service, page: PageRecord): PageDocument {
  return service.shownDocument(page.id)?.draft ?? blankDocument();
}

/** Returns the published revision as reads show it, if there is one. */
export function shownLiveOf(service: Service, page: PageRecord): PageDocument {
  return service.shownDocument(page.id)?.live ?? shownDraftOf(service, page);
}

/** Keeps an edited draft. The published revision stays until the page is published again. */
export function saveDraft(service: Service, page: PageRecord, draft: PageDocument): void {
  const live = service.documents.get(page.id)?.live ?? null;
  service.keepDocument({ id: page.id, draft, live });
  if (service.notShown.updatedAtMovesOnContent) service.pages.put({ ...page, updatedAt: service.now() });
}

export function quizOfPage(service: Service, pageId: string): QuizRecord | undefined {
  return service.quizzes.all().find((quiz) => quiz.pageId === pageId);
}

export function removePage(service: Service, page: PageRecord): void {
  if (page.status === "published" && page.siteId === null) {
    const message = `The page "${page.pageName}" is published but has no site, so it can't be removed through one.`;
    throw new Refusal("page_without_site", `${message} Publish it on a site first.`);
  }
  const quiz = quizOfPage(service, page.id);
  if (quiz !== undefined) service.quizzes.delete(quiz.id);
  service.documents.delete(page.id);
  service.pages.delete(page.id);
}

/** Returns a template and a fresh copy of its document, or throws a 404. */
export function instantiate(templateId: string): { template: TemplateRecord; document: PageDocument } {
  const template = templates.find(({ id }) => id === templateId);
  const document = documentFromTemplate(templateId, newNodeId);
  if (template === undefined || document === undefined) throw notFound("template", templateId);
  return { template, document };
}

export function duplicate(document: PageDocument): PageDocument {
  return copyDocument(document, newNodeId);
}

function newNodeId(): string {
  return newId("node");
}

export function pageOnWire(service: Service, page: PageRecord) {
  const site = service.sites.get(page.siteId ?? "");
  return {
    id: page.id,
    name: site === undefined ? page.pageName : `${page.pageName} (${site.name})`,
    page_name: page.pageName,
    status: page.status,
    is_quiz: page.isQuiz,
    project_id: page.projectId,
    site_id: page.siteId,
    site_name: site?.name ?? null,
    domain: site !== undefined && page.status === "published" ? siteDomain(site.label) : null,
    slug: page.slug,
    url: pageUrl(service, page),
    edit_url: editUrl(service, page.id),
    created_at: page.createdAt,
    updated_at: page.updatedAt,
    published_at: page.publishedAt,
  };
}
