/** What the last run of a stack applied, for a merge of three: the state as it lies there, without its secrets. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { isObject, nameOf, SECRET_SIG, signatureOf, type Json } from "../../engine/index.ts";
import type { Applied, LastApplied } from "../../manifest/export/index.ts";
import { isMap, type JsonMap } from "../../provider/values/json.ts";
import { shortName } from "../report/steps.ts";
import { withStacks } from "../stacks/stacks.ts";
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
