import { templates as all } from "../document/index.ts";
import { equals, matches, type Window, windowOf } from "../http/paging.ts";
import type { Service } from "../records/service.ts";
import type { Call, Operations } from "./operation.ts";

interface Filters extends Window {
  query?: string;
  category?: string;
  type?: string;
  template_id?: string;
}

export const templates: Operations = { listTemplates: search, searchTemplates: search };

/** An exact id finds templates of every type. Otherwise the type is `page`, unless the caller asks for another. */
function search(_service: Service, { query }: Call<Filters>) {
  const type = query.type ?? (query.template_id === undefined ? "page" : undefined);
  const found = all
    .filter((template) => equals(query.template_id, template.id) && equals(type, template.type))
    .filter((template) => query.category === undefined || matchesExactly(query.category, template.category))
    .filter((template) => matches(query.query, template.name, template.description, template.category));
  return windowOf(found, query);
}

function matchesExactly(wanted: string, category: string | null): boolean {
  return category?.toLowerCase() === wanted.toLowerCase();
}
