/** The base of all resource classes: a raw custom resource with the entry point of its handler as its provider. */
import * as pulumi from "@pulumi/pulumi";
import type { AnyDefinition } from "../define.ts";
import { plain } from "./plain.ts";

/** Output values may be missing from older states and are then undefined at run time, never at type level. */
export abstract class LandformResource extends pulumi.CustomResource {
  protected constructor(
    definition: AnyDefinition,
    name: string,
    args: object,
    options: pulumi.CustomResourceOptions = {},
  ) {
    const type = `pulumi-nodejs:dynamic/landform:${definition.type}`;
    const props = propsOf(definition, type, name, args, options);
    const secrets = ["__declared", ...(definition.secrets ?? []), ...(options.additionalSecretOutputs ?? [])];
    // The SDK captures a source-mapped stack for every property of every resource: half of a program's time at 1,000
    // resources (measured on 3.270, 2026-11-21).
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    try {
      super(type, name, props, { ...options, additionalSecretOutputs: secrets });
    } finally {
      Error.stackTraceLimit = limit;
    }
  }
}

function propsOf(
  definition: AnyDefinition,
  type: string,
  name: string,
  args: object,
  options: pulumi.CustomResourceOptions,
): pulumi.Inputs {
  const outputs = Object.fromEntries(Object.keys(definition.outputs.shape).map((key) => [key, undefined]));
  const inputs = plain({ ...args }, "") as Record<string, unknown>;
  for (const key of definition.secrets ?? []) if (inputs[key] !== undefined) inputs[key] = pulumi.secret(inputs[key]);
  if (definition.named) inputs["name"] ??= name;
  return {
    ...outputs,
    ...inputs,
    __identity: identityOf(type, name, options.parent),
    __provider: `exports.handler=()=>require("landform/dynamic").${definition.kind}`,
  };
}

/**
 * The URN, as text that depends on nothing: an output would depend on the parent, and through it on all its children.
 */
function identityOf(type: string, name: string, parent: pulumi.Resource | undefined): Promise<string> {
  return new Promise((resolve) => {
    pulumi.createUrn(name, type, parent).apply(resolve);
  });
}
