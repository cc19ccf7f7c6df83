/** The report of one run, from what the engine told and what it ended with. Pure. */
import { isDeepStrictEqual } from "node:util";
import { anchorOf, type StepFailure } from "../../provider/messages/failures.ts";
import type { Engine, PlannedStep, RunResult } from "../engines/contract.ts";
import type { Collector } from "./collect.ts";
import { aboutOf, decisive, isChanging, movedUrns, publicUrls, type Told } from "./steps.ts";
import { impactOf, publishedUrls } from "./impact.ts";
import { type Change, type Failure, type Pending, type Report, SECRET, type Verb, type Finding } from "./model.ts";
import { explainProgramError } from "./program-error.ts";
import { markerCutWarnings, noUseWarnings, renamedFailures, stayingNotes } from "./notes.ts";
import { shown } from "./values.ts";
import { type Json, nameOf, type PropertyMap, Targets, typeOf } from "../../engine/index.ts";
import type { Notice } from "../../provider/messages/notices.ts";
import { keyOfKind, keyOfType } from "../../provider/kinds/registry.ts";
import type { HeldBack, SeenPage } from "./going-live.ts";

export interface ReportParts {
  command: Verb;
  project: string;
  stack: string;
  /** Of the project: places in the program are told relative to it. */
  root: string;
  engine: Pick<Engine, "name" | "version" | "notes">;
  collector: Collector;
  run: RunResult;
  /** Of the same run. */
  forecast?: Pick<Planned, "changes" | "counted" | "published"> | undefined;
  durationMs: number;
  verbose: boolean;
  /** What the run was limited to; undefined or empty: nothing. */
  targets?: readonly string[] | undefined;
}

export interface Planned {
  changes: readonly Change[];
  /** The URNs of what changes and of what stays the same. */
  counted: ReadonlySet<string>;
  /** By URN, the addresses of pages that were public before. */
  published: ReadonlyMap<string, string>;
  /** By URN, all that was told of each resource. */
  told: ReadonlyMap<string, Told>;
}

export function buildReport(parts: ReportParts): Report {
  const { command, collector, run, engine } = parts;
  const unmanaged = stayingNotes(collector.told.values());
  const renamed = command === "preview" ? renamedFailures(collector.told.values()) : [];
  const unreached = unreachedOf(parts);
  return {
    version: 1,
    command,
    result: renamed.length > 0 ? "failed" : run.result,
    project: parts.project,
    stack: parts.stack,
    engine: { name: engine.name, version: engine.version },
    counts: { ...collector.counts(), unreached: unreached.counted.size },
    changes: [...collector.changes(), ...unreached.changes],
    ...(command === "drift" ? { drift: collector.drift() } : {}),
    ...(command === "preview" || command === "up" || command === "undo" ? { impact: impactOf(collector) } : {}),
    outputs: command === "destroy" ? {} : outputsOf(run),
    urls: command === "destroy" ? [] : [...new Set([...publishedUrls(collector), ...unreached.urls])],
    ...(command === "up" || command === "undo"
      ? { held: heldBack(collector.notices, collector.told), ...seenOf(collector) }
      : {}),
    pending: pendingOf(parts),
    findings: [
      ...warningsOf(parts).map((text): Finding => ({ check: "run", weight: "warn", text })),
      ...engine.notes.map((text): Finding => ({ check: "engine", weight: "note", text })),
    ],
    ...(unmanaged.length > 0 ? { unmanaged } : {}),
    failures: [...failuresOf(parts).map((failure) => withStep(failure, collector.failed)), ...renamed],
    durationMs: parts.durationMs,
  };
}

function warningsOf({ collector: { warnings, told, notices }, verbose }: ReportParts): string[] {
  return [...warnings, ...markerCutWarnings(notices, verbose), ...noUseWarnings(told.values(), notices)];
}

function seenOf({ notices, told }: Collector): Pick<Report, "seen"> {
  const seen = seenPages(notices, told);
  return seen.length === 0 ? {} : { seen };
}

/** What the preview knew, for the report of the run that follows it. */
export function plannedIn(collector: Collector): Planned {
  const published = publicUrls(collector.told);
  return { changes: collector.changes(), counted: collector.counted(), published, told: collector.told };
}

/** What a run that stopped on the way has left as it was. */
function unreachedOf({ run, collector, forecast }: ReportParts) {
  if (run.result === "succeeded" || forecast === undefined) return { changes: [], counted: new Set(), urls: [] };
  const reached = collector.counted();
  return {
    changes: forecast.changes
      .filter(({ urn }) => !reached.has(urn))
      .map((change) => ({ ...change, status: "unreached" as const })),
    counted: new Set([...forecast.counted].filter((urn) => !reached.has(urn))),
    urls: [...forecast.published].flatMap(([urn, url]) => (reached.has(urn) ? [] : [url])),
  };
}

function outputsOf({ outputs }: RunResult): Report["outputs"] {
  const visible = Object.entries(outputs).filter(([name]) => !name.startsWith("__"));
  return Object.fromEntries(visible.map(([name, { value, secret }]) => [name, secret ? SECRET : shown(value as Json)]));
}

/** What was found of an interrupted run, and what became of it in this one. */
function pendingOf({ run, collector, command, targets = [] }: ReportParts): Pending[] {
  const changes = new Map(collector.changes().map((change) => [change.urn, change]));
  const reach = new Targets(targets);
  const outcomeOf = (urn: string): Pending["outcome"] => {
    const change = changes.get(urn);
    if (command === "preview" || command === "drift") return "later";
    if (change !== undefined && (change.status ?? "done") === "done") return change.op;
    return collector.told.has(urn) && reach.has(urn) ? "settled" : "not looked into";
  };
  return run.pending.map(({ urn, operation }) => ({ urn, operation, outcome: outcomeOf(urn) }));
}

/** What a program says of a resource that has failed, where it goes on: why is told by itself. */
const FOLLOWS = /^(Error: )?resource .+ failed to register\b/;

/** The engine hands on the message that was thrown; the data with the same text belong to it. */
function withStep(failure: Failure, failed: readonly StepFailure[]): Failure {
  const found = failed.find(({ text }) => failure.message.includes(text));
  if (found === undefined) return failure;
  const { text: _, ...step } = found;
  const cause = PROGRAMS.has(step.code) ? "program" : "operation";
  return { ...failure, cause: failure.cause === "stale" ? failure.cause : cause, step };
}

/** What no other answer of the service would change: the program asks for it, or the settings are wrong. */
const PROGRAMS: ReadonlySet<string> = new Set(
  [
    "RefusedChangeError",
    "PreviewStackError",
    "WrongAccountError",
    "UnknownAccountError",
    "AdoptionError",
    "ConfigurationError",
  ].map(anchorOf),
);

function failuresOf({ run, collector, root, verbose }: ReportParts): Failure[] {
  const logged = collector.errors.map(({ message }) => message).filter((message) => !FOLLOWS.test(message));
  const failures = run.failures.flatMap((failure) => {
    if (failure.cause !== "program" || failure.urn !== undefined) return [failure];
    // The engine says that the program failed; why, the program has logged by itself.
    const reasons = logged.filter((message) => message !== failure.message);
    const isTold = collector.errors.some(({ message }) => FOLLOWS.test(message)) && run.failures.length > 1;
    const texts = reasons.length > 0 || isTold ? reasons : [failure.message];
    return texts.map((text) => ({ ...failure, ...(verbose ? { message: text } : explainProgramError(text, root)) }));
  });
  const summaries = /^One or more errors occurred: /;
  // The same is told twice where the runtime and the engine each report it.
  return failures.filter(
    ({ message }, index) =>
      !failures.some((other, place) =>
        other.message === message
          ? place < index
          : place !== index && other.message.includes(message.replace(summaries, "")),
      ),
  );
}

type Tolds = ReadonlyMap<string, Told>;

function heldBack(notices: readonly Notice[], told: Tolds): HeldBack[] {
  const find = finderIn(told);
  return notices.flatMap((notice) => {
    if (notice.code !== "foreign-edits" || notice.outcome !== "held-back") return [];
    const { kind, id, edits, heldBy } = notice;
    return find(kind, id).map((one) => ({ ...aboutOf(one, typeOf(one.urn)), edits, ...(heldBy && { heldBy }) }));
  });
}

function seenPages(notices: readonly Notice[], told: Tolds): SeenPage[] {
  const find = finderIn(told);
  return notices.flatMap((notice) => {
    if (notice.code !== "seen-live") return [];
    const { code, kind, id, name, ...found } = notice;
    return find(kind, id).map((one) => ({ ...aboutOf(one, typeOf(one.urn)), name: nameOf(one.urn), ...found }));
  });
}

/** Of what the run told, the resource that is the object. */
function finderIn(told: Tolds): (kind: string, id: string) => Told[] {
  const byObject = new Map([...told.values()].map((one) => [keyOfType(typeOf(one.urn), one.id), one]));
  return (kind, id) => {
    const one = byObject.get(keyOfKind(kind, id));
    return one === undefined || one.steps.size === 0 ? [] : [one];
  };
}

/**
 * What a run that follows a plan is held against. Of thousands of resources a plan is large, and it would be held as long as the
 * run takes: this is the part of it that is asked for later.
 */
export interface PlanSummary extends Pick<Planned, "changes" | "counted" | "published"> {
  readonly steps: readonly PlannedStep[];
  /** The URNs of all that is to be touched, also where nobody is told of it. */
  readonly urns: readonly string[];
}

export function summaryOf({ changes, counted, published, told }: Planned): PlanSummary {
  const steps = changes.map(({ urn, op }): PlannedStep => {
    const step = decisive(told.get(urn)?.steps ?? new Map(), op);
    return { urn, op, type: step?.type ?? "", inputs: decidingIn(step?.new?.inputs) };
  });
  return { changes, counted, published, steps, urns: [...told.values()].flatMap(touchedUrns) };
}

/** With the URN that it has had till then: an undo would take what was moved for what the run has made. */
function touchedUrns(told: Told): readonly string[] {
  return movedUrns(told) ?? (isChanging(told) ? [told.urn] : []);
}

/** What an engine asks of them (`PlannedStep`); their texts are the larger part by far. */
function decidingIn({ adoptId, publish, reuse }: PropertyMap = {}): PlannedStep["inputs"] {
  return {
    ...(adoptId !== undefined && { adoptId }),
    ...(publish !== undefined && { publish }),
    ...(reuse !== undefined && { reuse }),
  };
}

/** What came as it was foreseen is kept once. */
export function asForeseen(changes: readonly Change[], foreseen: readonly Change[]): Change[] {
  const fields = new Map(foreseen.map((change) => [change.urn, change.fields]));
  return changes.map((change) => {
    const same = fields.get(change.urn);
    return same !== undefined && isDeepStrictEqual(same, change.fields) ? { ...change, fields: same } : change;
  });
}
