import { createUrn, isRootStack, nameOf, typeOf } from "../model/urn.ts";
import type { Alias, PlannerOptions, Registration } from "./types.ts";

/** Returns the old URN of a parent that was found by an alias. */
export type OldUrnOf = (urn: string) => string | undefined;

/** Returns the URNs that a resource may have had, also below its parent's old URN. A name that begins with the parent's follows its old name. */
export function aliasUrns(registration: Registration, options: PlannerOptions, oldUrnOf: OldUrnOf): string[] {
  const own = registration.aliases.map((alias) => aliasUrn(alias, registration, options, oldUrnOf));
  const { parent } = registration;
  const oldParent = parent === undefined ? undefined : oldUrnOf(parent);
  if (parent === undefined || oldParent === undefined) return [...new Set(own)];
  const { stack, project } = options;
  const inherit = (type: string, name: string) =>
    createUrn(stack, project, oldParent, type, renamed(name, nameOf(parent), nameOf(oldParent)));
  const inherited = own.map((urn) => inherit(typeOf(urn), nameOf(urn)));
  return [...new Set([...own, inherit(registration.type, registration.name), ...inherited])];
}

function renamed(name: string, parentName: string, oldParentName: string): string {
  return name.startsWith(parentName) ? oldParentName + name.slice(parentName.length) : name;
}

function aliasUrn(alias: Alias, registration: Registration, options: PlannerOptions, oldUrnOf: OldUrnOf): string {
  if ("urn" in alias) return alias.urn;
  const {
    stack = options.stack,
    project = options.project,
    type = registration.type,
    name = registration.name,
  } = alias;
  const parent = alias.noParent === true ? undefined : aliasParent(alias.parent, registration.parent, oldUrnOf);
  if (parent === undefined) return createUrn(stack, project, undefined, type, name);
  return `${parent.slice(0, parent.lastIndexOf("::"))}$${type}::${name}`;
}

function aliasParent(parent: string | undefined, today: string | undefined, oldUrnOf: OldUrnOf): string | undefined {
  const urn = parent === undefined ? today : (oldUrnOf(parent) ?? parent);
  return urn === undefined || isRootStack(urn) ? undefined : urn;
}
