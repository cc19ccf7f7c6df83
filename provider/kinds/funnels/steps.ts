import { isMap, type Json, type JsonMap } from "../../values/json.ts";
import { mayComeOf } from "../../account/spelling.ts";

/** Steps wherever the service keeps them: step objects under `steps` or `pages`, or bare page ids. Ids may be numbers here. */
export function stepsOf(answer: JsonMap): Json[] {
  const { steps, pages, pageIds } = answer;
  if (Array.isArray(steps) && steps.length > 0) return steps.map(stepOf);
  if (Array.isArray(pages) && pages.length > 0) return pages.map(stepOf);
  if (typeof pageIds === "string" && pageIds !== "") return pageIds.split(",").map((id) => ({ pageId: id.trim() }));
  return [];
}

function stepOf(raw: Json): Json {
  if (typeof raw === "string" || typeof raw === "number") return { pageId: String(raw) };
  if (!isMap(raw)) return raw;
  const named = pageIdOf(raw);
  const pageId = typeof named === "number" ? String(named) : named;
  const url = raw["url"];
  const pageType = raw["pageType"] ?? raw["page_type"] ?? raw["type"];
  const found = { pageId: pageId || undefined, url: pageId ? undefined : url, pageType };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => typeof value === "string")) as JsonMap;
}

/** A step that names its page, or an address instead, has an id of its own. */
function pageIdOf(step: JsonMap): Json | undefined {
  const names = ["pageId", "page_id", "page"].filter((name) => name in step);
  const [named] = names.flatMap((name) => step[name] ?? []);
  if (isMap(named)) return named["id"];
  return names.length > 0 || step["url"] ? named : step["id"];
}

/** Whether such an answer may come of these steps. A funnel is in order; one that shows bare ids may not show the others. */
export function stepsComeOf(sent: Json, { steps }: JsonMap): boolean {
  if (!Array.isArray(sent) || !Array.isArray(steps)) return true;
  const areBare = steps.every((step) => isMap(step) && step["url"] === undefined && step["pageType"] === undefined);
  let next = 0;
  for (const step of sent) {
    if (isStepOf(step, steps[next])) next++;
    else if (!(areBare && isMap(step) && step["pageId"] === undefined)) return false;
  }
  return next === steps.length;
}

function isStepOf(sent: Json, shown: Json | undefined): boolean {
  if (!isMap(sent) || !isMap(shown)) return shown !== undefined;
  const { pageId, url = null, pageType = null } = sent;
  const isThere = pageId === undefined ? isSame(url, shown["url"] ?? shown["pageId"]) : shown["pageId"] === pageId;
  return isThere && (shown["pageType"] === undefined || mayComeOf(pageType, shown["pageType"]));
}

/** Of texts alone something can be told. */
function isSame(sent: Json, shown: Json | undefined): boolean {
  return shown !== undefined && mayComeOf(sent, shown);
}
