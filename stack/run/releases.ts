/** Finds pages that a release still has to publish: their drafts are newer than the texts that the release recorded as public. */
import {
  type PropertyMap,
  typeOf,
  nameOf,
  Targets,
  type ResourceState,
  type StepEventMetadata,
} from "../../engine/index.ts";
import type { JsonMap } from "../../provider/values/json.ts";
import { ObjectState } from "../../provider/reconcile/object-state.ts";
import { definitionOf } from "../../provider/kinds/registry.ts";
import { type Report, type Drift, type Finding, withFound } from "../report/model.ts";
import { type Told, shortName, draftOf, operationOf, plain } from "../report/steps.ts";
import type { Ran, StackSession } from "./session.ts";
import { Targeting } from "./targets.ts";
import { byUrn, type StateResource } from "../engines/recorded.ts";
import { CommandError, exitCodes } from "../exit/codes.ts";

interface ReleaseRecord {
  readonly type: string;
  readonly id: string;
  readonly inputs: PropertyMap;
  readonly outputs: JsonMap;
}

type Member = Pick<ResourceState, "type" | "id" | "outputs">;

/** Tells if a page is due, as it is in the state. */
type IsDue = (member: Member) => boolean;

/** Returns undefined for a resource that is no release. */
export function duePages({ type, id, inputs, outputs }: ReleaseRecord): IsDue | undefined {
  const definition = definitionOf(type);
  const gathers = definition?.gathers;
  if (definition === undefined || gathers === undefined) return undefined;
  const { notes } = ObjectState.fromState(definition, id, outputs);
  const members = new Set(gathers.memberIds(plain(inputs)));
  return ({ id: page = "", ...member }) => members.has(page) && gathers.isDue(notes, page, draftOf(member));
}

/** Returns the pages that a planned release publishes although the plan writes nothing to them: an earlier run wrote their drafts. */
export function releasedBy(
  release: Told,
  told: ReadonlyMap<string, Told>,
  stateOf: (urn: string) => JsonMap | undefined,
): readonly Told[] {
  const due = dueBy(release, stateOf);
  // Few of thousands of resources are releases. Only these look at all the others.
  return due === undefined
    ? []
    : [...told.values()].filter(
        ({ urn, id, steps }) =>
          id !== "" && operationOf(steps) === undefined && due({ type: typeOf(urn), id, outputs: stateOf(urn) }),
      );
}

function dueBy({ urn, id, steps }: Told, stateOf: (urn: string) => JsonMap | undefined): IsDue | undefined {
  const step = [...steps.values()].find((one) => one.new !== undefined);
  const outputs = stateOf(step?.old?.urn ?? urn);
  if (step === undefined || outputs === undefined || operationOf(steps) === undefined) return undefined;
  return duePages({ type: step.type, id, inputs: step.new?.inputs ?? {}, outputs });
}

export async function withReleased(session: StackSession, { report, preview }: Ran): Promise<Report> {
  const targets = publishedBy(report, preview.told);
  if (targets.length === 0) return report;
  const { report: told } = await session.run(
    report.command,
    { kind: "refresh", targets, goesOn: true },
    { quiet: true },
  );
  if (told.result === "succeeded") return report;
  const reason = told.failures.map(({ message }) => message).join("; ");
  const text = `the release is public, but Landform could not write that into the state (${reason})`;
  const advice = [{ command: "refresh", arguments: [], reason: "writes it there." }];
  return withFound(report, "publications", [{ text, advice }]);
}

function publishedBy({ changes }: Report, told: ReadonlyMap<string, Told>): string[] {
  const done = new Set(changes.flatMap(({ urn, status }) => (status === "done" ? [urn] : [])));
  return pagesOf(
    [...told.values()].filter(({ urn }) => done.has(urn)),
    told,
  ).map(({ urn }) => urn);
}

export function pagesOf(releases: readonly Told[], told: ReadonlyMap<string, Told>): Told[] {
  const ids = new Set(releases.flatMap(membersOf));
  return [...told.values()].filter(({ urn, id }) => definitionOf(typeOf(urn))?.public === "address" && ids.has(id));
}

function membersOf({ steps }: Told): string[] {
  const [step] = [...steps.values()].filter((one) => one.new !== undefined);
  return (step && definitionOf(step.type)?.gathers?.memberIds(plain(step.new?.inputs))) ?? [];
}

export async function withAwaiting({ engine, folder, options }: StackSession, report: Report): Promise<Report> {
  const done = new Set(report.changes.flatMap(({ urn, status }) => (status === "done" ? [urn] : [])));
  if (options.target.length === 0 || done.size === 0) return report;
  const states = ((await engine.states()) ?? []).filter((state) => state.delete !== true);
  const reach = new Targets(new Targeting(options.target, folder).urns);
  const others = states.filter(({ urn }) => !reach.has(urn));
  const written = states.filter(({ urn }) => done.has(urn));
  const warnings = others.flatMap((release) => waitingFor(release, written).map((page) => warning(page, release)));
  return withFound(report, "publications", warnings);
}

function waitingFor({ type, id = "", inputs, outputs }: ResourceState, written: readonly ResourceState[]) {
  const due = duePages({ type, id, inputs: inputs ?? {}, outputs: plain(outputs) });
  return due === undefined ? [] : written.filter(due);
}

function warning(page: ResourceState, release: ResourceState): Pick<Finding, "text" | "urn" | "advice"> {
  const title = calledIn(release);
  const text = `${calledIn(page)} is written, and not public: ${title} publishes it, and is not among the targets.`;
  const reason = `publishes ${title}, with all of its pages.`;
  const advice = [{ command: "up", arguments: ["--target", calledIn(release, "/")], reason }];
  return { text, urn: page.urn, advice };
}

function calledIn({ type, urn }: ResourceState, between = " "): string {
  return `${shortName(type)}${between}${nameOf(urn)}`;
}

/** Adds releases that are unfinished although no field differs: the states of the pages show what a release has to publish. */
export async function withUnfinishedReleases(
  { engine }: StackSession,
  { report, preview }: Pick<Ran, "report" | "preview">,
): Promise<Report> {
  const { drift = [] } = report;
  const isTold = ({ urn }: Told): boolean => drift.some((one) => one.urn === urn);
  const releases = [...preview.told.values()].filter((one) => isRecordedRelease(one) && !isTold(one));
  if (report.result !== "succeeded" || releases.length === 0) return report;
  const records = await engine.records();
  if (records === undefined) {
    const names = releases.map(({ urn }) => nameOf(urn)).join(", ");
    const why = `Landform can't tell if all pages of ${names} are public: the state can't be read`;
    throw new CommandError(exitCodes.failed, why);
  }
  const standing = [...byUrn(records).values()];
  const unfinished = releases.flatMap(({ urn, id, steps }): Drift[] => {
    const [step] = steps.values();
    const state = standing.find((one) => one.urn === (step?.old?.urn ?? urn));
    const isLeft = state !== undefined && ([...steps.values()].some(tellsOfDrafts) || standing.some(isDueBy(state)));
    return isLeft ? [{ urn, type: shortName(state.type), name: nameOf(urn), id, kind: "unfinished", fields: [] }] : [];
  });
  return { ...report, drift: [...drift, ...unfinished] };
}

/** Tells if a look found pages that the release had published and that somebody turned into drafts. */
function tellsOfDrafts({ type, old, new: now }: StepEventMetadata): boolean {
  const definition = definitionOf(type);
  const states = definition === undefined ? [] : [old, now];
  return states.some(
    (one) => one && definition && ObjectState.fromState(definition, one.id, asMap(one.outputs)).unfinished.size > 0,
  );
}

function isDueBy(release: StateResource): (member: StateResource) => boolean {
  const due = duePages({ ...stateOf(release), inputs: asMap(release.inputs) });
  return (member) => due?.(stateOf(member)) === true;
}

function stateOf({ type, id = "", outputs }: StateResource) {
  return { type, id, outputs: asMap(outputs) };
}

function asMap(map: StateResource["outputs"] = {}): JsonMap {
  return map as JsonMap;
}

function isRecordedRelease({ id, steps }: Told): boolean {
  const [step] = steps.values();
  return id !== "" && step?.old !== undefined && definitionOf(step.type)?.gathers !== undefined;
}
