/** Makes every plan, whatever it is for. */
import { isLook, verbOf } from "../intents.ts";
import { isOn, READ_ONLY_VARIABLE } from "../../provider/api/config.ts";
import { draftsIn, draftsToPlan } from "../checks/drafts.ts";
import { withFindings, type Found, type Look } from "../checks/check.ts";
import { checksFor } from "../checks/table.ts";
import type { RunRequest } from "../engines/contract.ts";
import { type Report, withFound } from "../report/model.ts";
import { withLearned } from "../report/decide.ts";
import type { AccountReader } from "../run/account-reader.ts";
import { Leftovers, type LeftCommand } from "../run/leftovers.ts";
import type { Ran, StackSession } from "../run/session.ts";
import { expectationsOf, startsOf } from "../review/expectations.ts";
import { summaryOf } from "../report/build.ts";
import { wantedOf } from "../report/steps.ts";
import { type Intent, type Plan, type References } from "../review/plan.ts";
import { hasChanges } from "../report/verdict.ts";
import { UsageError } from "../exit/codes.ts";
import { blankReport } from "../exit/report.ts";
import type { Undoing } from "../undo/undoing.ts";
import { checkPlan, refuseOtherAccount, savedPlan } from "../review/saved-plan.ts";

/** Makes a plan. It only reads. */
export async function makePlan(session: StackSession, asked: Intent): Promise<Plan> {
  const { saved } = asked;
  const intent = saved?.refresh === true ? { ...asked, refresh: saved.refresh } : asked;
  const verb = verbOf(intent);
  if (!isLook(intent)) refuseReadOnly();
  if (saved) checkPlan(saved, session, verb === "undo" ? "undo" : "up");
  if (!isLook(intent)) await session.hold();
  if (saved && verb !== "undo") await refuseOtherAccount(saved, session);
  const undoing = verb === "undo" ? await (await import("../undo/undoing.ts")).undoingFor(session, intent) : undefined;
  const leftovers = await Leftovers.begin(session, leftBy(intent));
  if (undoing?.steps.length === 0) return nothingLeft(session, intent, undoing, leftovers);
  const request = requestOf(session, intent, undoing);
  const ran = await session.run(verb === "up" ? "preview" : verb, request, { quiet: true });
  const answers = await askAll({ session, intent, ran, leftovers, undoing });
  const report = undoing?.shown(answers.report) ?? answers.report;
  const { expected, accounts, checked, conflict, proof, makesWay } = answers;
  const drafts = draftsIn(report, ran, intent);
  const isKept = intent.keeps === true && report.result === "succeeded";
  const isIdle =
    ran.idle !== undefined && verb === "up" && saved === undefined && !hasChanges({ counts: report.counts });
  return {
    ...{ intent, report, checked, conflict, proof, drafts, leftovers, undoing },
    saved: isKept ? await kept({ session, intent, ran, accounts, undoing }, report) : undefined,
    idle: isIdle && ran.idle ? { report: ran.idle, notices: ran.notices } : undefined,
    ofEngine: intent.kind === "up" ? ran.plan : undefined,
    summary: summaryOf(ran.preview),
    references: intent.kind === "adopt" ? referencesIn(ran) : new Map(),
    request: {
      ...(verb === "destroy" ? { kind: "destroy" as const } : { kind: "up" as const, ...undoing?.request }),
      ...(intent.refresh === true && { refresh: true }),
      ...(intent.verify !== undefined && { verify: true }),
      ...(expected !== undefined && { expected }),
      ...(makesWay !== undefined && { makesWay }),
    },
  };
}

function refuseReadOnly(): void {
  if (!isOn(READ_ONLY_VARIABLE)) return;
  throw new UsageError(
    `${READ_ONLY_VARIABLE} is on, so this command may change nothing. Nothing was sent. Unset ${READ_ONLY_VARIABLE} and run it again.`,
  );
}

/** The plan of an undo after which everything is as it was. */
function nothingLeft(session: StackSession, intent: Intent, undoing: Undoing, leftovers: Leftovers): Plan {
  const { stack, project } = session.folder;
  const about = { command: "undo", result: "succeeded", project: project.name } as const;
  const report = undoing.shown({ ...blankReport(stack), ...about });
  return {
    ...{ intent, report, leftovers, undoing, checked: [] },
    isDone: true,
    request: { kind: "up" },
    drafts: { said: {}, asked: {} },
    summary: { changes: [], counted: new Set(), published: new Map(), steps: [], urns: [] },
    references: new Map(),
  };
}

function referencesIn({ preview: { told } }: Ran): References {
  return new Map([...told].map(([urn, one]) => [urn, wantedOf(one)?.propertyDependencies ?? {}]));
}

function leftBy(intent: Intent): LeftCommand | undefined {
  if (intent.kind === "adopt") return undefined;
  const verb = verbOf(intent);
  // An undo never meets a stack whose run was killed.
  return verb === "undo" ? undefined : verb === "destroy" ? verb : "up";
}

function requestOf(session: StackSession, intent: Intent, undoing: Undoing | undefined): RunRequest {
  if (verbOf(intent) === "destroy") return { kind: "destroy", dryRun: true };
  const { refresh } = intent;
  return {
    kind: "preview",
    ...(refresh === true && { refresh }),
    wantsPlan: true,
    foreignEdits: draftsToPlan(session, intent),
    ...undoing?.request,
  };
}

interface Asked
  extends Pick<Look, "accounts">, Pick<Plan, "report" | "checked" | "conflict" | "proof">, Pick<Found, "makesWay"> {
  readonly expected: unknown;
}

/** Asks all checks. Each check sees the plan as the checks before it left it. */
async function askAll(given: Omit<Look, "reader" | "accounts">): Promise<Asked> {
  const { session, intent, ran } = given;
  const checked: string[] = [];
  let opened: Promise<AccountReader> | undefined;
  const reader = (): Promise<AccountReader> => (opened ??= session.account({ told: ran.preview.told }));
  let { report } = ran;
  let found: Omit<Asked, "report" | "checked"> = { accounts: {}, expected: undefined };
  for (const check of checksFor(intent.kind)) {
    const { name } = check;
    checked.push(name);
    const one: Found = await check.run({ ...given, reader, accounts: found.accounts }, report);
    const { report: seen = report, rows = new Map(), findings, ...more } = one;
    report = withFindings(withLearned(seen, rows), { name, findings }, intent);
    found = { ...found, ...more };
  }
  const warnings = opened === undefined ? [] : (await opened).warnings;
  return { ...found, report: withFound(report, "account", warnings), checked };
}

/** Saves the engine's plan, which is what was reviewed. The account's additions may differ later. */
async function kept(
  { session, intent, ran, accounts, undoing }: Pick<Look, "session" | "intent" | "ran" | "accounts" | "undoing">,
  report: Report,
): Promise<Plan["saved"]> {
  const { force, refresh } = intent;
  const { told } = ran.preview;
  const expects = expectationsOf(await startsOf(session, report, { told, live: told }));
  const reviewed = undoing ? report : { ...ran.report, impact: report.impact };
  const saved = savedPlan(session, reviewed, ran.plan, { accounts, expects, undoes: undoing?.id });
  return { ...saved, ...(force && { force }), ...(refresh && { refresh }) };
}
