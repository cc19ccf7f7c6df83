/** A check asks a question about a plan. It has one file, and one row in the table. */
import { type IntentKind, isLook, verbOf } from "../intents.ts";
import { type Intent, type Plan } from "../review/plan.ts";
import type { LearnedRows } from "../report/decide.ts";
import type { Failure, Finding, Report, Warning } from "../report/model.ts";
import type { AccountReader } from "../run/account-reader.ts";
import type { Leftovers } from "../run/leftovers.ts";
import type { Undoing } from "../undo/undoing.ts";
import type { RunFacts } from "../../provider/pulumi/run-facts.ts";
import type { Ran, StackSession } from "../run/session.ts";
import { UnreadableSettingError } from "../settings/settings.ts";

export interface Check {
  readonly name: string;
  /** The reasons why it does not apply, by intent. It runs for every other intent but an adoption. */
  readonly not: Partial<Record<IntentKind, string>>;
  readonly run: (look: Look, report: Report) => Found | Promise<Found>;
}

/** Gives each of these intents the same reason. */
export function since(why: string, ...intents: readonly IntentKind[]): Check["not"] {
  return Object.fromEntries(intents.map((intent) => [intent, why]));
}

/** The things that a check begins from. The report has what the checks before it have found. */
export interface Look {
  readonly session: StackSession;
  readonly intent: Intent;
  readonly ran: Ran;
  /** The session's reader of the account. The first check that asks opens it. */
  readonly reader: () => Promise<AccountReader>;
  readonly leftovers: Leftovers;
  readonly undoing: Undoing | undefined;
  /** By the program's name for an account ("" for the environment's), the account id that its key told. */
  readonly accounts: Readonly<Record<string, string>>;
}

export interface Found extends Pick<Partial<Plan>, "conflict" | "proof"> {
  readonly report?: Report;
  /** The facts about the plan's rows that only the account knows. */
  readonly rows?: LearnedRows;
  readonly findings?: readonly CheckFinding[] | undefined;
  readonly accounts?: Look["accounts"];
  /** For the run: by id, the pages that make way, with the date of the last edit that the plan knows of. */
  readonly makesWay?: RunFacts["makesWay"];
  /** The plan that the run has to follow. */
  readonly expected?: unknown;
}

/** `refuse`: the plan can't be carried out, and has failed. The program is wrong if it has no other cause. */
export type Refusal = Omit<Failure, "check" | "message" | "cause"> & {
  readonly weight: "refuse";
  readonly text: string;
  readonly cause?: Failure["cause"];
};
export type CheckFinding = Omit<Finding, "check"> | Refusal;

export function warns(
  found: readonly (string | Warning)[],
  more: Pick<Finding, "lasts" | "advice"> = {},
): Omit<Finding, "check">[] {
  return found.map((one) => ({ weight: "warn", ...(typeof one === "string" ? { text: one } : one), ...more }));
}

/**
 * Tells the questions about a plan that got no answer. Without the answers nobody knows what the plan would do: it is shown and not kept, and
 * an apply goes on by word only. A destroy deletes all, whatever the answers are.
 */
export function unanswered(found: readonly Unanswered[], intent: Intent): CheckFinding[] {
  const { kind, force } = intent;
  const goesOn = force === true || verbOf(intent) === "destroy";
  return found.map(({ isKeyHidden, text, ...one }): CheckFinding => {
    if (goesOn || (isKeyHidden === true && !isLook(intent))) return { ...one, weight: "warn", text };
    const said = text.replace(/\.$/, "");
    if (isLook(intent)) return { ...one, weight: "refuse", text: `${said}. ${NOT_KEPT}`, cause: "operation" };
    const allowed = kind === "env up" ? {} : { allowed: "--force" };
    return { ...one, weight: "hold", text: `${said}. The next run asks again`, ...allowed };
  });
}

/** A question about a plan that got no answer. */
export interface Unanswered extends Warning {
  /** Only the engine can read the key, so the apply finds out by itself. */
  readonly isKeyHidden?: boolean;
}

export const NOT_KEPT = "No plan is kept.";

export function unansweredBy(error: unknown, question: Warning): Unanswered {
  return { ...question, isKeyHidden: error instanceof UnreadableSettingError };
}

/** Parts answers and questions without one. */
export function heard<Answer extends object>(all: readonly (Answer | Unanswered | undefined)[]) {
  const isOpen = (one: Answer | Unanswered): one is Unanswered => "text" in one;
  const given = all.filter((one) => one !== undefined);
  return { answers: given.filter((one): one is Answer => !isOpen(one)), open: given.filter(isOpen) };
}

/** Holds the plan until a person allows it. Undefined holds nothing. */
export function holds(held: Held | undefined): Found {
  return held === undefined ? {} : { findings: [{ weight: "hold", ...held }] };
}

export type Held = Pick<Finding, "text" | "allowed">;

/** Adds findings to a report. A preview only tells what would hold the plan. */
export function withFindings(
  report: Report,
  { name, findings: found = [] }: Found & Pick<Check, "name">,
  intent: Intent,
): Report {
  if (found.length === 0) return report;
  const by = verbOf(intent) === "preview" ? "up" : "undo";
  const failures = found.flatMap((one): Failure[] => {
    if (one.weight !== "refuse") return [];
    const { weight, text: message, ...refusal } = one;
    return [{ cause: "program", ...refusal, message, check: name }];
  });
  const findings = found.flatMap((one): Finding[] => {
    if (one.weight === "refuse") return [];
    return [{ ...one, check: name, ...(one.weight === "hold" && isLook(intent) && { refusedBy: by }) }];
  });
  return {
    ...report,
    ...(failures.length > 0 && { result: "failed" as const }),
    failures: [...report.failures, ...failures],
    findings: [...report.findings, ...findings],
  };
}
