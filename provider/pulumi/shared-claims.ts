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
import { refersTo, schemaBelow } from "../definition/schema-walk.ts";
import { definitionOf } from "../kinds/registry.ts";
import { wholeOf } from "./kept-outputs.ts";

/** Claims by the resource whose id is shared. They go with the run of the program. */
const claimsOn = new WeakMap<pulumi.Resource, Claims>();

/** Returns a sentence if another resource has laid the same claim. */
export function sharedClaim(definition: AnyDefinition, name: string, args: object): string | undefined {
  if (definition.plan.claims === undefined) return undefined;
  const owners = new Set<pulumi.Resource>();
  standIns(args, definition.inputs, (owner) => {
    owners.add(owner);
    return UNKNOWN;
  });
  for (const owner of owners) {
    const text = String(Reflect.get(owner, "__name"));
    const inputs = standIns(args, definition.inputs, (one) => (one === owner ? text : UNKNOWN));
    const claims = claimsOn.get(owner) ?? new Claims();
    claimsOn.set(owner, claims);
    const claimant = `${definition.kind} ${name}`;
    const [conflict] = isMap(inputs) ? conflictingClaims(definition, inputs, claimant, claims) : [];
    if (conflict) return `${definition.type} "${name}": ${failureText(conflict)}`;
  }
  return undefined;
}

/**
 * Returns the inputs as far as the program says them: `textFor` stands for the id of a resource, and everything else that comes later is
 * unknown. A reference that the program computes (`apply`) is of the one resource of its kind that it depends on.
 */
function standIns(value: unknown, schema: unknown, textFor: (owner: pulumi.Resource) => string): Json {
  if (pulumi.Output.isInstance(value)) {
    const kinds = refersTo(schema);
    const resources = [...wholeOf(value).resources()];
    const [owner, other] = resources.filter((one) => kinds.some((kind) => kind === kindOf(one)));
    return owner === undefined || other !== undefined ? UNKNOWN : textFor(owner);
  }
  if (typeof value === "function" || value instanceof Promise) return UNKNOWN;
  if (typeof value !== "object" || value === null) return (value ?? null) as Json;
  if (Array.isArray(value)) return value.map((item, index) => standIns(item, schemaBelow(schema, index), textFor));
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, standIns(part, schemaBelow(schema, key), textFor)]),
  );
}

function kindOf(resource: pulumi.Resource): string | undefined {
  return definitionOf(String(Reflect.get(resource, "__pulumiType")))?.kind;
}
