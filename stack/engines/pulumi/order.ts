/** Writes the order of a run for the process that drives Pulumi: program, plan and environment. */
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { isRootStack, type ProgramOptions, type SecretsManager, UNKNOWN } from "../../../engine/index.ts";
import { type FactsFile, hostEnvironment } from "../children.ts";
import { UsageError } from "../../exit/codes.ts";
import type { StackFolder } from "../../project/open.ts";
import type { PlannedSecrets, RunRequest } from "../contract.ts";
import type { StateResource } from "../recorded.ts";
import type { PulumiCli } from "./cli.ts";
import type { OperationRequest } from "./operation.ts";

interface Around {
  readonly isThere: boolean;
  readonly facts: FactsFile;
  /** The file of a plan to read or to write. */
  readonly plan: string | undefined;
  readonly verbose: boolean;
}

export function orderFor(cli: PulumiCli, folder: StackFolder, run: RunRequest, around: Around): OperationRequest {
  const { kind, dryRun, parallel, targets, refresh, full, continueOnError, reviewed } = run;
  const { isThere, facts, plan, verbose } = around;
  const program = run.program ?? folder.program;
  const runsItself = cli.found.languageHost && folder.manifest === undefined && run.program === undefined;
  const inline = runsItself ? undefined : programFile(folder.root, program);
  return {
    pulumi: cli.found,
    workDir: cli.workDir,
    stack: folder.stack,
    isThere,
    env: { ...programEnvironment(cli), ...program.env, ...hostEnvironment({ full, verbose }), ...facts.env },
    ...(inline === undefined ? {} : { inline }),
    run: { kind, dryRun, parallel, targets, refresh, continueOnError, ...(reviewed !== undefined && { reviewed }) },
    ...(plan === undefined ? {} : { plan }),
  };
}

export function planFile(
  folder: string,
  { expected, wantsPlan }: RunRequest,
  recorded: readonly StateResource[],
): string | undefined {
  const file = join(folder, "plan.json");
  rmSync(file, { force: true });
  if (expected !== undefined)
    writeFileSync(file, JSON.stringify(withOpenOutputs(expected as PulumiPlan, recorded)), { mode: 0o600 });
  return expected !== undefined || wantsPlan === true ? file : undefined;
}

function programEnvironment(cli: PulumiCli): Record<string, string> {
  const { env, found, scratch } = cli;
  return {
    ...env,
    PATH: [...(found.dynamicPlugin ? [] : [writePlugin(scratch)]), env["PATH"] ?? ""].join(delimiter),
    PULUMI_AUTOMATION_API_SKIP_VERSION_CHECK: "true",
  };
}

/** Writes the plugin of dynamic providers, which Pulumi's installation has beside its Node language host. */
function writePlugin(scratch: string): string {
  const script = createRequire(import.meta.url).resolve("@pulumi/pulumi/cmd/dynamic-provider/index.js");
  const file = join(scratch, "plugins", "pulumi-resource-pulumi-nodejs");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' '${script}' "$@"\n`);
  chmodSync(file, 0o755);
  return dirname(file);
}

/** Returns the program's file for the folder or the file that Pulumi.yaml names. */
export function programFile(root: string, program: ProgramOptions): string {
  const entry = join(program.entry?.startsWith("/") === true ? "/" : root, program.entry ?? ".");
  if (!existsSync(entry)) throw new UsageError(`the program ${entry} does not exist; check \`main\` in Pulumi.yaml`);
  if (!statSync(entry).isDirectory()) return entry;
  const described = join(entry, "package.json");
  const main = existsSync(described)
    ? (JSON.parse(readFileSync(described, "utf8")) as { main?: string }).main
    : undefined;
  const names = [...(main === undefined ? [] : [main]), "index.ts", "index.js", "index.mjs", "index.cjs"];
  const found = names.map((name) => join(entry, name)).find((file) => existsSync(file));
  if (found === undefined) throw new UsageError(`there is no program in ${entry}: no ${names.join(", no ")}`);
  return found;
}

interface PlannedDiff {
  readonly adds?: Readonly<Record<string, unknown>>;
  readonly updates?: Readonly<Record<string, unknown>>;
}

interface ResourcePlan {
  readonly goal?: {
    readonly inputDiff?: PlannedDiff;
    readonly outputDiff?: PlannedDiff;
    readonly propertyDependencies?: Readonly<Record<string, readonly string[]>>;
  };
}

interface PulumiPlan {
  readonly resourcePlans?: Readonly<Record<string, ResourcePlan>>;
}

/**
 * Leaves the outputs of the stack open, which change nothing in the account. Where a preview knew a part of one alone, as of a whole
 * resource that the program exports, Pulumi ends the run as failed and gives no reason (3.274, 2026-11-26).
 */
function withOpenOutputs(plan: PulumiPlan, recorded: readonly StateResource[]): PulumiPlan {
  const now = recorded.find(({ urn }) => isRootStack(urn))?.outputs ?? {};
  const plans = Object.entries(plan.resourcePlans ?? {}).map(([urn, planned]) => {
    const { goal } = planned;
    if (!isRootStack(urn) || goal === undefined) return [urn, planned] as const;
    const { adds = {}, updates = {} } = goal.outputDiff ?? {};
    const [added, updated] = [adds, { ...now, ...updates }].map((keys) =>
      Object.fromEntries(Object.keys(keys).map((key) => [key, UNKNOWN])),
    );
    return [
      urn,
      { ...planned, goal: { ...goal, outputDiff: { ...goal.outputDiff, adds: added, updates: updated } } },
    ] as const;
  });
  return { ...plan, resourcePlans: Object.fromEntries(plans) };
}

/** By URN and input, the resources that a planned value is made of. The embedded engine tells these in its events. */
export function dependenciesIn(plan: unknown, urn: string): Readonly<Record<string, readonly string[]>> {
  const { resourcePlans = {} } = (plan ?? {}) as PulumiPlan;
  return resourcePlans[urn]?.goal?.propertyDependencies ?? {};
}

/** The decrypted secret inputs by URN, because ciphertexts differ each time. Undefined if one can't be decrypted. */
export function plannedSecrets(plan: unknown, secrets: Pick<SecretsManager, "decrypt">): PlannedSecrets | undefined {
  const { resourcePlans = {} } = (plan ?? {}) as PulumiPlan;
  try {
    return new Map(Object.entries(resourcePlans).map(([urn, planned]) => [urn, secretInputs(planned, secrets)]));
  } catch {
    return undefined;
  }
}

function secretInputs(planned: ResourcePlan, secrets: Pick<SecretsManager, "decrypt">): Map<string, string> {
  const { adds, updates } = planned.goal?.inputDiff ?? {};
  return new Map(Object.entries({ ...adds, ...updates }).flatMap(([key, value]) => secretEntry(key, value, secrets)));
}

function secretEntry(key: string, value: unknown, secrets: Pick<SecretsManager, "decrypt">): [string, string][] {
  const found: string[] = [];
  JSON.stringify(value, (name, inner: unknown) => {
    if (name === "ciphertext" && typeof inner === "string") found.push(secrets.decrypt(inner));
    return inner;
  });
  return found.length === 0 ? [] : [[key, JSON.stringify(found)]];
}
