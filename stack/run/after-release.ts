/**
 * A release publishes pages that were recorded before it: once it is out, the state is told of their publication, so that
 * outputs and the next plan have it without a refresh.
 */
import { definitionOf } from "../../provider/kinds/registry.ts";
import { memberIds } from "../../provider/kinds/release/members.ts";
import type { JsonMap } from "../../provider/values/json.ts";
import type { Report } from "../report/model.ts";
import { reveal, typeOf } from "../../engine/index.ts";
import type { Told } from "../report/told.ts";
import type { Ran, StackSession } from "./session.ts";

export async function withReleased(session: StackSession, { report, preview }: Ran): Promise<Report> {
  const targets = publishedBy(report, preview.told);
  if (targets.length === 0) return report;
  const { report: told } = await session.run(report.command, { kind: "refresh", targets }, { quiet: true });
  if (told.result === "succeeded") return report;
  const reason = told.failures.map(({ message }) => message).join("; ");
  const warning = `the release is out, and the state could not be told of it (${reason}): npx landform refresh does that`;
  return { ...report, warnings: [...report.warnings, warning] };
}

/** URNs of the pages that a release of this run has published. */
function publishedBy({ changes }: Report, told: ReadonlyMap<string, Told>): string[] {
  const done = new Set(changes.flatMap(({ urn, status }) => (status === "done" ? [urn] : [])));
  const ids = [...told.values()].filter(({ urn }) => done.has(urn)).flatMap(membersOf);
  return [...told.values()].flatMap(({ urn, id }) =>
    definitionOf(typeOf(urn))?.public === "address" && ids.includes(id) ? [urn] : [],
  );
}

function membersOf({ steps }: Told): string[] {
  const [step] = [...steps.values()].filter((one) => one.new !== undefined);
  const gathers = step && definitionOf(step.type)?.gathers;
  return gathers === undefined ? [] : memberIds(reveal(step?.new?.inputs ?? {}) as JsonMap, gathers);
}
