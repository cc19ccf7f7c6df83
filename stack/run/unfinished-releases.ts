/** Releases that a failed or killed run has left, or somebody has: what the drafts of their pages hold is not public. */
import { nameOf, type StepEventMetadata } from "../../engine/index.ts";
import type { JsonMap } from "../../provider/values/json.ts";
import { ObjectState } from "../../provider/reconcile/object-state.ts";
import { definitionOf } from "../../provider/kinds/registry.ts";
import { byUrn, type StateResource } from "../engines/recorded.ts";
import { CommandError, exitCodes } from "../exit/codes.ts";
import type { Drift, Report } from "../report/model.ts";
import { shortName } from "../report/steps.ts";
import type { Told } from "../report/told.ts";
import { duePages } from "./due-pages.ts";
import type { Ran, StackSession } from "./session.ts";

/** No field of theirs differs: what a release publishes is in the states of its pages. */
export async function withUnfinishedReleases(
  { engine }: StackSession,
  { report, preview }: Pick<Ran, "report" | "preview">,
): Promise<Report> {
  const { drift = [] } = report;
  const isTold = ({ urn }: Told): boolean => drift.some((one) => one.urn === urn);
  const releases = [...preview.told.values()].filter((one) => isRecordedRelease(one) && !isTold(one));
  if (report.result !== "succeeded" || releases.length === 0) return report;
  const records = await engine.records();
  if (records === undefined) throw unread(releases);
  const standing = [...byUrn(records).values()];
  const unfinished = releases.flatMap(({ urn, id, steps }): Drift[] => {
    const [step] = steps.values();
    const state = standing.find((one) => one.urn === (step?.old?.urn ?? urn));
    const isLeft = state !== undefined && ([...steps.values()].some(tellsOfDrafts) || standing.some(isDueBy(state)));
    return isLeft ? [{ urn, type: shortName(state.type), name: nameOf(urn), id, kind: "unfinished", fields: [] }] : [];
  });
  return { ...report, drift: [...drift, ...unfinished] };
}

/** A look found pages that the release had published, and that somebody has made drafts. */
function tellsOfDrafts({ type, old, new: now }: StepEventMetadata): boolean {
  const definition = definitionOf(type);
  const states = definition === undefined ? [] : [old, now];
  return states.some(
    (one) => one && definition && ObjectState.fromState(definition, one.id, asMap(one.outputs)).redo.size > 0,
  );
}

function isDueBy({ type, id = "", inputs, outputs }: StateResource): (page: StateResource) => boolean {
  const due = duePages({ type, id, inputs: asMap(inputs), outputs: asMap(outputs) });
  return (page) => due?.(page.id ?? "", asMap(page.outputs)) === true;
}

function asMap(map: StateResource["outputs"] = {}): JsonMap {
  return map as JsonMap;
}

function isRecordedRelease({ id, steps }: Told): boolean {
  const [step] = steps.values();
  return id !== "" && step?.old !== undefined && definitionOf(step.type)?.gathers !== undefined;
}

function unread(releases: readonly Told[]): CommandError {
  const names = releases.map(({ urn }) => nameOf(urn)).join(", ");
  return new CommandError(
    exitCodes.failed,
    `whether ${names} is out as a whole can't be told: the state can't be read`,
  );
}
