/** What a plan touches that visitors see. Pure. */
import type { Json, PropertyMap } from "../../engine/state/types.ts";
import { nameOf } from "../../engine/urn.ts";
import type { Collector, Told } from "./collect.ts";
import { shortName, urlOf } from "./collect.ts";
import type { Change, Impact } from "./model.ts";
import { scopesFor } from "./scopes.ts";

export function impactOf(collector: Collector): Impact {
  const changes = collector.changes();
  return { urls: urlsOf(changes), funnels: funnelsOf(collector, changes), scopes: scopesFor(changes) };
}

const PAGES = ["Page", "Quiz"];

function urlsOf(changes: readonly Change[]): Impact["urls"] {
  return changes.flatMap(({ type, name, op, url, fields }) => {
    if (!PAGES.includes(type)) return [];
    if (url !== undefined) return [{ url, page: name, effect: op }];
    const published = fields.some(({ path }) => path.startsWith("publish"));
    if (!published) return [];
    const whole = fields.find(({ path }) => path === "publish")?.new;
    const slug = fields.find(({ path }) => path === "publish.slug")?.new ?? (isMap(whole) ? whole["slug"] : undefined);
    return [
      {
        url: `/${typeof slug === "string" ? slug : ""}`,
        page: name,
        effect: op === "adopt" ? op : ("create" as const),
      },
    ];
  });
}

function funnelsOf({ told }: Collector, changes: readonly Change[]): Impact["funnels"] {
  const byId = new Map(changes.flatMap((change) => (change.id === undefined ? [] : [[change.id, change] as const])));
  const direct = new Map(changes.filter(({ type }) => type === "Funnel").map((change) => [change.urn, change.op]));
  return [...told.values()].flatMap((one) => {
    const type = [...one.steps.values()][0]?.type ?? "";
    if (shortName(type) !== "Funnel") return [];
    const name = nameOf(one.urn);
    const op = direct.get(one.urn);
    if (op !== undefined) return [{ name, reason: WORDS[op] }];
    const pages = stepIds(one).flatMap((id) => byId.get(id) ?? []);
    return pages.length === 0
      ? []
      : [{ name, reason: pages.map((page) => `${page.name} ${WORDS[page.op]}`).join(", ") }];
  });
}

const WORDS: Record<Change["op"], string> = {
  create: "is new",
  adopt: "is taken over",
  update: "changes",
  replace: "is replaced",
  delete: "goes away",
};

function stepIds({ steps }: Told): string[] {
  const inputs: PropertyMap = [...steps.values()].find(({ old }) => old !== undefined)?.old?.inputs ?? {};
  const list = Array.isArray(inputs["steps"]) ? inputs["steps"] : [];
  return list.flatMap((step) => (isMap(step) && typeof step["pageId"] === "string" ? [step["pageId"]] : []));
}

function isMap(value: Json | undefined): value is PropertyMap {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The pages that are public once the run has ended. */
export function publishedUrls({ told }: Collector): string[] {
  const gone = (one: Told) => one.steps.has("delete") && !one.steps.has("create");
  return [...told.values()].flatMap((one) => (gone(one) ? [] : (urlOf(one.outputs) ?? [])));
}
