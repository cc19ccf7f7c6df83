/** Reads what the last run of a stack applied, for a three-way merge: the state without its secrets. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { isObject, type Json, nameOf, type ResourceState, SECRET_SIG, signatureOf } from "../../engine/index.ts";
import type { Applied, LastApplied, OutsideSources } from "../../manifest/export/index.ts";
import {
  type AccountEntry,
  Deferred,
  type Diagnostic,
  type MadePage,
  type Manifest,
  readKeysFile,
  type Tree,
} from "../../manifest/index.ts";
import { validateOnline } from "../../manifest/check/online.ts";
import { outsideValues } from "../../manifest/match/spelling.ts";
import { addressOf } from "../../manifest/language/addresses.ts";
import { ConfigurationError, LandformApi } from "../../provider/api/index.ts";
import { definitionOf } from "../../provider/kinds/registry.ts";
import { probeTemplate } from "../../provider/lookups/probe.ts";
import { reasonOf } from "../../provider/values/wording.ts";
import { configInForce } from "../../provider/pulumi/settings-in-force.ts";
import { isMap, type JsonMap, mapOf } from "../../provider/values/json.ts";
import { UsageError } from "../exit/codes.ts";
import { leftByRuns, markedResources } from "../engines/recorded.ts";
import { shortName, withLeft } from "../report/steps.ts";
import { exportedState, withStacks } from "../stacks/stacks.ts";
import { projectFileIn } from "../project/files.ts";
import { MANIFEST, openProject, openStack, type StackFolder } from "../project/open.ts";
import { withAccount } from "../settings/settings.ts";

/** `unread`: why nobody knows. A stack that doesn't exist has applied nothing. */
export async function lastAppliedIn(dir: string, stack: string): Promise<{ of: LastApplied } | { unread: string }> {
  const nothing = { of: (): undefined => undefined };
  if (!existsSync(join(dir, MANIFEST))) return nothing;
  try {
    const folder = await openStack(dir, stack, { runs: false });
    const resources = await withStacks("auto", folder, async (stacks) => {
      const names = (await stacks.list()).map(({ name }) => name);
      if (!names.includes(stack)) return [];
      const { resources: all = [] } = (await stacks.export(stack, { showSecrets: false })).deployment;
      // A refresh puts what it found in the place of the run's values, which are among the secrets then.
      return all.some(isRefreshed) ? markedResources(await stacks.export(stack, { showSecrets: true })) : all;
    });
    const left = leftByRuns({ resources: resources.filter(isRefreshed) });
    const applied = new Map<string, Applied>();
    for (const { urn, type, id, inputs, outputs, delete: goes } of resources)
      if (id !== undefined && goes !== true)
        applied.set(`${shortName(type)} ${nameOf(urn)}`, {
          id,
          inputs: open(withLeft(inputs ?? {}, left.get(urn) ?? {})),
          outputs: open(outputs),
        });
    return { of: (type, name) => applied.get(`${type} ${name}`) };
  } catch (error) {
    return { unread: reasonOf(error) };
  }
}

function isRefreshed({ outputs }: Pick<ResourceState, "outputs">): boolean {
  return mapOf(outputs?.["__landform"])["learned"] !== undefined;
}

function open(map: Readonly<Record<string, Json>> | undefined): JsonMap {
  return withoutSecrets(map ?? {}) as JsonMap;
}

function withoutSecrets(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isMap(value)) return value;
  const entries = Object.entries(value).filter(([, inner]) => !(isObject(inner) && signatureOf(inner) === SECRET_SIG));
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutSecrets(inner)]));
}

export async function outsideOf(dir: string, stack: string): Promise<OutsideSources> {
  const unset = { env: process.env, stack, config: () => undefined };
  if (projectFileIn(dir) === undefined) return unset;
  try {
    return outsideIn(await openStack(dir, stack));
  } catch (error) {
    // The reader of the manifest reports its errors.
    if (error instanceof UsageError) return unset;
    throw error;
  }
}

/** Secrets stay encrypted, so they are not compared. */
export function outsideIn({ config, project, stack }: StackFolder): OutsideSources {
  const record = config.record();
  return {
    env: process.env,
    stack,
    config: (key) => {
      const value = record[key.includes(":") ? key : `${project.name}:${key}`];
      if (value === undefined) return {};
      return typeof value === "string" ? { value } : undefined;
    },
  };
}

/** `probes`: a draft may be made from each template, and deleted again. */
export async function askAccount(
  { path, stack, probes }: { readonly path: string; readonly stack: string; readonly probes: boolean },
  manifest: Manifest,
): Promise<Diagnostic[]> {
  const folder = dirname(path);
  const made = await madeIn(folder, stack);
  const accounts = new Map(manifest.accounts.flatMap((account) => clientOf(account)));
  try {
    const templates = readKeysFile(folder);
    return await withAccount({ C: folder, stack }, (account) => {
      const probe = async (templateId: string) => (await probeTemplate(account, { templateId })).keys;
      return validateOnline(manifest, account.api, { made, templates, accounts, ...(probes && { probe }) });
    });
  } finally {
    await Promise.all([...accounts.values()].map((api) => api.close()));
  }
}

/** Returns no client if the address or the key is missing. The caller then tells that the account was not asked. */
function clientOf({ key, settings }: AccountEntry): [string, LandformApi][] {
  const setting = (name: string) => valueOf(settings[name.replace("landform:", "")]);
  // Without a variable of its own, the account would be asked with the key of another one.
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
  return tree instanceof Deferred ? outsideValues({ env: process.env }).valueOf(tree)?.value : tree;
}

/** The existing pages by their address in the manifest (`pages.offer`). */
async function madeIn(dir: string, stack: string): Promise<Map<string, MadePage>> {
  const exported = await exportedState("auto", await openProject(dir), stack);
  const text = (value: unknown) => (typeof value === "string" ? value : undefined);
  const made = (exported?.deployment.resources ?? []).flatMap(({ urn, type, id, inputs = {}, outputs = {} }) => {
    if (id === undefined) return [];
    const address = addressOf(definitionOf(type)?.section ?? "", nameOf(urn));
    const { templateId, duplicateOf } = inputs;
    const from = { templateId: text(templateId), duplicateOf: text(duplicateOf) };
    return [[address, { id, ...from, createdAt: text(outputs["createdAt"]) }] as const];
  });
  return new Map(made);
}
