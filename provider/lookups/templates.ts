import type { LandformApi, Template } from "../api/index.ts";
import { didYouMean } from "../lifecycle/nearest.ts";
import { findOne, LookupError, shown, type Limit, type One, type Shown } from "./find.ts";

export interface TemplateQuery extends Limit {
  /** Text in the name and related fields. */
  readonly query?: string;
  readonly category?: string;
  /** The service's default is page. */
  readonly type?: string;
}

/** One template, by its id or its name. */
export async function getTemplate(api: LandformApi, wanted: One): Promise<Shown<Template>> {
  const record = await findOne(
    {
      what: "template",
      nameOf: ({ name }) => name,
      read: (id) => readTemplate(api, id),
      search: (query) => ofEveryType((type) => api.templates.list({ query, type, limit: 100 })),
      all: () => ofEveryType(async (type) => (await api.templates.listAll({ type })).records),
    },
    wanted,
  );
  return shown(record);
}

/** The service gives 100 at most. */
export async function listTemplates(
  api: LandformApi,
  { limit = Infinity, ...filter }: TemplateQuery = {},
): Promise<Shown<Template>[]> {
  return (await api.templates.listAll(filter)).records.slice(0, limit).map(shown);
}

/** No operation reads one template: the list takes an exact id. */
async function readTemplate(api: LandformApi, id: string): Promise<Template> {
  const found = await ofEveryType((type) => api.templates.list({ template_id: id, type }));
  const record = found.find((row) => row.id === id);
  if (record) return record;
  const known = await ofEveryType(async (type) => (await api.templates.listAll({ type })).records);
  const suggestion = didYouMean(
    id,
    known.map((row) => row.id),
  );
  throw new LookupError(`There is no template "${id}" (GET /templates)${suggestion || "."}`);
}

/**
 * The list gives templates of pages unless a type is given, and the specification doesn't say what the type of a quiz's
 * template is called (2026-11-21): the obvious word is asked for, too.
 */
async function ofEveryType(read: (type: string | undefined) => Promise<Template[]>): Promise<Template[]> {
  const [pages, quizzes] = await Promise.all([read(undefined), read("quiz")]);
  return [...new Map([...pages, ...quizzes].map((row) => [row.id, row])).values()];
}
