/** `landform check --online`: what only the account can tell about a manifest. Reads alone. */
import { dirname } from "node:path";
import { nameOf, type ExportedStack } from "../../engine/index.ts";
import {
  Deferred,
  KeptFileError,
  readKeysFile,
  validateOnline,
  type AccountEntry,
  type Diagnostic,
  type MadePage,
  type Manifest,
  type Tree,
} from "../../manifest/index.ts";
import { ConfigurationError, LandformApi } from "../../provider/api/index.ts";
import { configInForce } from "../../provider/pulumi/settings-in-force.ts";
import { registry } from "../../provider/kinds/registry.ts";
import { UsageError } from "../exit/codes.ts";
import { withStacks } from "../stacks/stacks.ts";
import { withAccount } from "./settings.ts";
import { openProject } from "./open.ts";

export async function askAccount(path: string, stack: string, manifest: Manifest): Promise<Diagnostic[]> {
  const folder = dirname(path);
  const made = await madeIn(folder, stack);
  const accounts = new Map(manifest.accounts.flatMap((account) => clientOf(account)));
  try {
    const templates = readKeysFile(folder);
    return await withAccount({ C: folder, stack }, (api) =>
      validateOnline(manifest, api, { made, templates, accounts }),
    );
  } catch (error) {
    if (error instanceof KeptFileError) throw new UsageError(error.message, { cause: error });
    throw error;
  } finally {
    await Promise.all([...accounts.values()].map((api) => api.close()));
  }
}

/** Nothing where its address or its key is not at hand: then it is told that it was not asked. */
function clientOf({ key, settings }: AccountEntry): [string, LandformApi][] {
  const setting = (name: string) => valueOf(settings[name.replace("landform:", "")]);
  // Without a variable of its own it would be asked with the key of another account.
  if (typeof setting("apiKeyEnv") !== "string") return [];
  try {
    const config = configInForce(setting, process.env);
    return [[key, new LandformApi(config)]];
  } catch (error) {
    if (error instanceof ConfigurationError) return [];
    throw error;
  }
}

function valueOf(tree: Tree | undefined): unknown {
  if (!(tree instanceof Deferred)) return tree;
  return tree.origin.from === "env" ? (process.env[tree.origin.name] ?? tree.origin.fallback) : undefined;
}

/** What exists, by its address in the manifest (`pages.offer`). */
async function madeIn(dir: string, stack: string): Promise<Map<string, MadePage>> {
  return withStacks("auto", await openProject(dir), async (stacks) => {
    const exists = (await stacks.list()).some(({ name }) => name === stack);
    return exists ? madePages(await stacks.export(stack, { showSecrets: false })) : new Map<string, MadePage>();
  });
}

function madePages({ deployment: { resources = [] } }: ExportedStack): Map<string, MadePage> {
  return new Map(
    resources.flatMap(({ urn, id, inputs = {} }) => {
      if (id === undefined) return [];
      const { templateId, duplicateOf } = inputs;
      const text = (value: unknown) => (typeof value === "string" ? value : undefined);
      return [[addressOf(urn), { id, templateId: text(templateId), duplicateOf: text(duplicateOf) }] as const];
    }),
  );
}

function addressOf(urn: string): string {
  const definition = Object.values(registry).find(({ type }) => urn.includes(`landform:${type}::`));
  return `${definition?.section ?? ""}.${nameOf(urn)}`;
}
