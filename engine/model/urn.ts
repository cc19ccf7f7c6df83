import { type ResourceState, ROOT_STACK_TYPE } from "./types.ts";

/** URNs, type tokens and provider references: `urn:pulumi:STACK::PROJECT::PARENT_TYPE$TYPE::NAME`, `URN::ID`. */

export const DYNAMIC_PACKAGE = "pulumi-nodejs";
const PROVIDER_PREFIX = "pulumi:providers:";

export function createUrn(stack: string, project: string, parent: string | undefined, type: string, name: string) {
  const parentType = parent === undefined ? "" : qualifiedType(parent);
  const chain = parentType === "" || parentType === ROOT_STACK_TYPE ? type : `${parentType}$${type}`;
  return `urn:pulumi:${stack}::${project}::${chain}::${name}`;
}

/** Tells if a text is a URN, as Pulumi's engine does. */
export function isUrn(text: string): boolean {
  return text.startsWith("urn:pulumi:") && text.split("::").length >= 4;
}

/** Returns the type with the types of the parents, joined by `$`. */
export function qualifiedType(urn: string): string {
  return urn.split("::")[2] ?? "";
}

export function typeOf(urn: string): string {
  return qualifiedType(urn).split("$").at(-1) ?? "";
}

export function nameOf(urn: string): string {
  return urn.split("::").slice(3).join("::");
}

export function isRootStack(urn: string): boolean {
  return qualifiedType(urn) === ROOT_STACK_TYPE;
}

/** Returns the type without the part that all dynamic resources share. */
export function shortType(type: string): string {
  return type.replace(/^pulumi-nodejs:dynamic\//, "");
}

export function packageOf(type: string): string {
  return type.split(":")[0] ?? "";
}

export function isProviderType(type: string): boolean {
  return type.startsWith(PROVIDER_PREFIX);
}

export function providerPackage(type: string): string {
  return type.slice(PROVIDER_PREFIX.length);
}

export function providerType(name: string): string {
  return PROVIDER_PREFIX + name;
}

export function providerReference(urn: string, id: string): string {
  return `${urn}::${id}`;
}

export function parseProviderReference(reference: string): { urn: string; id: string } {
  const cut = reference.lastIndexOf("::");
  return { urn: reference.slice(0, cut), id: reference.slice(cut + 2) };
}

/** Tells if it is the default provider that the engine registers. No user asked for it, and no summary counts it. */
export function isDefaultProvider(urn: string): boolean {
  return isProviderType(typeOf(urn)) && /^default(_|$)/.test(nameOf(urn));
}

/** Returns every URN that the resource refers to, except its parent and its provider. */
export function dependencyUrns(resource: ResourceState): Set<string> {
  const urns = new Set(resource.dependencies);
  for (const list of Object.values(resource.propertyDependencies ?? {})) for (const urn of list) urns.add(urn);
  if (resource.deletedWith !== undefined) urns.add(resource.deletedWith);
  for (const urn of resource.replaceWith ?? []) urns.add(urn);
  return urns;
}

export function providerUrn(resource: ResourceState): string | undefined {
  return resource.provider === undefined ? undefined : parseProviderReference(resource.provider).urn;
}
