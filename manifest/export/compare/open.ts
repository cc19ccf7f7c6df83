/** What `landform diff` can compare: a manifest, a folder with one, or an account. */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { LandformApi, resolveConfig } from "../../../provider/api/index.ts";
import { renderText } from "../../diagnostics/text.ts";
import { validate } from "../../validate.ts";
import { buildModel } from "../build.ts";
import { ExportError } from "../errors.ts";
import { modelOf } from "../from-manifest.ts";
import type { Model } from "../model.ts";
import { readAccount, type ReadOptions } from "../read.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * `account:` is the account of LANDFORM_BASE_URL and LANDFORM_API_KEY; `account:STAGING` that of STAGING_BASE_URL and
 * STAGING_API_KEY. Anything else is a path.
 */
export async function openSide(side: string, env: Environment, options: ReadOptions = {}): Promise<Model> {
  const [, prefix] = /^account:(\w*)$/.exec(side) ?? [];
  return prefix === undefined ? openManifest(side) : openAccount(prefix, env, options);
}

function openManifest(path: string): Model {
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
  return modelOf(manifest);
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
