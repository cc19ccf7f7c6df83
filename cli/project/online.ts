/** `landform validate --online`: what only the account can tell about a manifest. Reads alone. */
import { dirname } from "node:path";
import { validateOnline, type Diagnostic, type Manifest } from "../../manifest/index.ts";
import { LandformApi, resolveConfig } from "../../provider/api/index.ts";
import { registry } from "../../provider/registry.ts";
import { openBackend, refOf } from "../engines/backend.ts";
import { openStack } from "./open.ts";

export async function askAccount(path: string, stack: string, manifest: Manifest): Promise<Diagnostic[]> {
  const api = new LandformApi(resolveConfig(process.env));
  try {
    return await validateOnline(manifest, api, { ids: await idsInState(dirname(path), stack) });
  } finally {
    await api.close();
  }
}

/** Ids of the resources that exist, by their address in the manifest (`pages.offer`). */
async function idsInState(dir: string, stack: string): Promise<Map<string, string>> {
  const folder = await openStack(dir, stack);
  const backend = await openBackend(folder);
  const ref = refOf(folder);
  if (!(await backend.exists(ref))) return new Map();
  const { resources = [] } = await backend.readStored(ref);
  return new Map(resources.flatMap(({ urn, id }) => (id === undefined ? [] : [[addressOf(urn), id] as const])));
}

function addressOf(urn: string): string {
  const [type = "", name = ""] = urn.split("::").slice(2);
  const definition = Object.values(registry).find((known) => type.endsWith(`landform:${known.type}`));
  return `${definition?.section ?? type}.${name}`;
}
