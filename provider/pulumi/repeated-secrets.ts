/** Outputs that show an input under another name, where that is secret: a program may know only later whether it is. */
import * as pulumi from "@pulumi/pulumi";
import type { AnyDefinition } from "../define.ts";
import { placesRepeated } from "./repeated.ts";

/** Undefined where nothing declared can be secret, which is so with most. */
export function repeatedSecrets(definition: AnyDefinition, inputs: object): Promise<string[]> | undefined {
  const open = placesRepeated(definition).map(({ path, outputs }) => ({ given: partAt(inputs, path), outputs }));
  if (!open.some(({ given }) => isLater(given))) return undefined;
  const found = open.map(async ({ given, outputs }) => ((await isSecret(given)) ? outputs : []));
  return Promise.all(found).then((names) => [...new Set(names.flat())]);
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
