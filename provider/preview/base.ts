/** The facts about a base that a preview needs, from the resources of its state. Pure. */
import { filterMap, isMap, type JsonMap, sanitize } from "../values/json.ts";
import { definitionOf, registry } from "../kinds/registry.ts";
import { type BaseObject, type NamedObject, urnInStack } from "./facts.ts";
import type { LandformApi } from "../api/index.ts";
import { isSpecial } from "../definition/steady.ts";
import { LookupError } from "../definition/collection.ts";
import type { AnyDefinition } from "../definition/define.ts";
import { findOne } from "../lookups/find.ts";

/** A resource as a state has it, with secrets as they stand there. */
export interface StoredResource {
  readonly urn: string;
  readonly type: string;
  readonly id?: string | undefined;
  readonly delete?: boolean | undefined;
  readonly inputs?: Record<string, unknown> | undefined;
  readonly outputs?: Record<string, unknown> | undefined;
  /** By input, the URNs of the resources that its value is made of. */
  readonly propertyDependencies?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** The inputs that a page is made from, and those that are filled into it when it is made. */
const ORIGIN = ["templateId", "duplicateOf", "variables"] as const;

/** `copied`: the resources that the preview makes for itself, or has no more, by URN without the stack. Undefined means all. */
export function baseObjects(
  resources: readonly StoredResource[],
  copied?: ReadonlySet<string>,
): Record<string, BaseObject> {
  return Object.fromEntries(
    asReleased(resources).flatMap((resource) => {
      const definition = definitionOf(resource.type);
      const { urn, id, inputs = {}, outputs = {} } = resource;
      if (definition === undefined || id === undefined || id === "" || resource.delete === true) return [];
      const stays = copied?.has(urnInStack(urn)) === false && isMadeInPreview(definition);
      const address = definition.public === "address" && outputs["status"] === "published";
      const object: BaseObject = {
        id,
        origin: sanitize(Object.fromEntries(ORIGIN.map((field) => [field, inputs[field]]))),
        ...(address &&
          sanitize({ url: text(outputs["url"]), slug: text(outputs["slug"]), siteId: text(outputs["siteId"]) })),
        ...(stays && { stays }),
        ...((stays || definition.inPreview.becomes === "base's") && { outputs: open(outputs) }),
      };
      return [[urnInStack(urn), object] as const];
    }),
  );
}

/** Returns the resources as they are once their releases went out. A page's own state learns that at its next refresh only. */
export function asReleased(resources: readonly StoredResource[]): StoredResource[] {
  const released = new Map(
    resources.flatMap(({ type, outputs }) =>
      definitionOf(type)?.gathers !== undefined && isMap(outputs?.["urls"]) ? Object.entries(outputs["urls"]) : [],
    ),
  );
  return resources.map((resource) => {
    const url = released.get(resource.id ?? "");
    const { siteId, slug = "" } = (resource.inputs?.["publish"] ?? {}) as { siteId?: unknown; slug?: unknown };
    if (typeof url !== "string" || siteId === undefined || resource.outputs?.["status"] === "published")
      return resource;
    return { ...resource, outputs: { ...resource.outputs, status: "published", url, siteId, slug } };
  });
}

export function holdsAny(resources: readonly StoredResource[]): boolean {
  return resources.some(({ type, id = "" }) => definitionOf(type) !== undefined && id !== "");
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Tells if a preview may have an object of its own of this kind. */
export function isMadeInPreview({ inPreview: { becomes } }: AnyDefinition): boolean {
  return becomes === "made" || becomes === "asked for";
}

/** Leaves out the secrets, and the lifecycle's own outputs. */
function open(outputs: Record<string, unknown>): JsonMap {
  return filterMap(sanitize(outputs), (value, key) => !key.startsWith("__") && !isSpecial(value));
}

/** `wanted`: ids or names, by kind. */
export async function namedObjects(
  api: LandformApi,
  wanted: Readonly<Record<string, string | undefined>>,
): Promise<Record<string, NamedObject>> {
  const found = Object.values<AnyDefinition>(registry).map(async ({ kind, collection, inPreview }) => {
    const text = wanted[kind];
    if (text === undefined || collection === undefined || inPreview.becomes !== "base's") return [];
    const row = await byIdOrName(collection, api, text);
    const root = await inPreview.root?.(api, row.id);
    const object = { id: row.id, name: collection.nameOf(row) ?? row.id, ...(root !== undefined && { root }) };
    return [[kind, object] as const];
  });
  return Object.fromEntries((await Promise.all(found)).flat());
}

/** Tells if one of them is the place that all pages come to. */
export function hasHost(named: Readonly<Record<string, unknown>>): boolean {
  return Object.values<AnyDefinition>(registry).some(
    ({ kind, inPreview }) => inPreview.root !== undefined && named[kind] !== undefined,
  );
}

async function byIdOrName(collection: NonNullable<AnyDefinition["collection"]>, api: LandformApi, text: string) {
  try {
    return await findOne(collection, api, { name: text });
  } catch (error) {
    if (!(error instanceof LookupError) || error.ids.length > 0) throw error;
    return findOne(collection, api, { id: text }).catch(() => {
      throw error;
    });
  }
}
