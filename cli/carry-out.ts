/** Carries an intent out with people: shows the plan, asks, runs, and tells the result. */
import type { Sharing } from "../manifest/index.ts";
import { afterDrift, afterPreview, nextSteps } from "../stack/advice/next-steps.ts";
import { exitCodes, RefusedError } from "../stack/exit/codes.ts";
import { apply, stoppedBy } from "../stack/plan/apply.ts";
import { makePlan } from "../stack/plan/make.ts";
import type { Ended, Intent } from "../stack/review/plan.ts";
import type { SavedPlan } from "../stack/review/saved-plan.ts";
import type { Report } from "../stack/report/model.ts";
import { hasChanges } from "../stack/report/verdict.ts";
import { titleOf } from "../stack/report/words.ts";
import { failureCode } from "../stack/exit/report.ts";
import { putsIntoDraft } from "../stack/undo/undo-plan.ts";
import type { Undoing } from "../stack/undo/undoing.ts";
import { agreed, confirmed, type Desk, reporting, showOutcome, showPlan } from "./desk.ts";
import { tellUntold } from "./end.ts";
import { limitsOf } from "./options.ts";
import type { ReportOptions } from "../stack/options.ts";

export interface Telling {
  readonly question: string;
  readonly showPlan?: (plan: Report) => void;
  readonly showOutcome?: (report: Report) => void;
  readonly afterUndo?: (undoing: Undoing, report: Report) => Promise<void>;
}

export async function carryOut(desk: Desk, intent: Intent, telling: Telling): Promise<Ended> {
  const { session } = desk;
  const plan = await makePlan(session, intent);
  const { report } = plan;
  (telling.showPlan ?? ((shown) => showPlan(desk, shown)))(report);
  return reporting({ session, report }, async () => {
    const stopped = stoppedBy(plan);
    if (stopped) {
      tellUntold(stopped);
      return stopped;
    }
    const isAsked = report.result === "succeeded" && hasChanges(report) && intent.saved === undefined;
    if (isAsked && !(await confirmed(desk, intent, telling.question))) return { report, exit: exitCodes.failed };
    const includes = Object.keys(plan.drafts.asked).length > 0 && (await agreed(desk, questionAbout(report)));
    const ended = await apply(session, plan, { agreed: isAsked && intent.yes !== true, includes });
    if (ended.hasRun !== true) return ended;
    const drafts = (plan.undoing?.steps ?? []).filter(putsIntoDraft).map(titleOf);
    const told = { ...ended.report, advice: nextSteps(ended.report, intent.kind, drafts) };
    (telling.showOutcome ?? ((shown) => showOutcome(desk, shown)))(told);
    if (plan.undoing !== undefined) await telling.afterUndo?.(plan.undoing, told);
    return { ...ended, report: told };
  });
}

function questionAbout({ impact: { alsoLive = [] } = { urls: [], funnels: [], scopes: [] } }: Report): string {
  const asked = alsoLive.filter(({ policy }) => policy === "ask");
  if (asked.some(({ goes }) => goes === true)) {
    const others = asked.every(({ goes }) => goes === true)
      ? "Delete the edits of others"
      : "Publish or write over the edits of others, and delete those";
    return `${others} in pages that are replaced? Otherwise these pages stay as they are.`;
  }
  if (asked.every(({ noDraft }) => noDraft === true))
    return "Write over the values that others have changed? Otherwise the account keeps them.";
  return asked.some(({ noDraft }) => noDraft === true)
    ? "Publish the edits of others, and write over the values that they have changed? Otherwise these pages and values stay as they are."
    : "Publish the edits of others, too? Otherwise these pages stay as they are published.";
}

export type UpChoice = Pick<Intent, "yes" | "force" | "maxDeletes" | "foreignEdits" | "refresh" | "verify">;

/** `reviewed`: the reviewed plan and its request. Then nobody is asked. */
export function broughtUp(
  desk: Desk,
  { foreignEdits, refresh, verify, ...limits }: UpChoice,
  {
    saved,
    reviewed,
    kind = saved ? "up --plan" : "up",
  }: Pick<Intent, "saved" | "reviewed"> & { kind?: "up" | "up --plan" | "ci apply" } = {},
): Promise<Ended> {
  const choice: UpChoice = { ...limitsOf(limits), foreignEdits, refresh, verify };
  const intent: Intent = { ...choice, kind, ...(saved && { yes: true, saved, reviewed }) };
  return carryOut(desk, intent, { question: "Apply these changes?" });
}

export interface LookOptions extends Pick<
  Intent,
  "refresh" | "foreignEdits" | "failOn" | "maxDeletes" | "force" | "undoes"
> {
  detailedExitcode?: true;
}

interface Keeping {
  keep?: ((plan: SavedPlan) => Promise<void> | void) | undefined;
  /** The sentence that is said after it. */
  next?: string | undefined;
  /** For a later apply that nobody attends: a plan that is sure to be refused there is refused here. The text adds a way out to the refusal's own. */
  wayOut?: string;
  kind?: "preview" | "ci plan";
}

export async function previewed(
  desk: Desk,
  { refresh, foreignEdits, failOn, undoes, detailedExitcode: detailed, ...limits }: LookOptions,
  { keep, next, wayOut, kind = "preview" }: Keeping,
): Promise<Ended> {
  const { output, session } = desk;
  const intent: Intent = {
    kind: undoes === undefined ? kind : "undo --preview",
    ...(undoes && { undoes }),
    refresh,
    foreignEdits,
    failOn,
    keeps: keep !== undefined,
    ...limitsOf(limits),
  };
  const { report: planned, saved } = await makePlan(session, intent);
  const held = planned.findings.filter(({ weight }) => weight === "hold");
  const isPlain = planned.result === "succeeded" && hasChanges(planned);
  const undo = { command: "undo", arguments: undoes?.run === undefined ? [] : [undoes.run], reason: "applies it." };
  const advice = undoes === undefined ? afterPreview(planned, intent) : [undo];
  const report = next === undefined && isPlain && kind === "preview" ? { ...planned, advice } : planned;
  showPlan(desk, report);
  const ways = [...new Set(held.flatMap(({ allowed }) => allowed ?? []))];
  if (held.length > 0 && wayOut !== undefined && report.result === "succeeded") {
    const way = ways.every((one) => one.includes("--force")) ? ` ${wayOut}` : "";
    const error = new RefusedError(`no plan is kept, because the apply is sure to refuse this one.${way}`);
    return { report, exit: error.exitCode, error };
  }
  if (report.result !== "succeeded") return { report, exit: failureCode(report, { sent: false }) };
  if (saved !== undefined) await keep?.(saved);
  const needs = ways.length === 0 ? "" : ` It needs ${ways.join(", ")}.`;
  if (next !== undefined && (keep === undefined || saved !== undefined)) output.line(next + needs);
  return { report, exit: detailed === true && hasChanges(report) ? exitCodes.changes : exitCodes.done };
}

export interface DriftFlags {
  full?: true;
  write?: true;
  shared?: Sharing;
  detailedExitcode?: true;
}

export async function showDrift(
  desk: Desk,
  { full, write, shared, html, detailedExitcode: detailed }: DriftFlags & Pick<ReportOptions, "html">,
): Promise<Ended> {
  const { session, output } = desk;
  const { driftOf } = await import("../stack/run/drift-looks.ts");
  const { report: plain, preview } = await driftOf(session, { full });
  const looked = { report: plain, preview };
  // The camera is loaded only for a page that shows something.
  const found =
    html === undefined ? plain : await (await import("../stack/run/live-funnels.ts")).withFunnels(session, looked);
  return reporting({ session, report: found }, async () => {
    const report = (found.drift ?? []).length === 0 || write === true ? found : { ...found, advice: afterDrift(found) };
    showPlan(desk, report);
    if (report.result !== "succeeded") return { report, exit: failureCode(report, { sent: false }) };
    if (write === true) {
      const { writeDrift } = await import("../stack/run/write-drift.ts");
      for (const line of await writeDrift(session, report, { told: preview.told, sharing: shared })) output.line(line);
    }
    return { report, exit: detailed === true && (report.drift ?? []).length > 0 ? exitCodes.changes : exitCodes.done };
  });
}
