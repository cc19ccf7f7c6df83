/** One operation as the arguments of Pulumi's own command, and what it tells beside its events. Pure. */
import type { RunRequest } from "../contract.ts";
import type { FoundPulumi } from "./cli.ts";

export interface OperationRequest {
  pulumi: Pick<FoundPulumi, "path">;
  workDir: string;
  stack: string;
  env: Record<string, string>;
  /** The module of a program that runs here. Absent where Pulumi runs the program itself. */
  inline?: string;
  run: Pick<RunRequest, "kind" | "dryRun" | "parallel" | "targets" | "refresh" | "continueOnError" | "reviewed">;
  /** The file that a preview writes its plan to, or that an up reads its plan from. */
  plan?: string;
}

interface Addresses {
  readonly events: string;
  /** The port at which the inline program is served. */
  readonly program?: number | undefined;
}

export function argumentsOf({ run, stack, plan }: OperationRequest, { events, program }: Addresses): string[] {
  const { kind, dryRun, parallel, targets = [], refresh, continueOnError, reviewed } = run;
  const isLook = dryRun === true && kind !== "preview";
  return [
    kind,
    ...(kind === "preview" ? [] : isLook ? ["--preview-only"] : ["--yes", "--skip-preview"]),
    ...(refresh === true && kind !== "refresh" ? ["--refresh"] : []),
    ...(continueOnError === true && kind !== "refresh" && kind !== "preview" ? ["--continue-on-error"] : []),
    ...(plan === undefined ? [] : [kind === "preview" ? "--save-plan" : "--plan", plan]),
    ...(reviewed === undefined ? [] : ["--message", `ci apply of ${reviewed}`]),
    ...(parallel === undefined ? [] : ["--parallel", String(parallel)]),
    ...targets.flatMap((urn) => ["--target", urn]),
    ...(program === undefined ? [] : [`--client=127.0.0.1:${program}`]),
    ...["--exec-kind", program === undefined ? "auto.local" : "auto.inline"],
    ...["--event-log", events, "--stack", stack, "--color", "never", "--non-interactive"],
  ];
}

/** The variables by which Pulumi takes options that its help doesn't show, and doesn't ask. */
export const DRIVEN = { PULUMI_DEBUG_COMMANDS: "true", PULUMI_AUTOMATION_API: "true" };

export function tellsOfLock(told: string): boolean {
  return /\[409\] Conflict: Another update is currently in progress\.|the stack is currently locked by/.test(told);
}

/** Tells if somebody has removed the run's lock. The run then fails to give it back (3.245). */
export function tellsOfLostLock(told: string): boolean {
  return /problem deleting the lock at .*(?:code=NotFound|key not found)/.test(told);
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
