/** What the last run of a stack applied, for a merge of three: the state as it lies there, without its secrets. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { isObject, type Json, nameOf, SECRET_SIG, signatureOf } from "../../engine/index.ts";
import type { Applied, LastApplied, OutsideSources } from "../../manifest/export/index.ts";
import { isMap, type JsonMap } from "../../provider/values/json.ts";
import { UsageError } from "../exit/codes.ts";
import { shortName } from "../report/steps.ts";
import { withStacks } from "../stacks/stacks.ts";
import { projectFileIn } from "./files.ts";
import { MANIFEST, openStack } from "./open.ts";

/** `unread`: why nobody knows. A stack that isn't there has applied nothing. */
export async function lastAppliedIn(dir: string, stack: string): Promise<{ of: LastApplied } | { unread: string }> {
  const nothing = { of: (): undefined => undefined };
  if (!existsSync(join(dir, MANIFEST))) return nothing;
  try {
    const folder = await openStack(dir, stack, undefined, { runs: false });
    const resources = await withStacks("auto", folder, async (stacks) => {
      const names = (await stacks.list()).map(({ name }) => name);
      if (!names.includes(stack)) return [];
      return (await stacks.export(stack, { showSecrets: false })).deployment.resources ?? [];
    });
    const applied = new Map<string, Applied>();
    for (const { urn, type, id, inputs, outputs, delete: goes } of resources)
      if (id !== undefined && goes !== true)
        applied.set(`${shortName(type)} ${nameOf(urn)}`, { id, inputs: open(inputs), outputs: open(outputs) });
    return { of: (type, name) => applied.get(`${type} ${name}`) };
  } catch (error) {
    return { unread: error instanceof Error ? error.message : String(error) };
  }
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
  return { env: process.env, stack, config: await configOf(dir, stack) };
}

/** Secrets are left encrypted, and so are not compared. */
async function configOf(dir: string, stack: string): Promise<NonNullable<OutsideSources["config"]>> {
  const nothing = (): undefined => undefined;
  if (projectFileIn(dir) === undefined) return nothing;
  try {
    const { config, project } = await openStack(dir, stack);
    const record = config.record();
    return (key) => {
      const value = record[key.includes(":") ? key : `${project.name}:${key}`];
      if (value === undefined) return {};
      return typeof value === "string" ? { value } : undefined;
    };
  } catch (error) {
    // Whatever is wrong with the manifest is told by who reads it.
    if (error instanceof UsageError) return nothing;
    throw error;
  }
}
