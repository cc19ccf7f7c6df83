import type { Json, PropertyMap, ResourceState } from "../model/types.ts";
import { sharing } from "../model/values.ts";
import { decodeValue, encodeValue, type SecretCodec } from "./secret-values.ts";

/** Resources between memory and disk: secrets, the order of the fields, and the fields that Pulumi leaves out. */

export function decodeResource(stored: ResourceState, codec: SecretCodec): ResourceState {
  const state = mapProperties(stored, codec, decodeValue);
  if (state.inputs === undefined || state.outputs === undefined) return state;
  return { ...state, outputs: sharing(state.outputs, state.inputs) };
}

/** Writes the fields in Pulumi's order, without empty ones. Unknown fields follow as they are. */
export function encodeResource(state: ResourceState, codec: SecretCodec): ResourceState {
  const encoded: Record<string, unknown> = { ...mapProperties(state, codec, encodeValue) };
  const known = FIELDS.filter((field) => ALWAYS.has(field) || !isEmpty(encoded[field]));
  const unknown = Object.keys(encoded).filter((field) => !FIELD_SET.has(field) && encoded[field] !== undefined);
  return Object.fromEntries([...known, ...unknown].map((field) => [field, encoded[field]])) as unknown as ResourceState;
}

/** Returns the features of checkpoint version 4 that these resources need. Without any, version 3 is enough. */
export function featuresOf(resources: readonly ResourceState[]): string[] {
  const used = Object.entries(FEATURES).filter(([, uses]) => resources.some(uses));
  return used.map(([feature]) => feature).sort();
}

export function isKnownFeature(feature: string): boolean {
  return Object.hasOwn(FEATURES, feature);
}

const FEATURES: Record<string, (state: ResourceState) => boolean> = {
  hooks: (state) => !isEmpty(state.resourceHooks),
  refreshBeforeUpdate: (state) => state.refreshBeforeUpdate === true,
  replaceWith: (state) => !isEmpty(state.replaceWith),
  taint: (state) => state.taint === true,
  views: (state) => !isEmpty(state.viewOf),
};

const FIELDS = [
  "urn",
  "custom",
  "delete",
  "id",
  "type",
  "inputs",
  "outputs",
  "parent",
  "protect",
  "taint",
  "external",
  "dependencies",
  "initErrors",
  "provider",
  "propertyDependencies",
  "pendingReplacement",
  "additionalSecretOutputs",
  "aliases",
  "customTimeouts",
  "importID",
  "retainOnDelete",
  "deletedWith",
  "replaceWith",
  "created",
  "modified",
  "sourcePosition",
  "stackTrace",
  "ignoreChanges",
  "hideDiff",
  "replaceOnChanges",
  "replacementTrigger",
  "refreshBeforeUpdate",
  "viewOf",
  "resourceHooks",
] as const satisfies readonly (keyof ResourceState)[];

const FIELD_SET: ReadonlySet<string> = new Set(FIELDS);
const ALWAYS: ReadonlySet<string> = new Set<keyof ResourceState>(["urn", "custom", "type"]);

type Transform = (value: Json, location: string, codec: SecretCodec) => Json;

function mapProperties(state: ResourceState, codec: SecretCodec, transform: Transform): ResourceState {
  const mapped: ResourceState = { ...state };
  // The id tells a replaced resource from its replacement, which has the same URN.
  const place = state.id === undefined ? state.urn : `${state.urn} (${state.id})`;
  for (const name of ["inputs", "outputs", "replacementTrigger"] as const) {
    const { [name]: value } = state;
    if (value !== undefined) mapped[name] = transform(value, `${place} ${name}`, codec) as PropertyMap;
  }
  return mapped;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === "") return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === "object" && Object.keys(value).length === 0;
}
