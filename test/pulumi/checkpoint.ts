import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { passphrase, project, stack, type Sandbox } from "./sandbox.ts";
import type { Deployment, Resource } from "./scenario.ts";
import { decryptSecret } from "./secrets.ts";

type Checkpoint = { version: number; checkpoint: { stack: string; latest?: Deployment | null } };

const signatureKey = "4dabf18193072939515e22adb298388d";
const secretSignature = "1b47061264138c4ac30d75fd1eb44270";
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

const checkpointFile = (sandbox: Sandbox): string =>
  join(sandbox.backend, ".pulumi", "stacks", project, `${stack}.json`);

function readCheckpoint(sandbox: Sandbox): Checkpoint {
  const file = checkpointFile(sandbox);
  if (!existsSync(file)) throw new Error(`there is no checkpoint at ${file}`);
  return JSON.parse(readFileSync(file, "utf8")) as Checkpoint;
}

/** Returns the stack's state from the file, with encrypted secrets. */
export const readDeployment = (sandbox: Sandbox): Deployment => readCheckpoint(sandbox).checkpoint.latest ?? {};

export function editDeployment(sandbox: Sandbox, edit: (deployment: Deployment) => void): void {
  const checkpoint = readCheckpoint(sandbox);
  const latest = checkpoint.checkpoint.latest ?? {};
  edit(latest);
  checkpoint.checkpoint.latest = latest;
  writeFileSync(checkpointFile(sandbox), JSON.stringify(checkpoint));
}

/** Replaces folders and random ids by their kind, so that values of two sandboxes can be compared. */
export function neutral<T>(sandbox: Sandbox, value: T): T {
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined) return value;
  return JSON.parse(
    text
      .replaceAll(sandbox.root, "<sandbox>")
      .replace(uuid, (match) => (match === "04da6b54-80e4-46f7-96ec-b56ff0331ba9" ? match : "<uuid>")),
  ) as T;
}

function decrypted(value: unknown, salt: string): unknown {
  if (Array.isArray(value)) return value.map((entry) => decrypted(entry, salt));
  if (typeof value !== "object" || value === null) return value;
  const fields = value as Record<string, unknown>;
  if (fields[signatureKey] === secretSignature && typeof fields.ciphertext === "string")
    return { secret: JSON.parse(decryptSecret(fields.ciphertext, passphrase, salt)) as unknown };
  return Object.fromEntries(Object.entries(fields).map(([key, entry]) => [key, decrypted(entry, salt)]));
}

/** Returns the part of a resource's state in which both engines must agree. For times, only their presence counts. */
function comparable(resource: Resource, salt: string): Record<string, unknown> {
  const {
    sourcePosition: _,
    stackTrace: __,
    created,
    modified,
    dependencies,
    propertyDependencies,
    ...rest
  } = resource;
  return {
    ...(decrypted(rest, salt) as Record<string, unknown>),
    created: typeof created,
    modified: typeof modified,
    dependencies: Array.isArray(dependencies) ? [...(dependencies as string[])].sort() : [],
    // A refresh by the real engine drops the empty lists. Their order is the order in which the program's outputs became known.
    propertyDependencies: Object.entries((propertyDependencies ?? {}) as Record<string, string[]>).flatMap(
      ([property, urns]) => (urns.length > 0 ? [[property, [...urns].sort()]] : []),
    ),
  };
}

/** Returns the unresolved creates. Pulumi remembers one until a refresh is told to forget it, and our engine until the resource exists. */
function unresolved({ resources = [], pending_operations: pending = [] }: Deployment) {
  const existing = new Set(resources.map(({ urn }) => urn));
  return pending.filter(({ type, resource }) => type !== "creating" || !existing.has(resource.urn));
}

/** Returns the state as a list in a fixed order, with clear secrets. `misplaced` judges the file's own order. */
export function comparableState(sandbox: Sandbox): unknown {
  const deployment = readDeployment(sandbox);
  const salt = deployment.secrets_providers?.state?.salt ?? "";
  const label = (resource: Record<string, unknown>) =>
    `${String(resource.urn)} ${String(resource.delete)} ${String(resource.id)}`;
  return neutral(sandbox, {
    resources: (deployment.resources ?? [])
      .map((resource) => comparable(resource, salt))
      .sort((a, b) => label(a).localeCompare(label(b))),
    pending: unresolved(deployment)
      .map(({ resource, type }) => `${type} ${resource.urn}`)
      .sort(),
  });
}

/** Returns the resources that must exist before this one. */
export function references(resource: Resource): string[] {
  const provider = typeof resource.provider === "string" ? [resource.provider.split("::").slice(0, -1).join("::")] : [];
  const listed = Array.isArray(resource.dependencies) ? (resource.dependencies as string[]) : [];
  const single = [resource.parent, resource.deletedWith].filter((urn) => typeof urn === "string");
  return [...provider, ...listed, ...single];
}

/** Returns resources that stand before one of their references. Pulumi's integrity check would refuse such a checkpoint. */
export function misplaced(sandbox: Sandbox): string[] {
  const seen = new Set<string>();
  const wrong: string[] = [];
  for (const resource of readDeployment(sandbox).resources ?? []) {
    const missing = references(resource).filter((urn) => !seen.has(urn));
    if (missing.length > 0) wrong.push(`${resource.urn} stands before ${missing.join(", ")}`);
    seen.add(resource.urn);
  }
  return wrong;
}
