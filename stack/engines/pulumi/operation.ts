/** One operation of Pulumi's own engine through the Automation API, in this process: an inline program runs here, too. */
import {
  LocalWorkspace,
  PulumiCommand,
  Stack,
  type EngineEvent as PulumiEvent,
} from "@pulumi/pulumi/automation/index.js";
import { createRequire } from "node:module";
import { setTimeout as delay } from "node:timers/promises";
import type { RunRequest } from "../types.ts";
import type { FoundPulumi } from "./find.ts";
import { messageOf } from "./updates.ts";

/** The SDK's own. */
const require = createRequire(createRequire(import.meta.url).resolve("@pulumi/pulumi"));
const { SemVer } = require("semver") as { SemVer: new (text: string) => NonNullable<PulumiCommand["version"]> };

export interface OperationRequest {
  pulumi: Pick<FoundPulumi, "path" | "version">;
  workDir: string;
  stack: string;
  /** Whether it is known to be there: it isn't asked for again. */
  isThere: boolean;
  env: Record<string, string>;
  /** The module to run here; absent where Pulumi runs the program itself. */
  inline?: string;
  run: Pick<RunRequest, "kind" | "dryRun" | "parallel" | "targets" | "refresh" | "continueOnError" | "reviewed">;
  /** Where a preview writes its plan, and where an up finds the one to keep to. */
  plan?: string;
}

export interface Around {
  readonly signal: AbortSignal;
  readonly onEvent: (event: PulumiEvent) => void;
  /** What the program's module gives to Pulumi. */
  readonly load: (file: string) => Promise<Record<string, unknown>>;
}

/** Answers with what Pulumi told beside its events. */
export async function perform(request: OperationRequest, { signal, onEvent, load }: Around): Promise<string> {
  const { workDir, env, inline, run, plan } = request;
  const pulumiCommand = await commandAt(request.pulumi);
  const workspace = await LocalWorkspace.create({ workDir, envVars: env, pulumiCommand });
  const stack = await opened(request, workspace);
  // An operation's answer would cost three more calls of the CLI; the events have it all.
  stack.outputs = () => Promise.resolve({});
  stack.info = () => Promise.resolve(undefined);
  const { kind, dryRun, parallel, targets = [], refresh, continueOnError, reviewed } = run;
  const common = {
    parallel,
    ...(targets.length > 0 ? { target: targets } : {}),
    onEvent,
    signal,
    color: "never" as const,
    ...(reviewed === undefined ? {} : { message: messageOf(reviewed) }),
  };
  const program = inline === undefined ? {} : { program: () => load(inline) };
  const held = plan === undefined ? {} : { plan };
  const ran =
    kind === "destroy"
      ? await stack.destroy({ ...common, previewOnly: dryRun === true, continueOnError })
      : kind === "refresh"
        ? await stack.refresh({ ...common, previewOnly: dryRun === true })
        : await stack[kind]({ ...common, ...program, ...held, refresh, continueOnError });
  return ran.stderr;
}

/** `PulumiCommand.get` asks for the version first, a quarter of a second of CPU: it is known since the executable was found. */
async function commandAt({ path, version }: OperationRequest["pulumi"]): Promise<PulumiCommand> {
  const made = Reflect.construct(PulumiCommand, [path, new SemVer(version)]) as PulumiCommand;
  return made.command === path ? made : PulumiCommand.get({ skipVersionCheck: true });
}

const TRIES = 4;
const PAUSE_MS = 500;

/**
 * Another machine may be making the stack too, or working in the same table, where Pulumi then misses a row (3.245). Each
 * operation names the stack: one that is there need not be selected, which would be another process.
 */
async function opened({ stack: name, isThere }: OperationRequest, workspace: LocalWorkspace): Promise<Stack> {
  if (isThere) workspace.selectStack = () => Promise.resolve();
  for (let tries = 1; ; tries++) {
    try {
      return await Stack.createOrSelect(name, workspace);
    } catch (error) {
      const passes = /already exists|no rows in result set/.test(error instanceof Error ? error.message : "");
      if (!passes || tries === TRIES) throw error;
      await delay(PAUSE_MS * tries);
    }
  }
}
