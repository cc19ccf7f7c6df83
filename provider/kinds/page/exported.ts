/** A page of an account as inputs: everything that the API shows, and a note on what it hides. */
import type { Page } from "../../api/index.ts";
import type { Exported, ExportedInputs, Exporting, ExportRules, Note } from "../../definition/exporting.ts";
import { isMap, type Json, type JsonMap } from "../../values/json.ts";
import { ContentFields } from "../../account/content-map.ts";
import { editedByComparison, editedByItself, editedSincePublished } from "./edits/dates.ts";
import { hasUnpublished } from "./shown.ts";

export const pageExporting: ExportRules<Page, ContentFields> = {
  hidden: {
    text: "The API doesn't show template, tags, product label, delay, variables, nodes: Landform manages those that you declare.",
    // Every page of a copy that needs a template has one.
    ofCopy: "The API doesn't show tags, product label, delay, variables, nodes: declare those that the copy needs.",
  },
  details: {
    plural: "content maps",
    read: async (api, { id }) => new ContentFields((await api.builder.contentMap(id)).fields),
  },
  publishedAt: ({ published_at }) => published_at,
  mayBeDraft,
  isDefault: (field, value) => field === "content" && isMap(value) && Object.keys(value).length === 0,
  of: exportedPage,
};

function exportedPage(page: Page, around: Exporting, { projectId }: ExportedInputs, fields: ContentFields): Exported {
  const { content, notes } = contentOf(fields);
  const inputs = {
    projectId: projectId ?? null,
    ...(around.asNew && templateOf(page, fields, around)),
    ...attachment(page, around, notes),
    content,
  };
  return { inputs, notes };
}

/**
 * Tells if the content map may be of an unpublished draft. Only dates say if the draft is public; without dates
 * nobody knows.
 */
function mayBeDraft(page: Page, pages: readonly Page[], last: JsonMap = {}): boolean {
  const { status, updated_at, published_at } = page;
  if (status !== "published") return false;
  if (updated_at === null || published_at === null) return true;
  if (last["publishedAt"] === published_at) return hasUnpublished(page, last);
  return editedSincePublished(page) ?? editedByComparison(page, pages) ?? editedByItself(page);
}

/** A blank page has no content keys, can't be published and, unless it is a quiz, has no site. */
function templateOf(page: Page, fields: ContentFields, { key, templates, setting }: Exporting): ExportedInputs {
  const named = templates.get(key);
  if (named !== undefined) return { templateId: named };
  const mayBeBlank = page.status !== "published" && fields.keys().length === 0;
  if (mayBeBlank && (page.site_id === null || page.is_quiz)) return {};
  return { templateId: templates.get("") ?? setting("template") };
}

function attachment(page: Page, { ref }: Exporting, notes: Note[]): ExportedInputs {
  const site = ref("site", page.site_id);
  if (page.status !== "published") return { siteId: site, publish: null };
  if (site === null) {
    notes.push({ field: "publish", text: "published without a site, which can't be declared" });
    return { publish: null };
  }
  const slug = page.slug ?? "";
  return { publish: slug === "" ? { siteId: site } : { siteId: site, slug } };
}

function contentOf(fields: ContentFields): { content: JsonMap; notes: Note[] } {
  const content: JsonMap = {};
  const hidden: string[] = [];
  const unfit: string[] = [];
  for (const key of fields.keys()) {
    const value = fields.value(key);
    if (value === undefined) hidden.push(key);
    else if (!isKey(key) || !isExpressible(value)) unfit.push(key);
    else content[key] = value;
  }
  const notes: Note[] = [];
  if (hidden.length > 0) notes.push({ field: "content", text: `no value is shown for ${quoted(hidden)}` });
  if (unfit.length > 0) notes.push({ field: "content", text: `${quoted(unfit)} can't be written down` });
  return { content, notes };
}

/** Tells if a value survives YAML, JSON and Pulumi's state: well-formed text, and numbers that keep their digits. */
function isExpressible(value: Json): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value === "number")
    return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
  if (Array.isArray(value)) return value.every(isExpressible);
  if (!isMap(value)) return true;
  return Object.entries(value).every(([key, item]) => key !== "" && isKey(key) && isExpressible(item));
}

function isKey(key: string): boolean {
  return key !== "__proto__" && isExpressible(key);
}

function quoted(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name)).join(", ");
}
