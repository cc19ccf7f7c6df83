import { createHash, randomUUID } from "node:crypto";
import { gunzipSync } from "node:zlib";
import type { Deployment, Manifest, PendingCall, PropertyMap, ResourceState, SecretsProvider } from "../model/types.ts";
import { isObject } from "../model/values.ts";
import { CorruptCheckpointError, UnsupportedCheckpointError } from "./errors.ts";
import { qualifiedName } from "./layout.ts";
import { decodeResource, encodeResource, featuresOf, isKnownFeature } from "./resources.ts";
import type { SecretCodec } from "./secret-values.ts";
import type { StackRef } from "./types.ts";

/** A deployment as a checkpoint holds it, with encrypted secrets. `pulumi stack export` prints the same. */
export interface StoredDeployment {
  manifest: Manifest;
  secrets_providers?: SecretsProvider;
  resources?: readonly ResourceState[];
  pending_operations?: PendingCall[];
  metadata?: PropertyMap;
}

/** The format of `pulumi stack export` and `pulumi stack import`. */
export interface ExportedStack {
  version: number;
  features?: string[];
  deployment: StoredDeployment;
}

/** The versions with today's shape of a deployment; 4 only adds the list of features. */
const VERSIONS = [3, 4];

/** The writer's name in the manifest, in place of Pulumi's version. */
const WRITER = "landform-embedded";

/** Reads a checkpoint file. A stack that was created and never deployed has no `latest`. */
export function parseCheckpoint(bytes: Uint8Array, file: string): StoredDeployment {
  const document = parseJson(isGzip(bytes) ? gunzipSync(bytes) : bytes, file);
  const checkpoint = document["checkpoint"];
  if (!isObject(checkpoint))
    throw new CorruptCheckpointError(
      `${file} is not a Pulumi checkpoint (it has no "checkpoint" object); restore it from its .bak file or from the backups folder`,
    );
  const latest = checkpoint["latest"];
  if (latest === undefined || latest === null) return emptyDeployment();
  return checkDeployment(document["version"], document["features"], latest, file);
}

/** Checks the content of a checkpoint or an export, up to the shape of each resource. */
export function checkDeployment(
  version: unknown,
  features: unknown,
  deployment: unknown,
  source: string,
): StoredDeployment {
  if (typeof version !== "number" || !VERSIONS.includes(version))
    throw new UnsupportedCheckpointError(
      `${source} has version ${JSON.stringify(version)}; versions 3 and 4 are supported: ${
        typeof version === "number" && version < 3
          ? "export and import it once with a current Pulumi command line"
          : "use a newer landform or the real Pulumi engine"
      }`,
    );
  const unknown =
    version >= 4 && Array.isArray(features) ? features.filter((name) => !isKnownFeature(String(name))) : [];
  if (unknown.length > 0)
    throw new UnsupportedCheckpointError(
      `${source} uses features not supported here: ${unknown.join(", ")}; use a newer landform or the real Pulumi engine`,
    );
  if (!isObject(deployment)) throw new CorruptCheckpointError(`${source} holds no deployment object`);
  const calls = listIn(deployment, "pending_operations", source);
  const resources = [
    ...listIn(deployment, "resources", source),
    ...calls.map((call) => (isObject(call) ? call["resource"] : call)),
  ];
  for (const [index, resource] of resources.entries()) checkResource(resource, index, source);
  return deployment as unknown as StoredDeployment;
}

/** Returns a list that Pulumi leaves out if it is empty. */
function listIn(deployment: Record<string, unknown>, name: string, source: string): unknown[] {
  const { [name]: list = [] } = deployment;
  if (Array.isArray(list)) return list;
  throw new CorruptCheckpointError(`${source}: "${name}" is no list; restore the file from its backup`);
}

/** The text of thousands of resources at once would take as much memory as they do. */
const FORMATTED_AT_ONCE = 500;

/** Returns the bytes of the file in parts. `encode` is for resources that don't have their stored form yet. */
export function formatCheckpoint(
  ref: StackRef,
  stored: StoredDeployment,
  encode: (state: ResourceState) => ResourceState = (state) => state,
): Buffer[] {
  const { version, features } = versionOf(stored);
  const resources = stored.resources ?? [];
  const place = randomUUID();
  const latest = resources.length === 0 ? stored : { ...stored, resources: place };
  const text = JSON.stringify({ version, features, checkpoint: { stack: qualifiedName(ref), latest } });
  if (resources.length === 0) return [Buffer.from(text)];
  const [before = "", after = ""] = text.split(JSON.stringify(place));
  const parts = Array.from({ length: Math.ceil(resources.length / FORMATTED_AT_ONCE) }, (_, part) => {
    const some = resources.slice(part * FORMATTED_AT_ONCE, (part + 1) * FORMATTED_AT_ONCE);
    return Buffer.from(`${part === 0 ? "" : ","}${JSON.stringify(some.map(encode)).slice(1, -1)}`);
  });
  return [Buffer.from(`${before}[`), ...parts, Buffer.from(`]${after}`)];
}

export function exportedStack(stored: StoredDeployment): ExportedStack {
  return { ...versionOf(stored), deployment: stored };
}

export function emptyDeployment(provider?: SecretsProvider): StoredDeployment {
  return {
    manifest: { time: new Date().toISOString(), magic: "", version: "" },
    secrets_providers: provider,
    metadata: {},
  };
}

export function newManifest(): Manifest {
  return { time: new Date().toISOString(), magic: createHash("sha256").update(WRITER).digest("hex"), version: WRITER };
}

export function decodeDeployment(stored: StoredDeployment, codec: SecretCodec): Deployment {
  return {
    manifest: stored.manifest,
    secretsProvider: stored.secrets_providers,
    resources: (stored.resources ?? []).map((state) => decodeResource(state, codec)),
    pendingOperations: (stored.pending_operations ?? []).map((call) => {
      return { ...call, resource: decodeResource(call.resource, codec) };
    }),
    metadata: stored.metadata ?? {},
  };
}

export function encodeDeployment(deployment: Deployment, codec: SecretCodec): StoredDeployment {
  return encodeAround(
    { ...deployment, resources: deployment.resources.map((state) => encodeResource(state, codec)) },
    codec,
  );
}

/** Encodes a deployment whose resources stay as they are. */
export function encodeAround(deployment: Deployment, codec: SecretCodec): StoredDeployment {
  const { resources } = deployment;
  const pending = deployment.pendingOperations.map(({ resource, type }) => {
    return { resource: encodeResource(resource, codec), type };
  });
  return {
    manifest: deployment.manifest,
    secrets_providers: deployment.secretsProvider,
    resources: resources.length > 0 ? resources : undefined,
    pending_operations: pending.length > 0 ? pending : undefined,
    metadata: deployment.metadata,
  };
}

function versionOf(stored: StoredDeployment): { version: number; features?: string[] } {
  const features = featuresOf(stored.resources ?? []);
  return features.length > 0 ? { version: 4, features } : { version: 3 };
}

function checkResource(resource: unknown, index: number, source: string): void {
  const problem = !isObject(resource)
    ? "is not an object"
    : typeof resource["urn"] !== "string" || resource["urn"] === ""
      ? "has no urn"
      : typeof resource["type"] !== "string" || resource["type"] === ""
        ? `${resource["urn"]} has no type`
        : undefined;
  if (problem !== undefined)
    throw new CorruptCheckpointError(`${source}: resource ${index} ${problem}; restore the file from its backup`);
}

function parseJson(bytes: Uint8Array, file: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString("utf8"));
    if (isObject(value)) return value;
  } catch (error) {
    throw new CorruptCheckpointError(
      `${file} is not JSON (${error instanceof Error ? error.message : String(error)}); restore it from its .bak file or from the backups folder`,
      { cause: error },
    );
  }
  throw new CorruptCheckpointError(`${file} does not hold a JSON object; restore it from its .bak file`);
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}
