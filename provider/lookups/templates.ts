/** The lists of templates: those of pages and those of quizzes. */
import { z } from "zod";
import type { LandformApi, Template } from "../api/index.ts";
import { distinct } from "../api/paging.ts";
import { defineCollection, LookupError, MOST, recordsOf } from "../definition/collection.ts";
import { insteadOf } from "../values/nearest.ts";

export const templates = defineCollection({
  what: "template",
  plural: "templates",
  calls: { list: "listTemplates", search: "listTemplates" },
  filters: z.object({
    query: z.string().optional().describe("Text in the name and related fields."),
    category: z.string().optional(),
    type: z.string().optional().describe("The service's default is page."),
  }),
  nameOf: ({ name }: Template) => name,
  read: readTemplate,
  search: (api, query) => ofEveryType((type) => api.templates.list({ query, type, limit: MOST })),
  all: (api, filter, { limit } = {}) =>
    recordsOf(api.templates.listAll(filter).then(({ records }) => records.slice(0, limit))),
  everything: (api) => recordsOf(everyTemplate(api)),
});

/** No operation reads one template: the list takes an exact id. */
async function readTemplate(api: LandformApi, id: string): Promise<Template> {
  const found = await ofEveryType((type) => api.templates.list({ template_id: id, type }));
  const record = found.find((row) => row.id === id);
  if (record) return record;
  const ids = (await everyTemplate(api)).map((row) => row.id);
  throw new LookupError(`There is no template "${id}" (GET /templates)${insteadOf(id, ids, "There are")}`);
}

/** Returns the templates of pages and those of quizzes. */
export function everyTemplate(
  api: LandformApi,
  filter: { readonly query?: string; readonly category?: string } = {},
): Promise<Template[]> {
  return ofEveryType(async (type) => (await api.templates.listAll({ ...filter, type })).records);
}

/** The list returns templates of pages unless a type is given. The specification names no type of quizzes (2026-11-21): this asks by their name. */
async function ofEveryType(read: (type: string | undefined) => Promise<Template[]>): Promise<Template[]> {
  const [forPages, forQuizzes] = await Promise.all([read(undefined), read("quiz")]);
  return distinct([...forPages, ...forQuizzes]);
}
