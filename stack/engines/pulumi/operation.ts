/** Runs one operation of Pulumi's own engine through the Automation API, in this process. An inline program runs here, too. */
import { createRequire } from "node:module";
import { setTimeout as delay } from "node:timers/promises";
import {
  LocalWorkspace,
  PulumiCommand,
  type EngineEvent as PulumiEvent,
  Stack,
} from "@pulumi/pulumi/automation/index.js";
import type { RunRequest } from "../contract.ts";
import type { FoundPulumi } from "./cli.ts";

/** The SDK's own copy of semver. */
const require = createRequire(createRequire(import.meta.url).resolve("@pulumi/pulumi"));
const { SemVer } = require("semver") as { SemVer: new (text: string) => NonNullable<PulumiCommand["version"]> };

export interface OperationRequest {
  pulumi: Pick<FoundPulumi, "path" | "version">;
  workDir: string;
  stack: string;
  /** True if the stack is known to exist, so that nobody asks again. */
  isThere: boolean;
  env: Record<string, string>;
  /** The module to run here. Absent where Pulumi runs the program itself. */
  inline?: string;
  run: Pick<RunRequest, "kind" | "dryRun" | "parallel" | "targets" | "refresh" | "continueOnError" | "reviewed">;
  /** The file that a preview writes its plan to, or that an up reads its plan from. */
  plan?: string;
}

interface Around {
  readonly signal: AbortSignal;
  readonly onEvent: (event: PulumiEvent) => void;
  /** Loads the exports of the program's module. */
  readonly load: (file: string) => Promise<Record<string, unknown>>;
}

/** Returns Pulumi's output beside its events. */
export async function perform(request: OperationRequest, { signal, onEvent, load }: Around): Promise<string> {
  const { workDir, env, inline, run, plan } = request;
  const pulumiCommand = await commandAt(request.pulumi);
  const workspace = await LocalWorkspace.create({ workDir, envVars: env, pulumiCommand });
  const stack = await opened(request, workspace);
  // The summary of an operation would cost three more calls of the CLI, and the events have it all.
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

/** `PulumiCommand.get` first asks for the version, a quarter of a second of CPU. Landform knows it since it found the executable. */
async function commandAt({ path, version }: OperationRequest["pulumi"]): Promise<PulumiCommand> {
  const made = Reflect.construct(PulumiCommand, [path, new SemVer(version)]) as PulumiCommand;
  return made.command === path ? made : PulumiCommand.get({ skipVersionCheck: true });
}

const TRIES = 4;
const PAUSE_MS = 500;

/**
 * Another machine may be making the stack, too, or working in the same table, where Pulumi then misses a row (3.245). Each operation names
 * the stack, so an existing one need not be selected, which would be another process.
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

/** Tells if somebody has removed the run's lock. The run then fails to give it back (3.245). */
export function tellsOfLostLock(told: string): boolean {
  return /problem deleting the lock at .*(?:code=NotFound|key not found)/.test(told);
}

/** The message of an update that applies the reviewed plan of that commit. */
function messageOf(reviewed: string): string {
  return `ci apply of ${reviewed}`;
}

/** Node's name for the result of `require` among the exports that `import()` gives for a CommonJS module (Node 23 and later). */
const REQUIRED = "module.exports";

/** Returns the outputs, or a function that makes them. */
export function exportOf(module: Readonly<Record<string, unknown>>): unknown {
  if (Object.hasOwn(module, REQUIRED)) return module[REQUIRED];
  if (!Object.hasOwn(module, "default")) return module;
  const { default: main, ...named } = module;
  // Before Node 23 a CommonJS module is its own default, and its named exports stand there as well.
  const isRequired = Object.entries(named).every(
    ([name, value]) => Reflect.get(Object(main) as object, name) === value,
  );
  if (!isRequired) throw new Error("the program has either a default export or named exports but not both");
  return main;
}
