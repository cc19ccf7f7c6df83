/**
 * What the stack's configuration says about landform, in the clear. Secrets that another secrets provider keeps, or a backend
 * that is no folder, are Pulumi's to decrypt: it is asked, once for each stack that was opened.
 */
import type { SecretsManager } from "../../engine/index.ts";
import { findPulumi } from "../engines/pulumi/cli.ts";
import { PulumiEngine } from "../engines/pulumi/engine.ts";
import type { StackFolder } from "./open.ts";
import { readableSecrets } from "./secrets.ts";

export interface StackSettings {
  /** By their names without `landform:`. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The texts of what is a secret. */
  readonly secrets: readonly string[];
  /** Keys whose values nobody here can decrypt. */
  readonly unreadable: readonly string[];
}

export const NO_SETTINGS: StackSettings = { values: {}, secrets: [], unreadable: [] };

const PREFIX = "landform:";
const known = new WeakMap<StackFolder, Promise<StackSettings>>();

export function settingsOf(folder: StackFolder): Promise<StackSettings> {
  const settings = known.get(folder) ?? read(folder);
  known.set(folder, settings);
  return settings;
}

async function read(folder: StackFolder): Promise<StackSettings> {
  const { config } = folder;
  const keys = config.keys().filter((key) => key.startsWith(PREFIX));
  if (keys.length === 0) return NO_SETTINGS;
  const manager = await readableSecrets(folder);
  const closed = manager === undefined ? keys.filter((key) => isSecret(folder, key)) : [];
  const told = closed.length > 0 ? await askPulumi(folder) : undefined;
  const values = keys.map((key): [string, unknown] => [
    key,
    closed.includes(key) ? told?.[key] : config.get(key, manager),
  ]);
  return settings(folder, values, manager);
}

function settings(
  folder: StackFolder,
  all: readonly [string, unknown][],
  manager: SecretsManager | undefined,
): StackSettings {
  const open = all.filter(([, value]) => value !== undefined);
  return {
    values: Object.fromEntries(open.map(([key, value]) => [key.slice(PREFIX.length), value])),
    secrets: open.flatMap(([key, value]) => (isSecret(folder, key) ? [String(value)] : [])),
    unreadable: manager === undefined ? all.flatMap(([key, value]) => (value === undefined ? [key] : [])) : [],
  };
}

function isSecret({ config }: StackFolder, key: string): boolean {
  return typeof config.record()[key] !== "string";
}

/** Undefined where there is no Pulumi, or it can't tell either. */
async function askPulumi(folder: StackFolder): Promise<Readonly<Record<string, unknown>> | undefined> {
  const found = await findPulumi();
  if (found === undefined) return undefined;
  const engine = await PulumiEngine.open(found, folder);
  try {
    return await engine.configuration();
  } finally {
    await engine.close();
  }
}
