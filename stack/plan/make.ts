/** Makes every plan, whatever it is for. */
import { draftsIn } from "../checks/also-live.ts";
import { withFindings, type Found, type Look } from "../checks/check.ts";
import { CHECKS } from "../checks/table.ts";
import type { RunRequest } from "../engines/contract.ts";
import { type Report, type Verb, withFound } from "../report/model.ts";
import { AccountReader } from "../run/account-reader.ts";
import { Leftovers, type LeftCommand } from "../run/leftovers.ts";
import type { Ran, StackSession } from "../run/session.ts";
import { expectationsOf, startsOf } from "./expectations.ts";
import { summaryOf } from "../report/build.ts";
import { isLook, type Intent, type Plan } from "./plan.ts";
import { hasChanges } from "../report/words.ts";
import { checkPlan, refuseOtherAccount, savedPlan } from "./saved-plan.ts";

/** Makes a plan. It only reads. */
export async function makePlan(session: StackSession, intent: Intent): Promise<Plan> {
  const { saved, undoing } = intent;
  if (!isLook(intent)) await session.hold();
  if (saved && undoing === undefined) {
    checkPlan(saved, session, "up");
    await refuseOtherAccount(saved, session);
  }
  const verb = verbOf(intent);
  const leftovers = await Leftovers.begin(session, leftBy(intent));
  const ran = await session.run(verb === "up" ? "preview" : verb, requestOf(session, intent), { quiet: true });
  const asked = await askAll({ session, intent, ran, leftovers });
  const report = undoing?.shown(asked.report) ?? asked.report;
  const { expected, accounts, checked, conflict, proof } = asked;
  const drafts = draftsIn(report, ran, intent);
  const isKept = intent.keeps === true && report.result === "succeeded";
  const isIdle =
    ran.idle !== undefined && verb === "up" && saved === undefined && !hasChanges({ counts: report.counts });
  return {
    ...{ intent, report, checked, conflict, proof, drafts, leftovers },
    ...(isKept && { saved: await kept({ session, intent, ran, accounts }, report) }),
    ...(isIdle && ran.idle && { idle: { report: ran.idle, notices: ran.notices } }),
    summary: summaryOf(ran.preview),
    request: {
      ...(verb === "destroy" ? { kind: "destroy" as const } : { kind: "up" as const, ...undoing?.request }),
      ...(intent.refresh === true && { refresh: true }),
      ...(intent.verify !== undefined && { verify: true }),
      ...(expected !== undefined && { expected }),
    },
  };
}

/** The teardown of an environment looks through the account itself, once somebody has agreed. */
function leftBy(intent: Intent): LeftCommand | undefined {
  if (intent.kind === "adopt" || intent.kind === "env down") return undefined;
  const verb = verbOf(intent);
  // An undo never meets a stack whose run was killed.
  return verb === "undo" ? undefined : verb === "destroy" ? verb : "up";
}

/** Returns the command in reports and in the history. */
export function verbOf({ kind }: Pick<Intent, "kind">): Extract<Verb, "preview" | "up" | "undo" | "destroy"> {
  if (kind.startsWith("undo")) return "undo";
  if (kind === "destroy" || kind === "env down") return "destroy";
  return kind === "preview" || kind === "adopt" ? "preview" : "up";
}

function requestOf({ interruption }: StackSession, intent: Intent): RunRequest {
  if (verbOf(intent) === "destroy") return { kind: "destroy", dryRun: true };
  const { refresh, overtaken, saved, keeps, undoing } = intent;
  const isToldOfLater = intent.kind === "up" || intent.kind === "env up";
  return {
    kind: "preview",
    ...(refresh === true && { refresh }),
    wantsPlan: isToldOfLater || saved !== undefined || keeps === true,
    ...(overtaken && { cancel: AbortSignal.any([interruption.cancel, overtaken]) }),
    ...undoing?.request,
  };
}

interface Asked extends Pick<Look, "accounts">, Pick<Plan, "report" | "checked" | "conflict" | "proof"> {
  readonly expected: unknown;
}

/** Asks all checks. Each check sees the plan as the checks before it left it. */
async function askAll(given: Pick<Look, "session" | "intent" | "ran" | "leftovers">): Promise<Asked> {
  const { session, intent, ran } = given;
  const checks = CHECKS.filter(({ not }) => not[intent.kind] === undefined);
  let opened: Promise<AccountReader> | undefined;
  const reader = (): Promise<AccountReader> => (opened ??= AccountReader.open(session, { told: ran.preview.told }));
  let { report } = ran;
  let found: Pick<Asked, "accounts" | "conflict" | "proof" | "expected"> = {
    ...{ accounts: {}, conflict: undefined, proof: undefined, expected: undefined },
  };
  try {
    for (const { name, run } of checks) {
      const one: Found = await run({ ...given, reader, accounts: found.accounts }, report);
      const { report: seen = report, findings, ...more } = one;
      report = withFindings(seen, { name, findings }, intent);
      found = { ...found, ...more };
    }
    const warnings = opened === undefined ? [] : (await opened).warnings;
    return { ...found, report: withFound(report, "account", warnings), checked: checks.map(({ name }) => name) };
  } finally {
    await (await opened?.catch(() => undefined))?.close();
  }
}

/** Saves the engine's plan, which is what was reviewed. The account's additions may differ later. */
async function kept(
  { session, intent, ran, accounts }: { session: StackSession; intent: Intent; ran: Ran; accounts: Look["accounts"] },
  report: Report,
): Promise<Plan["saved"]> {
  const { undoing, force } = intent;
  const { told } = ran.preview;
  const expects = expectationsOf(await startsOf(session, report, { told, live: told }));
  const reviewed = undoing ? report : { ...ran.report, impact: report.impact };
  const saved = savedPlan(session, reviewed, ran.plan, { accounts, expects, undoes: undoing?.id });
  return { ...saved, ...(force && { force }) };
}
