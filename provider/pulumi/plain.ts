/**
 * Refuses values that Pulumi would mangle on their way to the provider (a Date becomes {}, NaN breaks the state, a lone
 * surrogate turns into another character, a `__proto__` key vanishes). The provider never sees the original, so this is
 * the only place where they can be told.
 */
import type { Output } from "@pulumi/pulumi";

/** The same value; values inside outputs and promises are checked when they are there. */
export function plain(value: unknown, path: string): unknown {
  if (isOutput(value)) return value.apply((inner) => plain(inner, path));
  if (value instanceof Promise) return value.then((inner: unknown) => plain(inner, path));
  if (Array.isArray(value)) return value.map((item, index) => plainItem(item, `${path}[${index}]`));
  if (typeof value === "object" && value !== null) return plainObject(value, path);
  refuseScalar(value, path);
  return value;
}

/** As the SDK tells one, which is too much to load where there are none. */
function isOutput(value: unknown): value is Output<unknown> {
  return typeof value === "object" && value !== null && Reflect.get(value, "__pulumiOutput") === true;
}

function plainItem(item: unknown, path: string): unknown {
  if (item === undefined) throw new TypeError(`${path} is undefined; leave the element out`);
  return plain(item, path);
}

function plainObject(value: object, path: string): Record<string, unknown> {
  if (value instanceof Date) throw new TypeError(`${path} is a Date; pass text, for example date.toISOString()`);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    const { constructor } = value as { constructor?: { name?: string } };
    throw new TypeError(
      `${path} is an instance of ${constructor?.name ?? "a class"}; pass plain objects, arrays and scalars`,
    );
  }
  const copy: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    const place = path === "" ? key : `${path}.${key}`;
    if (key === "__proto__") throw new TypeError(`${place}: a key named __proto__ can't be stored`);
    if (!key.isWellFormed()) throw new TypeError(`${path} has a key that is not well-formed Unicode`);
    copy[key] = plain(item, place);
  }
  return copy;
}

function refuseScalar(value: unknown, path: string): void {
  if (typeof value === "number" && !Number.isFinite(value))
    throw new TypeError(`${path} is ${value}; pass a finite number`);
  if (typeof value === "bigint") throw new TypeError(`${path} is a BigInt; pass a number or text`);
  if (typeof value === "function" || typeof value === "symbol")
    throw new TypeError(`${path} is a ${typeof value}; pass a value`);
  if (typeof value === "string" && !value.isWellFormed()) {
    throw new TypeError(`${path} holds a lone surrogate, which is not well-formed Unicode; use text.toWellFormed()`);
  }
}

/** The SDK prints the value of each property for its own log, which a content key `toString` makes impossible; an output's it doesn't. */
export function isPrintable(value: unknown): boolean {
  try {
    return typeof String(value) === "string";
  } catch {
    return false;
  }
}
