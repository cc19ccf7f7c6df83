import type { LandformApi } from "../api/index.ts";
import type { Json } from "../values/json.ts";
import { ContentFields } from "../account/content-map.ts";

export interface ContentMapResult {
  readonly pageId: string;
  /** Content keys with their values; null where the service shows none. */
  readonly content: Readonly<Record<string, Json>>;
  /** Placeholders that have no value yet. */
  readonly variables: readonly string[];
  readonly readyForVariableReplacement: boolean;
}

/** What can be edited on a page: the keys that `content` of a page takes. */
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
