import {
  applyContent,
  contentFields,
  encodeFields,
  replaceVariables,
  validateDocument,
  variables,
} from "../document/index.ts";
import { escapeHtml } from "../document/render/escape.ts";
import { draftOf, pageById, saveDraft, shownDraftOf, shownLiveOf } from "../records/pages.ts";
import type { Service } from "../records/service.ts";
import { type Call, fromJson, type Operations } from "./operation.ts";

interface ContentUpdate {
  page_id: string;
  updates: Record<string, unknown> | string;
}

interface Variables {
  page_id: string;
  variables: Record<string, unknown> | string;
}

const HINT = {
  code: "description_missing",
  severity: "hint",
  message: "The page has no description for search engines.",
};

export const content: Operations = {
  getContentMap: (service, { query }: Call<{ page_id: string }>) => {
    const page = pageById(service, query.page_id);
    const shown =
      service.notShown.contentMapShows === "live" ? shownLiveOf(service, page) : shownDraftOf(service, page);
    const fields = contentFields(shown, keepsTypes(service));
    const names = variables(shown);
    return {
      id: page.id,
      page_id: page.id,
      page_name: page.pageName,
      field_count: fields.length,
      variable_count: names.length,
      variables: JSON.stringify(names),
      fields: JSON.stringify(encodeFields(fields, service.notShown.contentShape)),
      ready_for_variable_replacement: names.length > 0,
    };
  },

  updatePageContent: (service, { body }: Call<unknown, ContentUpdate>) => {
    const page = pageById(service, body.page_id);
    const updates = fromJson<Record<string, unknown>>(body.updates, "updates", "an object");
    const { document, applied, missing, changedSections } = applyContent(
      draftOf(service, page),
      asKept(service, updates),
      keepsTypes(service),
    );
    saveDraft(service, page, document);
    return {
      id: page.id,
      page_id: page.id,
      success: true,
      applied_count: Object.keys(applied).length,
      changed_section_count: changedSections,
      missing_count: missing.length,
      applied: JSON.stringify(applied),
      missing: JSON.stringify(missing),
    };
  },

  replacePageVariables: (service, { body }: Call<unknown, Variables>) => {
    const page = pageById(service, body.page_id);
    const values = fromJson<Record<string, unknown>>(body.variables, "variables", "an object");
    const { document, replacements, changedSections, replaced, remaining } = replaceVariables(
      draftOf(service, page),
      asKept(service, values),
    );
    saveDraft(service, page, document);
    return {
      id: page.id,
      page_id: page.id,
      success: true,
      replacement_count: replacements,
      changed_section_count: changedSections,
      replaced_variables: JSON.stringify(replaced),
      remaining_variables: JSON.stringify(remaining),
      remaining_variable_count: remaining.length,
    };
  },

  validatePage: (service, { body }: Call<unknown, { page_id: string }>) => {
    const page = pageById(service, body.page_id);
    const draft = shownDraftOf(service, page);
    const { ready, issues: found } = validateDocument(draft);
    const issues = service.notShown.readinessHints ? [...found, HINT] : found;
    const remaining = variables(draft);
    return {
      id: page.id,
      page_id: page.id,
      ready_to_publish: ready,
      issue_count: issues.length,
      issues: JSON.stringify(issues),
      field_count: contentFields(draft).length,
      remaining_variable_count: remaining.length,
      remaining_variables: JSON.stringify(remaining),
    };
  },
};

function asKept({ notShown }: Service, texts: Record<string, unknown>): Record<string, unknown> {
  if (notShown.contentTexts === "as-sent") return texts;
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, typeof text === "string" ? escapeHtml(text) : text]),
  );
}

function keepsTypes({ notShown }: Service): boolean {
  return notShown.contentTypes === "as-sent";
}
