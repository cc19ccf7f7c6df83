/** A plan is a value: its changes, what was found about them, and what its apply is held to. */
import type { ForeignEditsWord } from "../../provider/messages/foreign-edits.ts";
import type { Notice } from "../../provider/messages/notices.ts";
import type { RunRequest } from "../engines/contract.ts";
import type { CommandError, ExitCode, RefusedError } from "../exit/codes.ts";
import type { FailOn, SafetyOptions } from "../options.ts";
import type { Report } from "../report/model.ts";
import type { Leftovers } from "../run/leftovers.ts";
import type { Undoing } from "../undo/undoing.ts";
import type { Reviewed } from "./overtaken.ts";
import type { SavedPlan } from "./saved-plan.ts";
import type { PlanSummary } from "../report/build.ts";

/** The same plan is made for each; the table of checks says what it is asked. `ci plan` is a preview, `ci apply` an up --plan. */
export const INTENTS = [
  "preview",
  "up",
  "up --plan",
  "undo",
  "undo --preview",
  "undo --plan",
  "destroy",
  "env up",
  "env down",
  "adopt",
] as const;

export type IntentKind = (typeof INTENTS)[number];

export interface Intent extends SafetyOptions {
  readonly kind: IntentKind;
  /** Looks at what exists first. */
  readonly refresh?: true | undefined;
  readonly foreignEdits?: ForeignEditsWord | undefined;
  readonly verify?: true | "strict" | undefined;
  /** The findings of lint that are failures. */
  readonly failOn?: FailOn | undefined;
  /** The plan is kept for a later apply. */
  readonly keeps?: boolean;
  /** The plan that was reviewed, and for a request whose it is. */
  readonly saved?: SavedPlan | undefined;
  readonly reviewed?: Reviewed | undefined;
  readonly undoing?: Undoing | undefined;
  /** Each save is applied: one that is empty for a moment is none that was meant, whatever was said of limits. */
  readonly isWatch?: true;
  /** Ends the preview: the code is another one by now. */
  readonly overtaken?: AbortSignal;
  /** Asked once, when the plan may be applied and nothing is sent yet. It gives what the run is to be told beyond the plan, or undefined to end here. */
  readonly begin?: () => Promise<Partial<RunRequest> | undefined>;
}

/** Nothing is sent by whoever makes it. */
export function isLook({ kind }: Intent): boolean {
  return kind === "preview" || kind === "undo --preview" || kind === "adopt";
}

export interface Plan {
  readonly intent: Intent;
  readonly report: Report;
  /** The checks that were made, in their order. */
  readonly checked: readonly string[];
  /** Today something else would be done than what was reviewed, or nothing at all. */
  readonly conflict?: RefusedError | undefined;
  /** For a later apply, where it is kept. */
  readonly saved?: SavedPlan | undefined;
  readonly summary: PlanSummary;
  readonly request: RunRequest;
  /** Whose drafts go live by a yes: by the id that each page is to have, the digest of its edits. */
  readonly drafts: Drafts;
  /** An apply would do and record nothing: what it would report. */
  readonly idle?: Pick<Ended, "report" | "notices"> | undefined;
  /** Before something is made that can't be deleted: what each key lacks for the rest, in words. */
  readonly proof?: (() => Promise<readonly string[]>) | undefined;
  /** What killed runs have left. */
  readonly leftovers: Leftovers;
}

export interface Drafts {
  /** As the option or the review says. */
  readonly said: NonNullable<RunRequest["foreignEdits"]>;
  /** Somebody is to be asked about these. */
  readonly asked: Readonly<Record<string, string>>;
}

/** How a command on a stack ended. */
export interface Ended {
  readonly report: Report;
  readonly exit: ExitCode;
  /** Something was run through, to whatever end. */
  readonly hasRun?: true;
  /** What the provider told of it. */
  readonly notices?: readonly Notice[];
  /** What has ended it, where the report doesn't tell. */
  readonly error?: CommandError;
}
