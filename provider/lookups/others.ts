/** Lookups of things that are of no kind: the account, a page's content and builder, leads and templates. */
import type { Account, BuilderNode, BuilderSummary, Counts, LandformApi, Lead, LeadSearch } from "../api/index.ts";
import { type Limit, listOf, oneOf, shown, type Shown } from "./find.ts";
import type { Json } from "../values/json.ts";
import { ContentFields } from "../account/content-map.ts";
import { wired } from "../definition/collection.ts";
import { templates } from "./templates.ts";

/** The account that the API key belongs to. */
export async function getAccount(api: LandformApi): Promise<Shown<Account>> {
  return shown(await api.account.me());
}

/** Counts of what is in the account, under the names that the service gives them. */
export function getCounts(api: LandformApi): Promise<Counts> {
  return api.analytics.counts();
}

/** The builder's tree of a page, or only its summary. */
export async function getBuilderTree(
  api: LandformApi,
  { pageId, includeTree }: { readonly pageId: string; readonly includeTree?: boolean },
): Promise<Shown<BuilderSummary>> {
  return shown(await api.builder.read(pageId, { include_tree: includeTree }));
}

/** One node of a page's builder. */
export async function getBuilderNode(
  api: LandformApi,
  { pageId, nodeId }: { readonly pageId: string; readonly nodeId: string },
): Promise<Shown<BuilderNode>> {
  return shown(await api.builder.readNode(pageId, nodeId));
}

export interface ContentMapResult {
  readonly pageId: string;
  /** Content keys with their values; null where the service shows none. */
  readonly content: Readonly<Record<string, Json>>;
  /** Placeholders that have no value yet. */
  readonly variables: readonly string[];
  readonly readyForVariableReplacement: boolean;
}

/** The editable texts of a page: the keys that `content` of a page takes. */
export async function getContentMap(
  api: LandformApi,
  { pageId }: { readonly pageId: string },
): Promise<ContentMapResult> {
  const map = await api.builder.contentMap(pageId);
  const fields = new ContentFields(map.fields);
  return {
    pageId,
    content: Object.fromEntries(fields.keys().map((key) => [key, fields.value(key) ?? null])),
    variables: map.variables,
    readyForVariableReplacement: map.ready_for_variable_replacement,
  };
}

export interface LeadQuery extends Limit {
  /** Text in the name and related fields. */
  readonly query?: string;
  /** Both kinds when left out. */
  readonly type?: LeadSearch["type"];
  readonly leadId?: string;
  readonly pageId?: string;
  /** The exact address. */
  readonly email?: string;
}

const MOST = 50;

/** Leads as the service orders them. It gives 50 at most, and has no way to ask for more. */
export async function listLeads(api: LandformApi, { limit = MOST, ...filter }: LeadQuery = {}): Promise<Shown<Lead>[]> {
  if (limit <= 0) return [];
  return (await api.leads.search({ ...wired(filter), limit: Math.min(limit, MOST) })).map(shown);
}

export interface TemplateQuery {
  /** Text in the name and related fields. */
  readonly query?: string;
  readonly category?: string;
  /** The service's default is page. */
  readonly type?: string;
}

/** One template, by its id or its name. */
export const getTemplate = oneOf({ lookup: templates });

/** All templates, or those that the filter lets through. The service gives at most 100. */
export const listTemplates = listOf<TemplateQuery, typeof templates>({ lookup: templates });
