/**
 * Finds two resources of a program that want one thing of a third one, whose id nobody knows yet: two pages at one address of a new site.
 * The provider's host compares ids. A program knows more: the resource that an id is of, which stands for the id here.
 */
import * as pulumi from "@pulumi/pulumi";
import type { AnyDefinition } from "../definition/define.ts";
import { failureText } from "../values/wording.ts";
import { Claims, conflictingClaims } from "../reconcile/check.ts";
import { isMap, type Json } from "../values/json.ts";
import { UNKNOWN } from "../values/paths.ts";

/** Claims by the resource whose id is shared. They go with the run of the program. */
const claimsOn = new WeakMap<pulumi.Resource, Claims>();

/** Returns a sentence if another resource has laid the same claim. */
export function sharedClaim(definition: AnyDefinition, name: string, args: object): string | undefined {
  if (definition.plan.claims === undefined) return undefined;
  const owners = new Set<pulumi.Resource>();
  const inputs = standIns(args, owners);
  const [owner] = owners;
  if (owner === undefined || !isMap(inputs)) return undefined;
  const claims = claimsOn.get(owner) ?? new Claims();
  claimsOn.set(owner, claims);
  const [conflict] = conflictingClaims(definition, inputs, name, claims);
  return conflict && `${definition.type} "${name}": ${failureText(conflict)}`;
}

/** Returns the inputs as far as the program says them: an id is the resource that it is of, and everything else that comes later is unknown. */
function standIns(value: unknown, owners: Set<pulumi.Resource>): Json {
  if (pulumi.Output.isInstance(value)) {
    const owner = [...resourcesOf(value)].find((one) => Reflect.get(one, "id") === value);
    if (owner === undefined) return UNKNOWN;
    owners.add(owner);
    return String(Reflect.get(owner, "__name"));
  }
  if (typeof value === "function" || value instanceof Promise) return UNKNOWN;
  if (typeof value !== "object" || value === null) return (value ?? null) as Json;
  if (Array.isArray(value)) return value.map((item) => standIns(item, owners));
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, standIns(part, owners)]));
}

/** The SDK has this and doesn't declare it (3.270, 2026-11-26). */
function resourcesOf(output: pulumi.Output<unknown>): Set<pulumi.Resource> {
  return (output as unknown as { resources(): Set<pulumi.Resource> }).resources();
}
