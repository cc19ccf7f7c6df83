/** Builds the report of one run from the engine's events and the run's result. Pure. */
import type { PlannedStep, RunResult } from "./run-result.ts";
import { anchorOf, type StepFailure } from "../../provider/messages/failures.ts";
import type { Collector } from "./collect.ts";
import { objectsLeftBy } from "./decide.ts";
import { aboutOf, isRetained, decisive, isChanging, movedUrns, publicUrls, type Told } from "./steps.ts";
import { impactOf, publishedUrls } from "./impact.ts";
import type { Change, Failure, Finding, HeldBack, Pending, Report, SeenPage, Verb } from "./model.ts";
import { SECRET } from "./model.ts";
import { explainProgramError } from "./program-errors.ts";
import { isKept } from "./rows.ts";
import { leftoverTexts, renamedIn, stayingNotes } from "./notes.ts";
import { shown } from "./values.ts";
import { isRootStack, type Json, nameOf, Targets, typeOf } from "../../engine/index.ts";
import type { Notice } from "../../provider/messages/notices.ts";
import { keyOfKind, keyOfType } from "../../provider/kinds/registry.ts";
import { same } from "../../provider/values/json.ts";
import type { EmptiedCell } from "./written-in.ts";

export interface ReportParts {
  command: Verb;
  project: string;
  stack: string;
  /** The project's folder. Places in the program are told relative to it. */
  root: string;
  engine: Report["engine"] & { readonly notes: readonly string[] };
  collector: Collector;
  run: RunResult;
  /** The preview of the same run. */
  forecast?: Pick<Planned, "changes" | "counted" | "published"> | undefined;
  /** The rows of the plan, which has also asked the account. */
  planned?: readonly Change[] | undefined;
  durationMs: number;
  verbose: boolean;
  /** The targets of the run. Undefined or empty means no limit. */
  targets?: readonly string[] | undefined;
  emptied?: EmptiedCell | undefined;
}

export interface Planned {
  changes: readonly Change[];
  /** The URNs of changed and unchanged resources. */
  counted: ReadonlySet<string>;
  /** By URN, the addresses of pages that were public before. */
  published: ReadonlyMap<string, string>;
  told: ReadonlyMap<string, Told>;
  places?: RunResult["places"];
}

export function buildReport(parts: ReportParts): Report {
  const { command, collector, run, engine } = parts;
  const { notices, told } = collector;
  // Nothing of the code comes to objects that edits of others kept from their replacement.
  const moving = [...told.values()].filter((one) => !isKept(one, notices));
  const unmanaged = stayingNotes(moving, parts.emptied);
  const renamed = command === "preview" ? renamedIn(told.values()) : { failures: [], warnings: [] };
  const unreached = unreachedOf(parts);
  const published = publishedUrls(collector, parts.planned ?? []);
  const [held, seen] = [heldBack(notices, told), seenPages(notices, told)];
  const [isApply, outputs] = [command === "up" || command === "undo", command === "destroy" ? {} : outputsOf(run)];
  const warnings = [...collector.warnings, ...leftoverTexts(notices), ...renamed.warnings];
  return {
    version: 1,
    command,
    result: renamed.failures.length > 0 ? "failed" : run.result,
    project: parts.project,
    stack: parts.stack,
    engine: { name: engine.name, version: engine.version },
    counts: { ...collector.counts(), unreached: unreached.counted.size },
    changes: [...changesIn(parts), ...unreached.changes],
    ...(command === "drift" && { drift: collector.drift() }),
    ...((command === "preview" || isApply) && { impact: impactOf(collector) }),
    outputs,
    ...(command === "preview" && { changedOutputs: changedOutputs(collector, outputs) }),
    urls: command === "destroy" ? [] : [...new Set([...published.all, ...unreached.urls])],
    ...(isApply && { published: published.now.filter((url) => held.every((one) => one.url !== url)), held }),
    ...(isApply && seen.length > 0 && { seen }),
    pending: pendingOf(parts),
    findings: [
      ...warnings.map((text): Finding => ({ check: "run", weight: "warn", text })),
      ...engine.notes.map((text): Finding => ({ check: "engine", weight: "note", text })),
    ],
    ...(unmanaged.length > 0 && { unmanaged }),
    failures: [...withSteps(failuresOf(parts), collector.failed), ...renamed.failures],
    durationMs: parts.durationMs,
  };
}

/** Keeps the preview's facts for the report of the run that follows. */
export function plannedIn(collector: Collector): Planned {
  const published = publicUrls(collector.told);
  return { changes: collector.changes(), counted: collector.counted(), published, told: collector.told };
}

function unreachedOf({ run, collector, forecast }: ReportParts) {
  if (run.result === "succeeded" || forecast === undefined) return { changes: [], counted: new Set(), urls: [] };
  const reached = collector.counted();
  const left = forecast.changes.filter(({ urn }) => !reached.has(urn));
  return {
    changes: left.map((change) => ({ ...change, status: "unreached" as const })),
    counted: new Set([...forecast.counted].filter((urn) => !reached.has(urn))),
    urls: [...forecast.published].flatMap(([urn, url]) => (reached.has(urn) ? [] : [url])),
  };
}

function outputsOf({ outputs }: RunResult): Report["outputs"] {
  const visible = Object.entries(outputs).filter(([name]) => !name.startsWith("__"));
  return Object.fromEntries(visible.map(([name, { value, secret }]) => [name, secret ? SECRET : shown(value as Json)]));
}

/** A refresh deletes nothing: it forgets what somebody has deleted. */
function changesIn({ command, collector }: ReportParts): readonly Change[] {
  const changes = collector.changes();
  if (command !== "refresh") return changes;
  const reason = { code: "deleted in the app" } as const;
  return changes.map((change) => (change.op === "delete" ? { ...change, reason } : change));
}

function changedOutputs({ told }: Collector, outputs: Report["outputs"]): string[] {
  const root = [...told.values()].find(({ urn }) => isRootStack(urn));
  const before = [...(root?.steps.values() ?? [])].find(({ old }) => old !== undefined)?.old?.outputs ?? {};
  return Object.entries(outputs).flatMap(([name, now]) => (same(shown(before[name] ?? null), now) ? [] : [name]));
}

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

/** The program's message about a failed resource when it goes on. The reason is told separately. */
const FOLLOWS = /^(Error: )?resource .+ failed to register\b/;

/** The engine passes on the thrown message. The data with the same text belong to it. An error of the service or of the key is told once. */
function withSteps(failures: readonly Failure[], failed: readonly StepFailure[]): Failure[] {
  const stepOf = ({ message }: Failure): StepFailure | undefined => failed.find(({ text }) => message.includes(text));
  const all = failures.map((failure) => ({ failure, step: stepOf(failure) }));
  const groups = Map.groupBy(all, ({ step }, index) => (step && isOfAll(step) ? step.text : index));
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first?.step === undefined) return first?.failure ?? [];
    const { urn: _, source: __, ...whole } = first.failure;
    const once = { ...whole, message: `${first.step.text} (${others.length + 1} resources)` };
    return withStep(others.length === 0 ? first.failure : once, first.step);
  });
}

/** Tells if the error is of the service or of the key, and not of one resource. */
function isOfAll({ call, code, setting }: StepFailure): boolean {
  return (call !== undefined && call.status === undefined) || setting !== undefined || ACCOUNTS.has(code);
}

const ACCOUNTS: ReadonlySet<string> = new Set(["WrongAccountError", "UnknownAccountError"].map(anchorOf));

function withStep(failure: Failure, { text: _, ...step }: StepFailure): Failure {
  const cause = PROGRAMS.has(step.code) ? "program" : "operation";
  return { ...failure, cause: failure.cause === "stale" ? failure.cause : cause, step };
}

/** Errors that no other answer of the service would change: the program causes them, or the settings are wrong. */
const PROGRAMS: ReadonlySet<string> = new Set([
  ...ACCOUNTS,
  ...["RefusedChangeError", "PreviewStackError", "AdoptionError", "ConfigurationError"].map(anchorOf),
]);

function failuresOf({ run, collector, root, verbose }: ReportParts): Failure[] {
  const logged = collector.errors.map(({ message }) => message).filter((message) => !FOLLOWS.test(message));
  const failures = run.failures.flatMap((failure) => {
    if (failure.cause !== "program" || failure.urn !== undefined) return [failure];
    // The engine only says that the program failed. The program has logged the reason.
    const reasons = logged.filter((message) => message !== failure.message);
    const isTold = collector.errors.some(({ message }) => FOLLOWS.test(message)) && run.failures.length > 1;
    const texts = reasons.length > 0 || isTold ? reasons : [failure.message];
    return texts.map((text) => ({ ...failure, ...(verbose ? { message: text } : explainProgramError(text, root)) }));
  });
  const summaries = /^One or more errors occurred: /;
  // The runtime and the engine may both report the same failure.
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

export function heldBack(notices: readonly Notice[], told: Tolds): HeldBack[] {
  const find = finderIn(told);
  return notices.flatMap((notice) => {
    if (notice.code !== "foreign-edits" || notice.outcome !== "held-back") return [];
    const { kind, id, edits, heldBy, noDraft, goes } = notice;
    return find(kind, id).map((one) => ({
      ...aboutOf(one, typeOf(one.urn)),
      ...{ edits, heldBy, noDraft, goes },
      ...(goes === true && isRetained(one) && { stays: true as const }),
    }));
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

function finderIn(told: Tolds): (kind: string, id: string) => Told[] {
  const byObject = new Map([...told.values()].map((one) => [keyOfType(typeOf(one.urn), one.id), one]));
  return (kind, id) => {
    const one = byObject.get(keyOfKind(kind, id));
    return one === undefined || one.steps.size === 0 ? [] : [one];
  };
}

/** The part of a plan that a run needs later. A whole plan of thousands of resources would fill the memory until the run ends. */
export interface PlanSummary extends Pick<Planned, "changes" | "counted" | "published"> {
  readonly steps: readonly PlannedStep[];
  /** The URNs of all resources that the run touches, even if nobody is told about them. */
  readonly urns: readonly string[];
}

export function summaryOf({ changes, counted, published, told }: Planned): PlanSummary {
  const steps = changes.map((change): PlannedStep => {
    const { urn, op } = change;
    const step = decisive(told.get(urn)?.steps ?? new Map(), op);
    // The texts are by far the larger part of the inputs.
    const { adoptId, publish, reuse } = step?.new?.inputs ?? {};
    return { urn, op, type: step?.type ?? "", inputs: { adoptId, publish, reuse }, leaves: objectsLeftBy([change]) };
  });
  // Without its former URN, an undo would take a moved resource for a new one.
  const urns = [...told.values()].flatMap((one) => movedUrns(one) ?? (isChanging(one) ? one.urn : []));
  return { changes, counted, published, steps, urns };
}

/** Shares the fields of changes that came as planned, to keep them in memory once. */
export function asForeseen(changes: readonly Change[], foreseen: readonly Change[]): Change[] {
  const fields = new Map(foreseen.map((change) => [change.urn, change.fields]));
  return changes.map((change) => {
    const known = fields.get(change.urn);
    return known !== undefined && same(known, change.fields) ? { ...change, fields: known } : change;
  });
}
