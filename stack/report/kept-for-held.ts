/** What has the address of a page that is held back isn't deleted before that one is public there. Pure. */
import type { StepEventMetadata } from "../../engine/index.ts";
import type { AlsoLive } from "./going-live.ts";
import type { Change, Report } from "./model.ts";
import { placeOf, publicPlaceOf } from "./stays.ts";
import { decisive, urlOf, type Told } from "./steps.ts";

type Tolds = ReadonlyMap<string, Told>;

/** The plan without addresses that change hands then, and with what stays. `found`: what would go live beside it. */
export function withKeptForHeld(report: Report, found: readonly AlsoLive[], told: Tolds): Report {
  const held = found.filter(({ word }) => word === "hold");
  const places = new Map(held.flatMap((one) => wantedBy(one, told).map((place) => [place, one] as const)));
  const kept = report.changes.flatMap((change) => {
    const { outputs = {} } = goingWith(change, told)?.old ?? {};
    const successor = places.get(publicPlaceOf(outputs) ?? "");
    return successor === undefined ? [] : [{ change, successor, url: urlOf(outputs) ?? "" }];
  });
  if (kept.length === 0 || report.impact === undefined) return report;
  const staying = new Set(kept.flatMap(({ url, successor }) => [url, successor.url]));
  const urls = report.impact.urls.filter(
    ({ url, effect }) => !staying.has(url) || !(effect === "delete" || effect === "create"),
  );
  const warnings = kept.map(
    ({ change: { type, name, op }, successor, url }) =>
      `${op === "replace" ? "the old " : ""}${type} ${name} keeps ${url}, and is not deleted as long as ` +
      `${successor.type} ${successor.name}, which is to be there, is held back`,
  );
  return { ...report, impact: { ...report.impact, urls }, warnings: [...report.warnings, ...warnings] };
}

function wantedBy({ urn }: AlsoLive, told: Tolds): string[] {
  const step = [...(told.get(urn)?.steps.values() ?? [])].findLast((one) => one.new !== undefined);
  const place = placeOf(step?.new?.inputs["publish"]);
  return place === undefined ? [] : [place];
}

/** The step that takes an object away. */
function goingWith({ urn, op, id = "", stays }: Change, told: Tolds): StepEventMetadata | undefined {
  const { steps, leftovers } = told.get(urn) ?? {};
  if (steps === undefined || stays === "in place" || (op !== "delete" && op !== "replace")) return undefined;
  return (op === "delete" ? leftovers?.get(id) : undefined) ?? decisive(steps, op);
}
