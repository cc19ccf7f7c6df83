import { type PageDocument, readSubmission, type Submission } from "../document/index.ts";
import { quizOfPage } from "./pages.ts";
import type { LeadRecord, PageRecord } from "./records.ts";
import type { Service } from "./service.ts";
import { newId } from "./ids.ts";
import { pageUrl } from "../visitors/urls.ts";

/** Saves a visitor's form of a published page. Returns undefined if the page has no such form. */
export function submit(
  service: Service,
  page: PageRecord,
  document: PageDocument,
  posted: URLSearchParams,
  abandoned = false,
): LeadRecord | undefined {
  const submission = readSubmission(document, posted);
  if (submission === undefined) return undefined;
  const lead = service.leads.put(leadOf(service, page, submission, abandoned));
  service.emit(`${lead.type}_lead.created`, "lead", leadOnWire(service, lead));
  return lead;
}

function leadOf(service: Service, page: PageRecord, submission: Submission, abandoned: boolean): LeadRecord {
  const { type, formId, formName } = submission;
  const quiz = type === "quiz" ? quizOfPage(service, page.id) : undefined;
  return {
    id: newId("lead"),
    type,
    name: submission.name,
    firstName: submission.first_name,
    lastName: submission.last_name,
    email: submission.email,
    phone: submission.phone,
    formId: type === "form" ? formId : null,
    formName: type === "form" ? formName : null,
    quizId: type === "quiz" ? (quiz?.id ?? formId) : null,
    quizName: type === "quiz" ? (quiz?.quizName ?? formName) : null,
    pageId: page.id,
    pageUrl: pageUrl(service, page),
    projectId: page.projectId,
    siteId: page.siteId,
    abandoned: type === "form" && abandoned,
    completed: submission.completed,
    fields: submission.fields,
    answers: submission.answers,
    createdAt: service.now(),
  };
}

export function leadOnWire(service: Service, lead: LeadRecord) {
  return {
    id: lead.id,
    lead_id: lead.id,
    type: lead.type,
    name: lead.name,
    first_name: lead.firstName,
    last_name: lead.lastName,
    email: lead.email,
    phone: lead.phone,
    ...ofItsType(service, lead),
    page_id: lead.pageId,
    page_url: lead.pageUrl,
    project_id: lead.projectId,
    site_id: lead.siteId,
    abandoned: lead.abandoned,
    fields: lead.fields,
    created_at: lead.createdAt,
  };
}

function ofItsType({ notShown }: Service, lead: LeadRecord): Record<string, unknown> {
  if (lead.type === "form") return { form_id: lead.formId, form_name: lead.formName };
  return {
    quiz_id: lead.quizId,
    quiz_name: lead.quizName,
    is_completed: lead.completed,
    [notShown.quizAnswersField]: lead.answers,
  };
}
