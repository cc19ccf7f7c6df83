/** What `landform diff` can compare: a manifest, a folder with one, or an account. */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { LandformApi, resolveConfig } from "../../../provider/api/index.ts";
import { renderText } from "../../source/report.ts";
import { validate } from "../../check/validate.ts";
import { buildModel } from "../build.ts";
import { ExportError } from "../../write/files.ts";
import { modelOf, type ModelOptions } from "../from-manifest.ts";
import type { Model } from "../../match/model.ts";
import { outsideValues, type OutsideSources, type OutsideValues } from "../../match/outside.ts";
import { readAccount, type ReadOptions } from "../read.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * `account:` is the account of LANDFORM_BASE_URL and LANDFORM_API_KEY; `account:STAGING` that of STAGING_BASE_URL and
 * STAGING_API_KEY. Anything else is a path.
 */
export async function openCompared(
  names: readonly [string, string],
  env: Environment,
  { outside = { env }, ...options }: CompareOptions = {},
): Promise<[Model, Model]> {
  const allAccounts = names.every((name) => prefixOf(name) === undefined);
  const open = (name: string): Promise<Model> | Model => {
    const prefix = prefixOf(name);
    return prefix === undefined
      ? openManifest(name, outsideValues(outside), { allAccounts })
      : openAccount(prefix, env, options);
  };
  return Promise.all([open(names[0]), open(names[1])]);
}

export interface CompareOptions extends ReadOptions {
  readonly outside?: OutsideSources;
}

/** Undefined for what is no account. */
function prefixOf(name: string): string | undefined {
  return /^account:(\w*)$/.exec(name)?.[1];
}

function openManifest(path: string, outside: OutsideValues, options: ModelOptions): Model {
  if (!existsSync(path)) {
    throw new ExportError(
      `${path} does not exist. Name a manifest, a folder that has one, account: or account:PREFIX.`,
    );
  }
  const file = statSync(path).isDirectory() ? join(path, "landform.yaml") : path;
  if (!existsSync(file)) {
    throw new ExportError(
      `${path} has no landform.yaml; a program can't be compared without being run. Compare its account.`,
    );
  }
  const { manifest, diagnostics } = validate(file);
  if (!manifest) throw new ExportError(`${file} has errors, so it can't be compared:\n${renderText(diagnostics)}`);
  return modelOf(manifest, outside, options);
}

async function openAccount(prefix: string, env: Environment, options: ReadOptions): Promise<Model> {
  const config = resolveConfig(prefix === "" ? env : settingsOf(prefix, env));
  const api = new LandformApi(config);
  try {
    return buildModel(await readAccount(api, options));
  } finally {
    await api.close();
  }
}

function settingsOf(prefix: string, env: Environment): Environment {
  const [baseUrl, apiKey] = [`${prefix}_BASE_URL`, `${prefix}_API_KEY`];
  for (const name of [baseUrl, apiKey]) {
    if (!env[name]) throw new ExportError(`account:${prefix} needs ${baseUrl} and ${apiKey}, and ${name} is not set.`);
  }
  return { ...env, LANDFORM_BASE_URL: env[baseUrl], LANDFORM_API_KEY: env[apiKey] };
}
