/**
 * Keeps outputs known in a preview if an update leaves them as they are. Pulumi answers the preview of a dynamic resource's update with the
 * inputs alone (3.260, 2026-11-22). The command line has read the object's other outputs from the state.
 */
import * as pulumi from "@pulumi/pulumi";
// The SDK itself asks like this. If a program asks `pulumi.runtime.isDryRun`, the engine hears of it (engine/sdk), and runs the program once more.
import { isDryRun } from "@pulumi/pulumi/runtime/settings.js";
import type { AnyDefinition } from "../definition/define.ts";
import { sanitize, type JsonMap } from "../values/json.ts";
import { type SteadyFacts, steadyOutputs, steadyValue } from "../definition/steady.ts";
import { isLater } from "./preview-values.ts";
import { shownSecrets } from "./registered.ts";
import { runFacts } from "./run-facts.ts";

export function keepSteady(resource: pulumi.CustomResource, definition: AnyDefinition, args: object): void {
  const { steady: facts } = runFacts();
  if (facts === undefined || !isDryRun()) return;
  for (const [name, hangsOn] of steadyOutputs(definition)) {
    const property = Object.getOwnPropertyDescriptor(resource, name);
    if (property === undefined) continue;
    // Some engines make an output when it is asked for.
    const previewed = (): unknown => (property.get ? property.get.call(resource) : property.value);
    // The engine tells the inputs as they are registered: in a release, in a preview, and with those that it ignores.
    const registered = (input: string): unknown => (input === name ? previewed() : Reflect.get(resource, input));
    const given = hangsOn.filter((input) => Reflect.get(args, input) !== undefined);
    const inputs = (): pulumi.Inputs => Object.fromEntries(given.map((input) => [input, registered(input)]));
    let kept: unknown;
    // Most outputs are never asked for.
    const get = (): unknown => (kept ??= keptOutput(resource, definition, name, previewed(), inputs(), facts));
    const plain = { configurable: true, enumerable: true, writable: true };
    const set = (value: unknown): void => void Object.defineProperty(resource, name, { ...plain, value });
    const kind = mustBePlain() ? { ...plain, value: get() } : { get, set, enumerable: true, configurable: true };
    Object.defineProperty(resource, name, kind);
  }
}

/** Tells if outputs must be plain: a getter would go with functions that are written down as they are (engine/sdk/lazy-outputs.ts). */
function mustBePlain(): boolean {
  const hook = Reflect.get(globalThis, Symbol.for("landform.sdk")) as { mustBePlain?(): boolean } | undefined;
  return hook?.mustBePlain?.() === true;
}

/** An object that is to be created or replaced has no id yet. */
function keptOutput(
  resource: pulumi.CustomResource,
  definition: AnyDefinition,
  name: string,
  previewed: unknown,
  inputs: pulumi.Inputs,
  facts: SteadyFacts,
): unknown {
  if (!pulumi.Output.isInstance(previewed)) return previewed;
  const keep = async (id: unknown): Promise<unknown> => {
    if (await wholeOf(previewed).isKnown) return previewed;
    const given = pulumi.output(inputs);
    const now = await knownValue(given);
    if (now === undefined || (await pulumi.isSecret(given))) return previewed;
    const known = typeof id === "string" && id !== "" ? id : undefined;
    const value = steadyValue(definition, known, name, sanitize(now as JsonMap), facts);
    return value === undefined ? previewed : value;
  };
  return wholeOf(resource.id).apply(keep, true);
}

/** The parts of an output that the SDK has and leaves out of its types (3.270, 2026-11-28). */
interface WholeOutput {
  readonly isKnown: Promise<boolean>;
  apply(work: (value: unknown) => unknown, runWithUnknowns: true): pulumi.Output<unknown>;
  promise(): Promise<unknown>;
  resources(): Set<pulumi.Resource>;
  allResources(): Promise<Set<pulumi.Resource>>;
}

export function wholeOf(output: pulumi.Output<unknown>): WholeOutput {
  return output as unknown as WholeOutput;
}

/** Returns the value if all of it is known. It depends on no source: a kept output depends on its resource alone, also in a saved plan. */
export async function knownValue(input: unknown): Promise<unknown> {
  const later = pulumi.output(input) as pulumi.Output<unknown>;
  if (!(await wholeOf(later).isKnown)) return undefined;
  return new Promise((resolve) => later.apply(resolve));
}

/** Returns the outputs that repeat a secret; undefined if nothing declared can be secret, as in most resources. */
export function repeatedSecrets(definition: AnyDefinition, inputs: object): Promise<string[]> | undefined {
  const { repeats = {}, ofOthers = {} } = definition.shown;
  const asked = [
    ...Object.keys(repeats).map((place) => place.split(".")),
    ...Object.keys(ofOthers).map((name) => [name]),
  ];
  if (!asked.some((path) => holdsLater(partAt(inputs, path)))) return undefined;
  return shownSecrets(definition, {
    isSecretAt: async (path) => (await outputsIn(partAt(inputs, path))).some(({ isSecret }) => isSecret),
    secretsBehind: (input) => secretsBehind(partAt(inputs, [input])),
  });
}

/** Returns the paths of the secrets in the inputs; undefined if there can be none, as in most resources. */
export function secretPlaces(inputs: object): Promise<string[][] | undefined> | undefined {
  return holdsLater(inputs) ? placesAmong(inputs) : undefined;
}

async function placesAmong(inputs: object): Promise<string[][] | undefined> {
  const places = (await outputsIn(inputs)).flatMap(({ path, isSecret }) => (isSecret ? [[...path]] : []));
  return places.length === 0 ? undefined : places;
}

interface Within {
  readonly path: readonly string[];
  readonly output: pulumi.Output<unknown>;
  readonly isSecret: boolean;
}

/** Returns the outputs in a value, but not those in a secret. The result of an `apply` may hold outputs of its own. */
async function outputsIn(value: unknown, path: readonly string[] = []): Promise<Within[]> {
  if (!holdsLater(value)) return [];
  try {
    if (pulumi.Output.isInstance(value)) {
      const isSecret = await pulumi.isSecret(value);
      const within = isSecret ? [] : await outputsIn(await wholeOf(value).promise(), path);
      return [{ path, output: value, isSecret }, ...within];
    }
    if (value instanceof Promise) return await outputsIn(await value, path);
  } catch {
    // If a value fails, its registration tells it.
    return [];
  }
  const parts = Object.entries(value as object).map(([key, part]) => outputsIn(part, [...path, key]));
  return (await Promise.all(parts)).flat();
}

/** The secret outputs of a program's resources. */
const secretsOf = new WeakMap<object, Promise<readonly string[]>>();
const NONE = Promise.resolve<readonly string[]>([]);

export function rememberSecrets(resource: pulumi.Resource, outputs: Promise<readonly string[]>): void {
  secretsOf.set(resource, outputs);
}

/** Returns the secret outputs of the resources that the value depends on. */
async function secretsBehind(value: unknown): Promise<string[]> {
  const found = await outputsIn(value);
  const behind = found.map(async ({ output }) => [
    ...(await wholeOf(output)
      .allResources()
      .catch(() => [])),
  ]);
  const resources = new Set((await Promise.all(behind)).flat());
  return (await Promise.all([...resources].map((resource) => secretsOf.get(resource) ?? NONE))).flat();
}

/** Returns the part, or the value around it if the part is not there yet. */
function partAt(value: unknown, path: readonly string[]): unknown {
  const [name, ...rest] = path;
  if (name === undefined || isLater(value)) return value;
  return typeof value === "object" && value !== null ? partAt(Reflect.get(value, name), rest) : undefined;
}

function holdsLater(value: unknown): boolean {
  return isLater(value) || (typeof value === "object" && value !== null && Object.values(value).some(holdsLater));
}
