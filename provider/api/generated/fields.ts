/** Generated from schema/api.yaml by "npm run generate". */
import { z } from "zod";
import {
  anything,
  decoded,
  flagOr,
  id,
  listOf,
  names,
  nullableNumber,
  nullableObject,
  nullableText,
  text,
} from "../wire.ts";

export const Account = {
  id: id,
  email: nullableText,
  name: text,
  plan: anything,
  workspace_id: nullableText,
};

export const Project = {
  id: id,
  name: text,
  description: nullableText,
  context: nullableText,
  active: flagOr(true),
  created_at: nullableText,
  updated_at: nullableText,
};

export const Site = {
  id: id,
  name: text,
  site_name: nullableText,
  domain: nullableText,
  custom_domain: nullableText,
  atomic_domain: nullableText,
  project_id: nullableText,
  status: nullableText,
  created_at: nullableText,
  updated_at: nullableText,
};

export const SiteCreated = {
  id: id,
  site_id: nullableText,
  name: nullableText,
  atomic_domain: nullableText,
  url: nullableText,
  project_id: nullableText,
  custom_domain_instructions: anything,
};

export const Page = {
  id: id,
  name: text,
  page_name: text,
  status: text,
  is_quiz: flagOr(false),
  project_id: nullableText,
  site_id: nullableText,
  site_name: nullableText,
  domain: nullableText,
  slug: nullableText,
  url: nullableText,
  edit_url: text,
  created_at: nullableText,
  updated_at: nullableText,
  published_at: nullableText,
};

export const PageDuplicateResult = {
  id: id,
  name: text,
  page_name: text,
  source_page_id: nullableText,
  edit_url: text,
};

export const PageMetadataResult = {
  id: id,
  page_id: nullableText,
  updated: flagOr(true),
  name: nullableText,
  project_id: nullableText,
  tags: anything,
  product_label: nullableText,
};

export const PageContentResult = {
  id: id,
  page_id: nullableText,
  success: flagOr(true),
  applied_count: nullableNumber,
  changed_section_count: nullableNumber,
  missing_count: nullableNumber,
  applied: decoded,
  missing: names,
};

export const PageVariablesResult = {
  id: id,
  page_id: nullableText,
  success: flagOr(true),
  replacement_count: nullableNumber,
  changed_section_count: nullableNumber,
  replaced_variables: names,
  remaining_variables: names,
  remaining_variable_count: nullableNumber,
};

export const PageValidation = {
  id: id,
  page_id: nullableText,
  ready_to_publish: flagOr(false),
  issue_count: nullableNumber,
  issues: decoded,
  field_count: nullableNumber,
  remaining_variable_count: nullableNumber,
  remaining_variables: names,
};

export const PagePublishResult = {
  id: id,
  page_id: nullableText,
  site_id: nullableText,
  success: flagOr(true),
  url: nullableText,
  domain: nullableText,
  slug: text,
  revision_saved: flagOr(false),
  revision_warning: nullableText,
};

export const PageDelayResult = {
  id: id,
  page_id: nullableText,
  updated: flagOr(true),
  delay: nullableObject,
};

export const Template = {
  id: id,
  name: text,
  template_name: text,
  category: nullableText,
  type: text,
  description: nullableText,
  preview_url: nullableText,
  image_url: nullableText,
};

export const BuilderSummary = {
  id: id,
  page_id: nullableText,
  builder: nullableObject,
};

export const BuilderNode = {
  id: id,
  page_id: nullableText,
  node_id: nullableText,
  path: nullableText,
  summary: anything,
  node: nullableObject,
};

export const BuilderNodeUpdate = {
  id: id,
  page_id: nullableText,
  node_id: nullableText,
  updated: flagOr(true),
  path: nullableText,
};

export const ContentMap = {
  id: id,
  page_id: nullableText,
  page_name: nullableText,
  field_count: nullableNumber,
  variable_count: nullableNumber,
  variables: names,
  fields: decoded,
  ready_for_variable_replacement: flagOr(false),
};

export const Quiz = {
  id: id,
  name: text,
  quiz_name: text,
  page_id: nullableText,
  page_name: nullableText,
  site_id: nullableText,
  project_id: nullableText,
  created_at: nullableText,
  updated_at: nullableText,
};

export const Funnel = {
  id: id,
  name: text,
  site_id: nullableText,
  project_id: nullableText,
  status: nullableText,
  pages: listOf(z.unknown()),
  page_ids: text,
  steps: listOf(z.unknown()),
  created_at: nullableText,
  updated_at: nullableText,
};

export const Video = {
  id: id,
  video_id: nullableText,
  name: nullableText,
  title: nullableText,
  status: nullableText,
  duration: anything,
  thumbnail_url: nullableText,
  project_id: nullableText,
  created_at: nullableText,
  updated_at: nullableText,
};

export const Product = {
  id: id,
  name: text,
  type: text,
  sku: nullableText,
  description: nullableText,
  image: nullableText,
  show_full_product: flagOr(false),
  price: nullableNumber,
  compare_price: nullableNumber,
  rating: nullableText,
  rating_count: nullableText,
  project_id: nullableText,
  cta_text: nullableText,
  cta_url: nullableText,
  cta_target: flagOr(false),
  use_single_cta_link: flagOr(false),
  bundle_discount: nullableNumber,
  bundle_item_count: nullableNumber,
  tiers_enabled: flagOr(false),
  subscription_enabled: flagOr(false),
  created_at: nullableText,
  updated_at: nullableText,
};

export const Lead = {
  id: id,
  lead_id: nullableText,
  type: text,
  name: nullableText,
  first_name: nullableText,
  last_name: nullableText,
  email: nullableText,
  phone: nullableText,
  form_id: nullableText,
  form_name: nullableText,
  quiz_id: nullableText,
  quiz_name: nullableText,
  page_id: nullableText,
  page_url: nullableText,
  project_id: nullableText,
  site_id: nullableText,
  abandoned: flagOr(false),
  is_completed: flagOr(false),
  fields: nullableObject,
  answers: nullableObject,
  created_at: nullableText,
};

export const HookSubscription = {
  id: id,
  event_type: text,
  active: flagOr(true),
  created_at: text,
};

export const eventTypes = [
  "form_lead.created",
  "quiz_lead.created",
  "page.created",
  "page.published",
  "product.created",
  "funnel.created",
  "site.created",
  "project.created",
] as const;
