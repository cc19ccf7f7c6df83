/**
 * Keeps known, in a preview, what an update leaves as it is. Pulumi answers the preview of a dynamic resource's update with
 * the inputs alone (3.260, 2026-11-22); what the object's other outputs are, the command line has read from the state.
 */
import * as pulumi from "@pulumi/pulumi";
// As the SDK asks itself: of `pulumi.runtime.isDryRun` the engine is told (engine/sdk), and a program that asks is run once more.
import { isDryRun } from "@pulumi/pulumi/runtime/settings.js";
import type { AnyDefinition } from "../definition/define.ts";
import { sanitize, type JsonMap } from "../values/json.ts";
import { steadyOutputs, steadyValue, type SteadyObject } from "../definition/steady.ts";
import { runFacts } from "./run-facts.ts";

export function keepSteady(resource: pulumi.CustomResource, definition: AnyDefinition, args: object): void {
  const objects = runFacts().steady?.[definition.type];
  if (objects === undefined || !isDryRun()) return;
  for (const [name, hangsOn] of steadyOutputs(definition)) {
    const property = Object.getOwnPropertyDescriptor(resource, name);
    if (property === undefined) continue;
    // Some engines make an output when it is asked for.
    const previewed = (): unknown => (property.get ? property.get.call(resource) : property.value);
    const inputs = (): pulumi.Inputs => Object.fromEntries(hangsOn.map((input) => [input, Reflect.get(args, input)]));
    let kept: unknown;
    // Most are never asked for.
    const get = (): unknown => (kept ??= keptOutput(resource, name, previewed(), inputs(), objects));
    const plain = { configurable: true, enumerable: true, writable: true };
    const set = (value: unknown): void => void Object.defineProperty(resource, name, { ...plain, value });
    const kind = mustBePlain() ? { ...plain, value: get() } : { get, set, enumerable: true, configurable: true };
    Object.defineProperty(resource, name, kind);
  }
}

/** Where functions are written down with all that they hold, a property that is a function would go with them (engine/sdk/lazy-outputs.ts). */
function mustBePlain(): boolean {
  const hook = Reflect.get(globalThis, Symbol.for("landform.sdk")) as { mustBePlain?(): boolean } | undefined;
  return hook?.mustBePlain?.() === true;
}

/** An object that is to be created or replaced has no id yet, so its outputs stay unknown. */
function keptOutput(
  resource: pulumi.CustomResource,
  name: string,
  previewed: unknown,
  inputs: pulumi.Inputs,
  objects: Readonly<Record<string, SteadyObject>>,
): unknown {
  if (!pulumi.Output.isInstance(previewed)) return previewed;
  return resource.id.apply(async (id): Promise<unknown> => {
    const object = objects[id];
    if (object === undefined || (await isKnown(previewed))) return previewed;
    const now = await known(inputs);
    const value = now && steadyValue(object, name, now);
    return value === undefined ? previewed : value;
  });
}

/**
 * The inputs, where all of them are known. The output that is kept must not depend on what they come from: in an apply it
 * depends on its resource alone, and a saved plan holds that, too.
 */
async function known(inputs: pulumi.Inputs): Promise<JsonMap | undefined> {
  const resolved = pulumi.output(inputs);
  if (!(await isKnown(resolved))) return undefined;
  return new Promise((resolve) => resolved.apply((now) => resolve(sanitize(now))));
}

/** The SDK tells that of an output, and leaves it out of the types. */
export function isKnown(output: pulumi.Output<unknown>): Promise<boolean> {
  return Reflect.get(output, "isKnown") as Promise<boolean>;
}
