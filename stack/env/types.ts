/** The options and the results of bringing an environment up and taking it down. */
import type { SlugStyle } from "../../provider/definition/in-preview.ts";
import { type ExitCode, RefusedError, UsageError } from "../exit/codes.ts";
import type { OperationOptions, SafetyOptions } from "../options.ts";
import type { Report } from "../report/model.ts";
import type { Ended, Intent } from "../review/plan.ts";
import type { StackSession } from "../run/session.ts";
import type { Teller } from "../run/teller.ts";
import { environmentName, type EnvironmentRecord } from "./record.ts";
import { branchIn } from "../../provider/preview/checkout.ts";

/** Names an environment by one of the two. */
interface EnvironmentChoice {
  pr?: number;
  branch?: string;
}

export interface UpOptions
  extends Omit<OperationOptions, "stack" | "target">, SafetyOptions, Pick<Intent, "foreignEdits">, EnvironmentChoice {
  /** The deployed commit. Landform asks git if it is left out. */
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
  /** Copies the pages that the change touches and what leads to them, instead of the whole campaign. */
  changed?: true;
  /** Takes pictures of the changed pages, even without a report in HTML. */
  pictures?: true;
}

export interface DownOptions extends Omit<OperationOptions, "stack" | "target">, EnvironmentChoice {
  name?: string;
  /** Tells a garbage collection if the environment still has to go, at a moment when nobody else can change it. */
  isDue?: (now: EnvironmentNow) => Promise<boolean>;
  yes?: true;
}

export interface EnvironmentNow {
  readonly condition: "live" | "expired" | "half-made";
  readonly record: EnvironmentRecord | undefined;
}

export interface PreviewPage {
  readonly type: string;
  readonly name: string;
  /** The name that people know the base's page by. */
  readonly title?: string;
  readonly urn: string;
  readonly id: string;
  /** Undefined for a draft. */
  readonly url?: string;
  readonly editUrl?: string;
  /** The address of the same page of the base, if it is public there. */
  readonly baseUrl?: string;
  /** The code says something else about its look than the base's. */
  readonly changed?: true;
}

export interface LeftOut {
  readonly type: string;
  readonly name: string;
  readonly why: "shared" | "hook" | "draft" | "protect" | "retainOnDelete";
}

export interface LeftBehind {
  readonly type: string;
  readonly name: string;
  readonly id?: string;
  readonly why: string;
}

export interface EnvironmentUp {
  readonly code: ExitCode;
  /** Undefined if the run made nothing of the environment. */
  readonly environment: EnvironmentRecord | undefined;
  readonly report: Report | undefined;
  readonly pages: readonly PreviewPage[];
  readonly leftOut: readonly LeftOut[];
  /** The other objects that it has in the account: `4 products`. */
  readonly besides?: readonly string[];
  /** The number of public pages that it leaves as they are instead of copying them; undefined for a whole campaign. */
  readonly staying?: number | undefined;
  /** The base, if the change touches nothing that a preview of it could show: there is none. */
  readonly emptyOf?: string;
}

export interface EnvironmentDown {
  readonly code: ExitCode;
  readonly name: string;
  readonly environment: EnvironmentRecord | undefined;
  readonly report: Report | undefined;
  /** True if it was brought up again meanwhile, and stays. */
  readonly passed?: true;
  readonly why?: string;
  readonly left: readonly LeftBehind[];
}

/** The terminal that is told, and the way in which people agree to a plan and it is carried out. */
export interface Hands {
  readonly teller: Teller;
  readonly carryOut: (session: StackSession, intent: Intent) => Promise<Ended>;
  readonly showUp: (session: StackSession, up: EnvironmentUp) => void;
}

/** Leaves out empty values: jobs pass on variables that may not be set. */
export function choiceIn({ pr, branch: said }: EnvironmentChoice): EnvironmentChoice {
  const branch = branchIn(said);
  return { pr, branch };
}

export function nameFor(options: EnvironmentChoice): string {
  const { pr, branch } = choiceIn(options);
  if (pr !== undefined) return environmentName({ pr });
  if (branch !== undefined) return environmentName({ branch });
  throw new UsageError("say which environment: its name, --pr NUMBER or --branch NAME", {
    advice: [{ command: "env list", arguments: [], reason: "tells the names." }],
  });
}

/** Does the same where the environment may be named by its stack. */
export function namedOr({ name, ...choice }: EnvironmentChoice & { name?: string | undefined }): string {
  if (name === undefined) return nameFor(choice);
  if (choice.pr !== undefined || choice.branch !== undefined)
    throw new UsageError("name the environment, or say --pr or --branch, and not both");
  return name;
}

/** Returns the other repository. Returns undefined if it is this one, or if either is not known. */
export function elsewhere(record: EnvironmentRecord | undefined, here: string | undefined): string | undefined {
  const { repository } = record ?? {};
  return here === undefined || repository === here ? undefined : repository;
}

export function refuseOtherRepository(record: EnvironmentRecord | undefined, here: string | undefined): void {
  const other = elsewhere(record, here);
  if (record === undefined || other === undefined) return;
  throw new RefusedError(
    `${record.name} is a preview of ${other}, and this is ${here}: they have one backend and one project name, so their ` +
      "requests and branches can't be told apart. Nothing was sent. Give one of the projects another name",
    { advice: [{ command: "env down", arguments: [record.name], reason: "takes this one away, whoever made it." }] },
  );
}
