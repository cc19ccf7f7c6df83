/** A question about a plan: one file, and one row of the table. */
import { type Intent, type IntentKind, type Plan, isLook } from "../plan/plan.ts";
import type { Report, Finding } from "../report/model.ts";
import type { AccountReader } from "../run/account-reader.ts";
import type { Leftovers } from "../run/leftovers.ts";
import type { Ran, StackSession } from "../run/session.ts";

export interface Check {
  readonly name: string;
  /** By intent, why it does not apply. It is made for every other one. */
  readonly not: Partial<Record<IntentKind, string>>;
  readonly run: (look: Look, report: Report) => Found | Promise<Found>;
}

/** What a check begins from. The report has what the checks before it have found. */
export interface Look {
  readonly session: StackSession;
  readonly intent: Intent;
  /** What the engine has planned. */
  readonly ran: Ran;
  /** One for all checks, and opened for the first that asks. */
  readonly reader: () => Promise<AccountReader>;
  readonly leftovers: Leftovers;
  /** Whose keys the plan is for, as far as they may tell: by what the program calls an account, the environment's by nothing. */
  readonly accounts: Readonly<Record<string, string>>;
}

export interface Found extends Pick<Partial<Plan>, "conflict" | "proof"> {
  /** The plan as it is seen then. */
  readonly report?: Report;
  readonly findings?: readonly Omit<Finding, "check">[] | undefined;
  readonly accounts?: Look["accounts"];
  /** The plan that the run is to be held to. */
  readonly expected?: unknown;
}

export function warns(texts: readonly string[], more: Pick<Finding, "lasts"> = {}): Omit<Finding, "check">[] {
  return texts.map((text) => ({ weight: "warn", text, ...more }));
}

/** What may be allowed by a word that the text names; undefined: nothing is held. */
export function holds(text: string | undefined): Found {
  return text === undefined ? {} : { findings: [{ weight: "hold", text }] };
}

/** What a plan comes to with these. Of one that is only looked at, what would hold it is said. */
export function withFindings(
  report: Report,
  { name, findings: found = [] }: Found & Pick<Check, "name">,
  intent: Intent,
): Report {
  if (found.length === 0) return report;
  // One reason is enough.
  const isHeld = report.findings.some(({ weight }) => weight === "hold");
  const findings = found
    .filter(({ weight }) => weight !== "hold" || !isHeld)
    .map((one): Finding => ({ ...one, check: name }));
  const of = (weight: Finding["weight"]) => findings.filter((one) => one.weight === weight);
  const refused = of("refuse").map(({ text, failure }) => ({ cause: "program" as const, ...failure, message: text }));
  const by = intent.kind === "preview" ? "up" : "undo";
  const held = isLook(intent) ? of("hold") : [];
  const said = held.map((one): Finding => ({ ...one, weight: "warn", text: `${by} will refuse this: ${one.text}` }));
  return {
    ...report,
    ...(refused.length > 0 && { result: "failed" as const }),
    failures: [...report.failures, ...refused],
    findings: [...report.findings, ...findings, ...said],
  };
}
