/** Changes values of a program in a preview. A known value stays known, and a secret stays secret. */
import * as pulumi from "@pulumi/pulumi";

/** Changes every text in a value, also inside objects and lists. `change` gets the name of the property that holds the text, too. */
export function mapTexts(value: unknown, change: (text: string, key: string) => unknown, key = ""): unknown {
  if (typeof value === "string") return change(value, key);
  if (isLater(value)) return lifted(value, (inner) => mapTexts(inner, change, key));
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change, key));
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapTexts(item, change, name)]));
}

export function mapProperties(
  value: unknown,
  changes: Readonly<Record<string, (property: unknown) => unknown>>,
): unknown {
  if (value === undefined || value === null) return value;
  if (isLater(value)) return lifted(value, (inner) => mapProperties(inner, changes));
  if (!isPlain(value)) return value;
  const changed = Object.entries(changes).map(([name, change]) => [name, change(Reflect.get(value, name))]);
  return { ...value, ...Object.fromEntries(changed.filter(([, property]) => property !== undefined)) };
}

export function mapValue<T>(value: pulumi.Input<T>, change: (value: T) => unknown): unknown {
  return isLater(value) ? lifted(value, change as (inner: unknown) => unknown) : change(value);
}

export function isLater(value: unknown): value is pulumi.Output<unknown> | Promise<unknown> {
  return pulumi.Output.isInstance(value) || value instanceof Promise;
}

function lifted(value: pulumi.Output<unknown> | Promise<unknown>, change: (inner: unknown) => unknown): unknown {
  return (pulumi.output(value as unknown) as pulumi.Output<unknown>).apply((inner) => change(inner));
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
