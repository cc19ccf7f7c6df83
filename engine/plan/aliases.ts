import { ROOT_STACK_TYPE } from "../model/types.ts";
import { createUrn, isRootStack, nameOf, qualifiedType, typeOf } from "../model/urn.ts";
import type { Alias, PlannerOptions, Registration } from "./types.ts";

/** Returns the old URN of a parent that was found by an alias. */
export type OldUrnOf = (urn: string) => string | undefined;

/**
 * Returns the URNs that a resource may have had: its own aliases, and the same names below the old URN of its parent. A name that begins with the
 * parent's name follows the parent's old name.
 */
export function aliasUrns(registration: Registration, options: PlannerOptions, oldUrnOf: OldUrnOf): string[] {
  const own = registration.aliases.map((alias) => aliasUrn(alias, registration, options, oldUrnOf));
  const { parent } = registration;
  const oldParent = parent === undefined ? undefined : oldUrnOf(parent);
  if (parent === undefined || oldParent === undefined) return [...new Set(own)];
  const inherit = (type: string, name: string) => inheritedUrn(type, name, nameOf(parent), oldParent, options);
  const inherited = own.map((urn) => inherit(typeOf(urn), nameOf(urn)));
  return [...new Set([...own, inherit(registration.type, registration.name), ...inherited])];
}

function aliasUrn(alias: Alias, registration: Registration, options: PlannerOptions, oldUrnOf: OldUrnOf): string {
  if ("urn" in alias) return alias.urn;
  return createChildUrn(
    alias.stack ?? options.stack,
    alias.project ?? options.project,
    alias.noParent === true ? undefined : aliasParent(alias.parent, registration.parent, oldUrnOf),
    alias.type ?? registration.type,
    alias.name ?? registration.name,
  );
}

function aliasParent(parent: string | undefined, today: string | undefined, oldUrnOf: OldUrnOf): string | undefined {
  const urn = parent === undefined ? today : (oldUrnOf(parent) ?? parent);
  return urn === undefined || isRootStack(urn) ? undefined : urn;
}

function createChildUrn(stack: string, project: string, parent: string | undefined, type: string, name: string) {
  if (parent === undefined) return createUrn(stack, project, undefined, type, name);
  return `${parent.slice(0, parent.lastIndexOf("::"))}$${type}::${name}`;
}

function inheritedUrn(
  type: string,
  name: string,
  parentName: string,
  oldParent: string,
  options: PlannerOptions,
): string {
  const oldName = name.startsWith(parentName) ? nameOf(oldParent) + name.slice(parentName.length) : name;
  const parentType = qualifiedType(oldParent);
  const chain = parentType === ROOT_STACK_TYPE || parentType === "" ? type : `${parentType}$${type}`;
  return `urn:pulumi:${options.stack}::${options.project}::${chain}::${oldName}`;
}
