import { isMap, type Json, type JsonMap } from "../../json.ts";

/** Steps wherever the service keeps them: step objects under `steps` or `pages`, or bare page ids. */
export function stepsOf(answer: JsonMap): Json[] {
  const { steps, pages, pageIds } = answer;
  if (Array.isArray(steps) && steps.length > 0) return steps.map(stepOf);
  if (Array.isArray(pages) && pages.length > 0) return pages.map(stepOf);
  if (typeof pageIds === "string" && pageIds !== "") return pageIds.split(",").map((id) => ({ pageId: id.trim() }));
  return [];
}

function stepOf(raw: Json): Json {
  if (typeof raw === "string") return { pageId: raw };
  if (!isMap(raw)) return raw;
  const pageId = raw["pageId"] ?? raw["page_id"] ?? raw["id"];
  const url = raw["url"];
  const pageType = raw["pageType"] ?? raw["page_type"] ?? raw["type"];
  const found = { pageId: pageId || undefined, url: pageId ? undefined : url, pageType };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => typeof value === "string")) as JsonMap;
}
