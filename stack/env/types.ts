/** What bringing an environment up and taking it down are told, and what they answer. */
import type { SlugStyle } from "../../provider/definition/in-preview.ts";
import { type ExitCode, RefusedError, UsageError } from "../exit/codes.ts";
import type { OperationOptions, SafetyOptions } from "../options.ts";
import type { Difference, Report } from "../report/model.ts";
import type { Ended, Intent } from "../plan/plan.ts";
import type { StackSession } from "../run/session.ts";
import type { Teller } from "../run/teller.ts";
import { environmentName, type EnvironmentRecord } from "./record.ts";
import { branchIn } from "../../provider/preview/checkout.ts";

/** Which environment: one of these. */
interface EnvironmentChoice {
  pr?: number;
  branch?: string;
}

export interface UpOptions
  extends Omit<OperationOptions, "stack" | "target">, SafetyOptions, Pick<Intent, "foreignEdits">, EnvironmentChoice {
  /** What is deployed; asked of git where it is left out. */
  commit?: string;
  base?: string;
  /** Id or name. */
  site?: string;
  project?: string;
  slugStyle?: SlugStyle;
  hooks?: true;
  drafts?: true;
  seed?: true;
  ttl?: number;
  maxLive?: number;
  refresh?: true;
}

export interface DownOptions extends Omit<OperationOptions, "stack" | "target">, EnvironmentChoice {
  /** The environment's own name, in place of `pr` and `branch`. */
  name?: string;
  /** Of a collection, which reports by itself: whether it is to go as it is once nobody else can change it. */
  isDue?: (now: EnvironmentNow) => Promise<boolean>;
  yes?: true;
}

/** What the state says of an environment at this moment. */
export interface EnvironmentNow {
  readonly condition: "live" | "expired" | "half-made";
  readonly record: EnvironmentRecord | undefined;
}

/** A page or a quiz of an environment. */
export interface PreviewPage {
  /** Of the program: `Page`. */
  readonly type: string;
  readonly name: string;
  readonly urn: string;
  readonly id: string;
  /** Undefined for a draft. */
  readonly url?: string;
  readonly editUrl?: string;
  /** That of the same page of the base, where it is public there. */
  readonly baseUrl?: string;
}

/** What a preview leaves out of the program, or does not do. */
export interface LeftOut {
  readonly type: string;
  readonly name: string;
  readonly why: "shared" | "hook" | "draft" | "protect" | "retainOnDelete";
}

/** An object that a teardown could not remove. */
export interface LeftBehind {
  readonly type: string;
  readonly name: string;
  readonly id?: string;
  readonly why: string;
}

export interface EnvironmentUp {
  readonly code: ExitCode;
  /** Undefined where nothing of the environment came to be. */
  readonly environment: EnvironmentRecord | undefined;
  readonly report: Report | undefined;
  readonly pages: readonly PreviewPage[];
  readonly leftOut: readonly LeftOut[];
  /** Undefined where there is no base. */
  readonly differences: readonly Difference[] | undefined;
}

export interface EnvironmentDown {
  readonly code: ExitCode;
  readonly name: string;
  /** As it was; undefined where there was none. */
  readonly environment: EnvironmentRecord | undefined;
  readonly report: Report | undefined;
  /** It was brought up again meanwhile, and stays. */
  readonly passed?: true;
  /** There was nothing to be taken down. */
  readonly why?: string;
  /** Empty where all is gone. */
  readonly left: readonly LeftBehind[];
}

/** Who is told, and how a plan is carried out with those who are to agree to it. */
export interface Hands {
  readonly teller: Teller;
  readonly carryOut: (session: StackSession, intent: Intent) => Promise<Ended>;
  readonly showUp: (session: StackSession, up: EnvironmentUp) => void;
}

/** What was said, without what is empty: jobs pass on variables that may not be set. */
export function choiceIn({ pr, branch: said }: EnvironmentChoice): EnvironmentChoice {
  const branch = branchIn(said);
  return { ...(pr !== undefined && { pr }), ...(branch !== undefined && { branch }) };
}

export function nameFor(options: EnvironmentChoice): string {
  const { pr, branch } = choiceIn(options);
  if (pr !== undefined) return environmentName({ pr });
  if (branch !== undefined) return environmentName({ branch });
  throw new UsageError("say which environment is meant: --pr NUMBER or --branch NAME");
}

/** The same, where it may be called by its own name: that of its stack. */
export function namedOr({ name, ...choice }: EnvironmentChoice & { name?: string | undefined }): string {
  if (name === undefined) return nameFor(choice);
  if (choice.pr !== undefined || choice.branch !== undefined)
    throw new UsageError("name the environment, or say --pr or --branch, and not both");
  return name;
}

/** The other repository; undefined where it is this one, and where either is not known. */
export function elsewhere(record: EnvironmentRecord | undefined, here: string | undefined): string | undefined {
  const { repository } = record ?? {};
  return here === undefined || repository === here ? undefined : repository;
}

export function refuseOtherRepository(record: EnvironmentRecord | undefined, here: string | undefined): void {
  const other = elsewhere(record, here);
  if (record === undefined || other === undefined) return;
  throw new RefusedError(
    `${record.name} is a preview of ${other}, and this is ${here}: they have one backend and one project name, so their ` +
      "requests and branches can't be told apart. Nothing was sent. Give one of the projects another name; " +
      `npx landform env down ${record.name} takes this one away, whosever it is`,
  );
}
