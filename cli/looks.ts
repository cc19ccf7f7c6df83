/** What is planned, and what has drifted, as people are shown it: nothing is changed by either. */
import { exitCodes, RefusedError } from "../stack/exit/codes.ts";
import { makePlan } from "../stack/plan/make.ts";
import type { Ended, Intent } from "../stack/plan/plan.ts";
import { hasChanges } from "../stack/report/words.ts";
import type { SavedPlan } from "../stack/plan/saved-plan.ts";
import { withDrafts, withPublic, withUndeclared } from "../stack/run/drift-looks.ts";
import { failureCode } from "../stack/exit/report.ts";
import { withUnfinishedReleases } from "../stack/run/releases.ts";
import { writeDrift } from "../stack/run/write-drift.ts";
import type { Advice } from "../stack/report/model.ts";
import { showPlan } from "./output/show.ts";
import { reporting, type Desk } from "./session.ts";

export interface LookOptions extends Pick<Intent, "refresh" | "foreignEdits" | "failOn" | "maxDeletes" | "force"> {
  detailedExitcode?: true;
}

interface Keeping {
  /** What becomes of a plan that can be applied. */
  keep?: ((plan: SavedPlan) => Promise<void> | void) | undefined;
  /** What is said then. */
  next?: string | undefined;
  /** It is for an apply that nobody attends: what is sure to be refused there is refused here. The way out, beside those of the refusal. */
  wayOut?: string;
}

const APPLIES: Advice = { command: "up", arguments: [], reason: "applies it." };

export async function previewed(
  desk: Desk,
  { refresh, foreignEdits, failOn, maxDeletes, force, detailedExitcode: detailed }: LookOptions,
  { keep, next, wayOut }: Keeping,
): Promise<Ended> {
  const { output, session } = desk;
  const allowed = { ...(maxDeletes && { maxDeletes }), ...(force && { force }) };
  const intent: Intent = { kind: "preview", refresh, foreignEdits, failOn, keeps: keep !== undefined, ...allowed };
  const { report: planned, saved, findings } = await makePlan(session, intent);
  const applies = next === undefined && planned.result === "succeeded" && hasChanges(planned);
  const report = applies ? { ...planned, advice: [APPLIES] } : planned;
  showPlan(desk, report);
  const held = wayOut === undefined ? undefined : findings.find(({ weight }) => weight === "hold");
  if (held !== undefined && report.result === "succeeded") {
    const why = `the apply is sure to refuse this, and no plan is kept: ${held.text}\n${wayOut ?? ""}`;
    const error = new RefusedError(session.advised(why));
    return { report, exit: error.exitCode, error };
  }
  if (report.result !== "succeeded") return { report, exit: failureCode(report, { sent: false }) };
  if (saved !== undefined) await keep?.(saved);
  if (next !== undefined) output.line(session.advised(next));
  return { report, exit: detailed === true && hasChanges(report) ? exitCodes.changes : exitCodes.done };
}

export interface DriftFlags {
  full?: true;
  public?: true;
  write?: true;
  unmanaged?: true;
  detailedExitcode?: true;
}

/** A preview that looks at what exists first knows all three sides. */
export async function showDrift(
  desk: Desk,
  { full, write, unmanaged, public: looksAtPublic, detailedExitcode: detailed }: DriftFlags,
): Promise<Ended> {
  const { session, output } = desk;
  const planned = await session.run("drift", { kind: "preview", refresh: true, full }, { quiet: true });
  const ran = { ...planned, report: await withUnfinishedReleases(session, planned) };
  const drafts = await withDrafts(session, ran, { full });
  const visited = looksAtPublic === true ? await withPublic(session, { ...ran, report: drafts }) : drafts;
  return reporting({ session, report: visited }, async () => {
    const found =
      unmanaged === true && visited.result === "succeeded" ? await withUndeclared(session, visited) : visited;
    const report = (found.drift ?? []).length === 0 ? found : { ...found, advice: [PUTS_BACK] };
    showPlan(desk, report);
    if (report.result !== "succeeded") return { report, exit: failureCode(report, { sent: false }) };
    const written = write === true ? await writeDrift(session, report, ran.preview.told) : [];
    for (const line of written) output.line(line);
    const count = (report.drift ?? []).length + (report.public ?? []).length;
    return { report, exit: detailed === true && count > 0 ? exitCodes.changes : exitCodes.done };
  });
}

const PUTS_BACK: Advice = { command: "up", arguments: ["--refresh"], reason: "puts back what the code says." };
