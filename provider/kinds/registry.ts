/** All kinds of resources: one line each. Handlers, classes, manifest, JSON Schema, export and docs follow from here. */
import type { AnyDefinition } from "../definition/define.ts";
import { refersTo, schemaBelow } from "../definition/schema-walk.ts";
import { funnel } from "./funnel.ts";
import { hook } from "./hook.ts";
import { page } from "./page.ts";
import { product } from "./product.ts";
import { projectAmong } from "./project.ts";
import { quiz } from "./quiz.ts";
import { release } from "./release.ts";
import { site } from "./site.ts";
import { videoPlayer } from "./video.ts";
import { objectKey, type ObjectKey } from "../ledger/identity.ts";

export const registry = {
  project: projectAmong((): readonly AnyDefinition[] => Object.values<AnyDefinition>(registry)),
  site,
  page,
  quiz,
  funnel,
  product,
  hook,
  videoPlayer,
  release,
} as const satisfies Record<string, AnyDefinition>;

export type Kind = keyof typeof registry;

const PREFIX = "pulumi-nodejs:dynamic/landform:";

/** The type of a kind's resources, as engines have it. */
export function resourceType({ type }: Pick<AnyDefinition, "type">): string {
  return PREFIX + type;
}

/** Returns the definition for a resource's type, as engines have it or as it is shown (`Page`); undefined for resources of others. */
export function definitionOf(type: string): AnyDefinition | undefined {
  const name = type.startsWith(PREFIX) ? type.slice(PREFIX.length) : type;
  return Object.values<AnyDefinition>(registry).find((definition) => definition.type === name);
}

/**
 * Returns the key of an object by the type of its resource, as engines have it or as it is shown. An object of another provider is known by
 * the type itself.
 */
export function keyOfType(type: string, id: string): ObjectKey {
  const definition = definitionOf(type);
  return definition === undefined ? `${type} ${id}` : objectKey(definition, id);
}

/** Returns the key of an object by the kind that was written down with its id, perhaps by another version. */
export function keyOfKind(kind: string, id: string): ObjectKey {
  return kind in registry ? objectKey(registry[kind as Kind], id) : `${kind} ${id}`;
}

/**
 * Returns the objects that a text among the inputs of a resource may be the id of: those of one collection, if a reference stands there.
 * Undefined if none does: then only the dependencies tell.
 */
export function objectsMeantAt(type: string, path: readonly PropertyKey[], text: string): ObjectKey[] | undefined {
  const kinds = refersTo(path.reduce<unknown>(schemaBelow, definitionOf(type)?.inputs));
  return kinds.length === 0 ? undefined : kinds.map((kind) => keyOfKind(kind, text));
}

/** Returns the kind by the name of its type, as reports have it: `Page`. */
export function kindOf(type: string): Kind | undefined {
  return (Object.keys(registry) as Kind[]).find((kind) => registry[kind].type === type);
}
