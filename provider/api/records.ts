/**
 * The records of the service: names as on the wire, each schema the one truth about a record's shape. Fields that the specification does
 * not list are kept out. A nullable field is null if the service leaves it out. The `context` of a project stays undefined then, because
 * the service reports it on create and update only.
 */
import { z } from "zod";
import * as fields from "./generated/fields.ts";
import * as wire from "./wire.ts";

export const account = z.object({ ...fields.Account, name: wire.textOr("") });
export type Account = z.infer<typeof account>;

export const project = z.object({ ...fields.Project, context: wire.nullableText.optional() });
export type Project = z.infer<typeof project>;

export const site = z.object(fields.Site);
export type Site = z.infer<typeof site>;

export const siteCreated = z.object(fields.SiteCreated);
export type SiteCreated = z.infer<typeof siteCreated>;

export const page = z.object({ ...fields.Page, edit_url: wire.textOr("") });
export type Page = z.infer<typeof page>;

export const pageFromTemplate = page.extend({ template_id: wire.nullableText, from_template: wire.flagOr(true) });
export type PageFromTemplate = z.infer<typeof pageFromTemplate>;

export const pageDuplicate = z.object({
  ...fields.PageDuplicateResult,
  name: wire.textOr(""),
  page_name: wire.textOr(""),
  edit_url: wire.textOr(""),
});
export type PageDuplicate = z.infer<typeof pageDuplicate>;

export const pageMetadata = z.object({ ...fields.PageMetadataResult, tags: wire.tags });
export type PageMetadata = z.infer<typeof pageMetadata>;

export const pageContent = z.object(fields.PageContentResult);
export type PageContent = z.infer<typeof pageContent>;

export const pageVariables = z.object(fields.PageVariablesResult);
export type PageVariables = z.infer<typeof pageVariables>;

export const pageValidation = z.object({
  ...fields.PageValidation,
  ready_to_publish: wire.flag,
  issues: wire.listOf(z.unknown()),
});
export type PageValidation = z.infer<typeof pageValidation>;

export const pagePublished = z.object({ ...fields.PagePublishResult, slug: wire.textOr("") });
export type PagePublished = z.infer<typeof pagePublished>;

export const pageDelay = z.object(fields.PageDelayResult);
export type PageDelay = z.infer<typeof pageDelay>;

export const builderSummary = z.object({
  ...fields.BuilderSummary,
  builder: z.object({ sectionCount: wire.nullableNumber, tree: wire.nullableObject }),
});
export type BuilderSummary = z.infer<typeof builderSummary>;

export const builderNode = z.object({ ...fields.BuilderNode, node_id: wire.id, node: wire.object });
export type BuilderNode = z.infer<typeof builderNode>;

export const builderNodeUpdate = z.object({ ...fields.BuilderNodeUpdate, node_id: wire.id });
export type BuilderNodeUpdate = z.infer<typeof builderNodeUpdate>;

export const builderNodeReplace = builderNodeUpdate.extend({ builder_warnings: wire.listOf(z.unknown()) });
export type BuilderNodeReplace = z.infer<typeof builderNodeReplace>;

export const contentMap = z.object({ ...fields.ContentMap, id: wire.nullableText });
export type ContentMap = z.infer<typeof contentMap>;

export const template = z.object({ ...fields.Template, template_name: wire.nullableText, type: wire.textOr("page") });
export type Template = z.infer<typeof template>;

export const quiz = z.object(fields.Quiz);
export type Quiz = z.infer<typeof quiz>;

/** The answer to the creation of a quiz. `id` is the page's; the quiz's own id shows up in lists and may differ. */
export const quizPage = page.extend({
  quiz_id: wire.nullableText,
  is_quiz: wire.flagOr(true),
  status: wire.textOr("draft"),
  template_id: wire.nullableText,
  from_template: wire.flagOr(false),
});

const step = z.record(z.string(), z.unknown());

export const funnel = z.object({
  ...fields.Funnel,
  pages: wire.listOf(z.union([wire.text, step])),
  page_ids: wire.textOr(""),
  steps: wire.listOf(step),
});
export type Funnel = z.infer<typeof funnel>;

export const video = z.object({ ...fields.Video, duration: wire.numberOrText });
export type Video = z.infer<typeof video>;

export const product = z.object({
  ...fields.Product,
  type: wire.textOr("simple"),
  bundle_item_count: wire.nullableNumber,
});
export type Product = z.infer<typeof product>;

/** The object of raw quiz answers has no name in the specification: every further object is kept, under its own name. */
function gatherAnswers(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const further = Object.entries(value).filter(
    ([key, entry]) => (key === "answers" || !(key in fields.Lead)) && typeof entry === "object",
  );
  return { ...value, answers: Object.fromEntries(further) };
}

export const lead = z.preprocess(gatherAnswers, z.object({ ...fields.Lead, answers: wire.object }));
export type Lead = z.infer<typeof lead>;

export const hookSubscription = z.object({ ...fields.HookSubscription, created_at: wire.nullableText });
export type HookSubscription = z.infer<typeof hookSubscription>;

/** Null if the service says nothing: an answer without the field promises nothing. */
export const deleted = z.object({ success: wire.nullableFlag, id: wire.nullableText, deleted: wire.nullableFlag });
export type Deleted = z.infer<typeof deleted>;

/** The specification shows no field of it. */
export const counts = z.record(z.string(), z.unknown());
export type Counts = z.infer<typeof counts>;

export const hookSample = z.array(z.record(z.string(), z.unknown()));
