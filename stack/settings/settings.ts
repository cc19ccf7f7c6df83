/** Reads Landform's own settings of a stack, in the clear, and the account that they name. */
import { landform } from "../../provider/values/command-line.ts";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Account } from "../../provider/account/account.ts";
import { patienceIn } from "../../provider/account/presence.ts";
import { type CheckedConfig, ConfigurationError, resolveConfig } from "../../provider/api/index.ts";
import { foreignEditsInForce, verifyInForce, verifyWaitInForce } from "../../provider/pulumi/settings-in-force.ts";
import { nearest } from "../../provider/values/nearest.ts";
import { advisedFor } from "../advice/next-command.ts";
import { findPulumi } from "../engines/pulumi/cli.ts";
import { UsageError } from "../exit/codes.ts";
import type { StackOptions } from "../options.ts";
import { openStack, type StackFolder } from "../project/open.ts";
import { readableSecrets } from "./secrets.ts";
import { isOn, READ_ONLY_VARIABLE } from "../../provider/api/config.ts";

export interface StackSettings {
  /** By name without `landform:`. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly secrets: readonly string[];
  readonly unreadable: readonly string[];
  readonly folder?: StackFolder;
}

const NO_SETTINGS: StackSettings = { values: {}, secrets: [], unreadable: [] };

const PREFIX = "landform:";
const known = new WeakMap<StackFolder, Promise<StackSettings>>();

/** Pulumi has to decrypt secrets of another secrets provider, or of a backend that is no folder. Landform asks it once for each opened stack. */
export function settingsOf(folder: StackFolder): Promise<StackSettings> {
  const settings = known.get(folder) ?? read(folder);
  known.set(folder, settings);
  return settings;
}

async function read(folder: StackFolder): Promise<StackSettings> {
  const { config } = folder;
  const keys = config.keys().filter((key) => key.startsWith(PREFIX));
  if (keys.length === 0) return { ...NO_SETTINGS, folder };
  const manager = await readableSecrets(folder);
  const isSecret = (key: string): boolean => typeof config.record()[key] !== "string";
  const closed = manager === undefined ? keys.filter(isSecret) : [];
  const told = closed.length > 0 ? await askPulumi(folder) : undefined;
  const all = keys.map((key) => [key, closed.includes(key) ? told?.[key] : config.get(key, manager)] as const);
  const open = all.filter(([, value]) => value !== undefined);
  return {
    values: Object.fromEntries(open.map(([key, value]) => [key.slice(PREFIX.length), value])),
    secrets: open.flatMap(([key, value]) => (isSecret(key) ? [String(value)] : [])),
    folder,
    unreadable: manager === undefined ? all.flatMap(([key, value]) => (value === undefined ? [key] : [])) : [],
  };
}

/** Returns undefined if there is no Pulumi, or if it can't tell either. */
async function askPulumi(folder: StackFolder): Promise<Readonly<Record<string, unknown>> | undefined> {
  const found = await findPulumi();
  if (found === undefined) return undefined;
  const { PulumiEngine } = await import("../engines/pulumi/engine.ts");
  const engine = await PulumiEngine.open(found, folder);
  try {
    return await engine.configuration();
  } finally {
    await engine.close();
  }
}

const NAMES = [
  ...["baseUrl", "apiKey", "apiKeyEnv", "timeoutMs", "maxConcurrency", "requestsPerSecond"],
  ...["foreignEdits", "verify", "verifyWaitMs"],
  ...["previewSite", "previewProject", "hideInPictures"],
];

/** `project`: the settings of a project that is called landform have this prefix, too. */
export function checkSetting(project: string, key: string, value: string): void {
  if (project === PREFIX.slice(0, -1) || !key.startsWith(PREFIX)) return;
  const name = key.slice(PREFIX.length);
  if (!NAMES.includes(name)) {
    const [best] = nearest(name, NAMES);
    const hint = best === undefined ? "" : ` Did you mean ${PREFIX}${best}?`;
    throw new UsageError(`nothing reads ${key}, and nothing was written.${hint} Known are ${NAMES.join(", ")}`);
  }
  if (value.trim() === "")
    throw new UsageError(`the value of ${key} is empty (a variable that is not set?), and nothing was written`, {
      advice: [{ command: "config rm", arguments: [key], reason: "removes it." }],
    });
}

export async function withAccount<T>(options: StackOptions, work: (account: Account) => Promise<T>): Promise<T> {
  const account = new Account(await accountOf(options), patienceIn(process.env));
  try {
    return await work(account);
  } finally {
    await account.api.close();
  }
}

/** Returns the client's settings from the environment, and from the stack if there is a project. */
export async function accountOf(options: StackOptions): Promise<CheckedConfig> {
  return configWith(await stackSettings(options));
}

export async function stackSettings({ C, stack }: StackOptions): Promise<StackSettings> {
  const folder = await openStack(C, stack).catch(() => undefined);
  return folder === undefined ? NO_SETTINGS : settingsOf(folder);
}

/** If a missing setting can't be decrypted here, the error says so. */
export function configWith({ values, unreadable, folder }: StackSettings): CheckedConfig {
  try {
    return resolveConfig(process.env, values);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const [key] = unreadable;
    if (key !== undefined) throw new UnreadableSettingError(key);
    const missing = missingBeside((name) => values[name.slice(PREFIX.length)] !== undefined);
    throw missing.length === 0 ? error : new MissingAccessError(missing, folder);
  }
}

/** A secret of the stack that only Pulumi can decrypt, and Pulumi is not installed or can't either. */
export class UnreadableSettingError extends ConfigurationError {
  constructor(key: string) {
    super(
      key,
      "is a secret that only Pulumi can decrypt, and it could not be asked",
      "Make `pulumi config` work for this stack, or set the variable of that setting (LANDFORM_API_KEY for the key).",
    );
  }
}

const SETTINGS = [
  { variable: "LANDFORM_BASE_URL", key: "landform:baseUrl", example: "https://HOST/v1", isSecret: false },
  // Without a value, the command asks for it, and the key stays out of the shell's history.
  { variable: "LANDFORM_API_KEY", key: "landform:apiKey", example: "KEY", isSecret: true },
] as const;

export function checkAccess(folder: StackFolder): void {
  checkSettings(folder);
  const set = new Set(folder.config.keys());
  const missing = missingBeside((key) => set.has(key));
  if (missing.length === 0 || folder.config.hasEnvironment || !usesDefaultAccount(folder)) return;
  throw new MissingAccessError(missing, folder);
}

/** Returns the client's settings for a command that needs no stack: only the environment says which account it asks. */
export function configOfEnvironment(): CheckedConfig {
  return configWith(NO_SETTINGS);
}

function missingBeside(isSet: (key: string) => boolean): Missing {
  return SETTINGS.filter(({ variable, key }) => !process.env[variable] && !isSet(key));
}

export function isJob(): boolean {
  return process.env["GITHUB_ACTIONS"] === "true" || process.env["GITLAB_CI"] === "true";
}

function checkSettings({ config }: StackFolder): void {
  const get = (key: string): unknown => config.get(key);
  for (const inForce of [foreignEditsInForce, verifyInForce, verifyWaitInForce]) inForce(get, process.env);
  isOn(READ_ONLY_VARIABLE);
}

type Missing = readonly (typeof SETTINGS)[number][];

/** The address or the key of the account is missing: the one place that says how to set them. */
class MissingAccessError extends ConfigurationError {
  constructor(missing: Missing, folder: StackFolder | undefined) {
    const names = missing.map(({ variable }) => variable).join(" and ");
    const what = `${missing.length === 1 ? "is" : "are"} not set${isJob() ? " in this job" : ""}`;
    super(names, what, isJob() ? forJob(missing) : forPerson(missing, folder ? keptInStack(missing, folder) : []));
  }
}

function forJob(missing: Missing): string {
  const it = missing.length === 1 ? "it" : "them";
  return process.env["GITLAB_CI"] === "true"
    ? `Set ${it} in the project's settings (CI/CD, Variables), masked and not protected: a protected variable is given to jobs of protected branches alone, and to none of a merge request. Nothing was sent.`
    : `Set ${it} among the repository's variables and secrets, and give ${it} to the job under env, as examples/gitops does; jobs of forks get no secrets. Nothing was sent.`;
}

function forPerson(missing: Missing, others: readonly string[]): string {
  const it = missing.length === 1 ? "it" : "them";
  return [
    `Set ${it}:`,
    "",
    ...missing.map(({ variable, example }) => `  export ${variable}=${example}`),
    "",
    ...others,
    `To try without an account, run \`${landform("emulator")}\` in another terminal.`,
  ].join("\n");
}

function keptInStack(missing: Missing, { root, stack }: StackFolder): string[] {
  const advised = advisedFor({ C: root, stack }, process.cwd());
  const commands = missing.map(
    ({ key, example, isSecret }) => `  ${advised("config set", ...(isSecret ? ["--secret", key] : [key, example]))}`,
  );
  return [`or keep ${missing.length === 1 ? "it" : "them"} in the stack:`, "", ...commands, ""];
}

function usesDefaultAccount({ manifest, root }: StackFolder): boolean {
  if (manifest) return manifest.entries.some(({ account }) => account === undefined);
  const sources = programTexts(root, 2);
  return sources.some((text) => /["']landform["']/.test(text)) && !sources.some((text) => /\bAccount\s*\(/.test(text));
}

/** Reads the program's own files as far as they are easy to find. This is a courtesy: the provider checks for itself. */
function programTexts(folder: string, depth: number): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isFile() && /\.[cm]?[jt]s$/.test(entry.name)) return [readFileSync(path, "utf8")];
    const skipped = entry.name.startsWith(".") || entry.name === "node_modules" || entry.name === "dist";
    return entry.isDirectory() && depth > 0 && !skipped ? programTexts(path, depth - 1) : [];
  });
}
