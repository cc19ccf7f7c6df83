import { templates } from "../kinds/page/collection.ts";
import { listOf, oneOf } from "./find.ts";

export interface TemplateQuery {
  /** Text in the name and related fields. */
  readonly query?: string;
  readonly category?: string;
  /** The service's default is page. */
  readonly type?: string;
}

/** One template, by its id or its name. */
export const getTemplate = oneOf({ lookup: templates });

/** The service gives 100 at most. */
export const listTemplates = listOf<TemplateQuery, typeof templates>({ lookup: templates });
