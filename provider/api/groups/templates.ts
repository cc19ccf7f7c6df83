import { z } from "zod";
import type { Call } from "../caller.ts";
import type { TemplateSearch } from "../inputs.ts";
import { readCapped } from "../paging.ts";
import { template } from "../records.ts";

const templates = z.array(template);

export function templatesGroup(call: Call) {
  const list = (query?: TemplateSearch) => call("listTemplates", templates, { query: { ...query } });
  return {
    list,
    /** The list takes no page: at most 100 come, and `complete` says whether that was all. */
    listAll: (filter?: Omit<TemplateSearch, "limit">) => readCapped((paging) => list({ ...filter, ...paging })),
    search: (query: TemplateSearch) => call("searchTemplates", templates, { query: { ...query } }),
  };
}
