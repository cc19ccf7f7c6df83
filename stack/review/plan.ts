/** A plan is a value: its changes, the findings about them, and the rules for its apply. */
import type { ForeignEditsPolicy } from "../../provider/messages/foreign-edits.ts";
import type { Notice } from "../../provider/messages/notices.ts";
import type { RunRequest } from "../engines/contract.ts";
import type { CommandError, ExitCode, RefusedError } from "../exit/codes.ts";
import type { FailOn, SafetyOptions } from "../options.ts";
import type { IntentKind } from "../intents.ts";
import type { Report } from "../report/model.ts";
import type { Leftovers } from "../run/leftovers.ts";
import type { Undoes, Undoing } from "../undo/undoing.ts";
import type { Reviewed, SavedPlan } from "./saved-plan.ts";
import type { PlanSummary } from "../report/build.ts";

export interface Intent extends SafetyOptions {
  readonly kind: IntentKind;
  /** Looks at the existing objects first. */
  readonly refresh?: true | undefined;
  readonly foreignEdits?: ForeignEditsPolicy | undefined;
  readonly verify?: true | "strict" | undefined;
  readonly failOn?: FailOn | undefined;
  readonly keeps?: boolean;
  /** The reviewed plan, and the request that it belongs to. */
  readonly saved?: SavedPlan | undefined;
  readonly reviewed?: Reviewed | undefined;
  readonly undoes?: Undoes;
  /** Applies each save of a file. A save that is empty for a moment is never meant, whatever the limits allow. */
  readonly isWatch?: true;
  /** Called once, when the plan may be applied and nothing is sent yet. It returns further facts for the run, or undefined to end here. */
  readonly begin?: () => Promise<Partial<RunRequest> | undefined>;
}

export interface Plan {
  readonly intent: Intent;
  readonly report: Report;
  readonly checked: readonly string[];
  /** The reason why today's plan disagrees with the review, or has nothing left to do. */
  readonly conflict?: RefusedError | undefined;
  readonly saved?: SavedPlan | undefined;
  readonly summary: PlanSummary;
  /** For an adoption: by URN and input, the resources that a declared value is made of. */
  readonly references: References;
  readonly request: RunRequest;
  /** The engine's own plan. An apply that a person has agreed to is held to it: code and settings may change while it is read. */
  readonly ofEngine?: unknown;
  /** The drafts that go live by a yes. They map the id that each page is to have to the digest of its edits. */
  readonly drafts: Drafts;
  readonly undoing?: Undoing | undefined;
  /** Nothing is left to do of it. */
  readonly isDone?: true;
  /** The report of an apply that would do and record nothing. */
  readonly idle?: Pick<Ended, "report" | "notices"> | undefined;
  /** Called before an object is made that can't be deleted. Returns what each key lacks for the rest, in words. */
  readonly proof?: (() => Promise<readonly string[]>) | undefined;
  /** Objects that killed runs have left. */
  readonly leftovers: Leftovers;
}

export type References = ReadonlyMap<string, Readonly<Record<string, readonly string[]>>>;

export interface Drafts {
  /** The choice of the option or the review. */
  readonly said: NonNullable<RunRequest["foreignEdits"]>;
  /** The drafts that a person is asked about. */
  readonly asked: Readonly<Record<string, string>>;
}

export interface Ended {
  readonly report: Report;
  readonly exit: ExitCode;
  /** True if a run took place, whatever its end. */
  readonly hasRun?: true;
  readonly notices?: readonly Notice[];
  /** The error that ended the command, if the report doesn't tell it. */
  readonly error?: CommandError;
}
