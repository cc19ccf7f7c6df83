/** Outputs that show an input under another name, where that is secret: a program may know only later whether it is. */
import * as pulumi from "@pulumi/pulumi";
import type { AnyDefinition } from "../definition/define.ts";
import { shownSecrets } from "./registered.ts";

/** Undefined where nothing declared can be secret, which is so with most. */
export function repeatedSecrets(definition: AnyDefinition, inputs: object): Promise<string[]> | undefined {
  const { repeats = {}, ofOthers = {} } = definition.shown;
  const asked = [
    ...Object.keys(repeats).map((place) => place.split(".")),
    ...Object.keys(ofOthers).map((name) => [name]),
  ];
  if (!asked.some((path) => isLater(partAt(inputs, path)))) return undefined;
  return shownSecrets(definition, {
    isSecretAt: (path) => isSecret(partAt(inputs, path)),
    secretsBehind: (input) => secretsBehind(partAt(inputs, [input])),
  });
}

/** By resource of the program, its outputs that are secret. */
const secretsOf = new WeakMap<object, Promise<readonly string[]>>();
const NONE = Promise.resolve<readonly string[]>([]);

export function rememberSecrets(resource: pulumi.Resource, outputs: Promise<readonly string[]>): void {
  secretsOf.set(resource, outputs);
}

/** Secret outputs of the resources that the value depends on. */
async function secretsBehind(value: unknown): Promise<string[]> {
  const found = await Promise.all(
    [...(await resourcesBehind(value))].map((resource) => secretsOf.get(resource) ?? NONE),
  );
  return found.flat();
}

/** A value that fails is told by its registration. */
async function resourcesBehind(value: unknown): Promise<Set<pulumi.Resource>> {
  if (typeof value !== "object" || value === null) return new Set();
  try {
    if (pulumi.Output.isInstance(value)) return await allResources(value);
    if (value instanceof Promise) return await resourcesBehind(await value);
  } catch {
    return new Set();
  }
  const parts = await Promise.all(Object.values(value).map(resourcesBehind));
  return new Set(parts.flatMap((part) => [...part]));
}

/** The SDK has it and doesn't declare it (3.270, 2026-11-24). */
function allResources(output: pulumi.Output<unknown>): Promise<Set<pulumi.Resource>> {
  return (output as unknown as { allResources(): Promise<Set<pulumi.Resource>> }).allResources();
}

/** The part, or what it is inside of where that is not there yet. */
function partAt(value: unknown, path: readonly string[]): unknown {
  const [name, ...rest] = path;
  if (name === undefined || pulumi.Output.isInstance(value) || value instanceof Promise) return value;
  return typeof value === "object" && value !== null ? partAt(Reflect.get(value, name), rest) : undefined;
}

function isLater(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (pulumi.Output.isInstance(value) || value instanceof Promise) return true;
  return Object.values(value).some(isLater);
}

/** A value that fails is told by its registration. */
async function isSecret(value: unknown): Promise<boolean> {
  if (typeof value !== "object" || value === null) return false;
  try {
    if (pulumi.Output.isInstance(value)) return (await pulumi.isSecret(value)) || (await isSecret(await inner(value)));
    if (value instanceof Promise) return await isSecret(await value);
  } catch {
    return false;
  }
  const parts = await Promise.all(Object.values(value).map(isSecret));
  return parts.includes(true);
}

/** What an `apply` returns may hold outputs of its own. */
function inner(output: pulumi.Output<unknown>): Promise<unknown> {
  return (output as unknown as { promise(): Promise<unknown> }).promise();
}
