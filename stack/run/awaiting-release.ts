/** Pages that a run with targets has written, and whose release is none of the targets: visitors still get what was published before. */
import { nameOf, reveal, Targets, type PropertyMap, type ResourceState } from "../../engine/index.ts";
import type { JsonMap } from "../../provider/values/json.ts";
import type { Report } from "../report/model.ts";
import { shortName } from "../report/steps.ts";
import { duePages } from "./due-pages.ts";
import type { StackSession } from "./session.ts";
import { Targeting } from "./targeting.ts";

export async function withAwaiting({ engine, folder, options }: StackSession, report: Report): Promise<Report> {
  const done = new Set(report.changes.flatMap(({ urn, status }) => (status === "done" ? [urn] : [])));
  if (options.target.length === 0 || done.size === 0) return report;
  const states = ((await engine.states()) ?? []).filter((state) => state.delete !== true);
  const reach = new Targets(new Targeting(options.target, folder).urns);
  const others = states.filter(({ urn }) => !reach.has(urn));
  const written = states.filter(({ urn }) => done.has(urn));
  const warnings = others.flatMap((release) => waitingFor(release, written).map((page) => warning(page, release)));
  return warnings.length === 0 ? report : { ...report, warnings: [...report.warnings, ...warnings] };
}

function waitingFor({ type, id = "", inputs, outputs }: ResourceState, written: readonly ResourceState[]) {
  const due = duePages({ type, id, inputs: inputs ?? {}, outputs: plain(outputs) });
  return due === undefined ? [] : written.filter((page) => due(page.id ?? "", plain(page.outputs)));
}

function warning(page: ResourceState, release: ResourceState): string {
  const target = calledIn(release, "/");
  return `${calledIn(page)} is written, and not public: ${calledIn(release)} publishes it, and is not among the targets. npx landform up --target ${target} does that, with all of its pages.`;
}

function calledIn({ type, urn }: ResourceState, between = " "): string {
  return `${shortName(type)}${between}${nameOf(urn)}`;
}

function plain(map: PropertyMap | undefined): JsonMap {
  return reveal(map ?? {}) as JsonMap;
}
