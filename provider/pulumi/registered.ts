/**
 * The registration of a declared resource. It serves the classes of programs, whose values are outputs and promises, and the direct path of
 * the embedded engine, whose values are plain and know where they come from. Pure.
 */
import type { Output } from "@pulumi/pulumi";
import type { AnyDefinition } from "../definition/define.ts";
import { resourceType } from "../kinds/registry.ts";

/** The module that states name as the home of our providers. It must never be renamed. */
export const ENTRY_POINT = "landform/dynamic";

/** A resource's `__provider`: the handler of its kind, by name. */
export function handlerReference(kind: string): string {
  return `exports.handler=()=>require("${ENTRY_POINT}").${kind}`;
}

interface Declared<Value> {
  readonly definition: AnyDefinition;
  readonly name: string;
  readonly args: Readonly<Record<string, Value | undefined>>;
  readonly identity: Value;
  readonly ignoreChanges: readonly string[];
  /** The paths of values that the program keeps secret, if it keeps any. Pulumi doesn't tell them to a provider. */
  readonly hidden: Value | undefined;
  /** The resource is made in a release, which publishes it if it is a page. */
  readonly isInRelease: boolean;
}

/** Makes values for the place where the resource is registered. */
export interface Making<Value> {
  readonly fixed: (value: string | string[]) => Value;
  readonly secret: (value: Value) => Value;
}

/** `secrets`: the outputs that the state keeps encrypted, apart from `shownSecrets`. */
export function registered<Value>(declared: Declared<Value>, { fixed, secret }: Making<Value>) {
  const { definition, name, identity, ignoreChanges, hidden, isInRelease } = declared;
  const { secrets = [], kind, named } = definition;
  const drafts = isInRelease && definition.gathered ? [definition.gathered.draft] : [];
  const args = { ...declared.args };
  for (const key of secrets) if (args[key] !== undefined) args[key] = secret(args[key]);
  if (named) args["name"] ??= fixed(name);
  const inputs: Record<string, Value | undefined> = {
    // Outputs come first; those that nobody declares are undefined.
    ...Object.fromEntries([...Object.keys(definition.outputs.shape), ...drafts].map((key) => [key, undefined])),
    ...args,
    ...(ignoreChanges.length > 0 && { __ignored: fixed([...ignoreChanges]) }),
    ...(hidden !== undefined && { __hidden: hidden }),
    __identity: identity,
    __provider: fixed(handlerReference(kind)),
  };
  return { type: resourceType(definition), inputs, secrets: ["__declared", ...drafts, ...secrets] };
}

interface DeclaredOptions {
  readonly protect?: boolean;
  readonly retainOnDelete?: boolean;
  readonly ignoreChanges: readonly string[];
  /** URNs, or names that it had beside its stack. */
  readonly aliases: readonly string[];
}

/** Options as they are registered; those that nobody declares are left out. */
export function registeredOptions<Alias>(
  { protect, retainOnDelete, ignoreChanges, aliases }: DeclaredOptions,
  alias: { readonly urn: (urn: string) => Alias; readonly name: (name: string) => Alias },
) {
  return {
    ...(protect !== undefined && { protect }),
    ...(retainOnDelete !== undefined && { retainOnDelete }),
    ignoreChanges: [...ignoreChanges],
    aliases: aliases.map((one) => (one.startsWith("urn:pulumi:") ? alias.urn(one) : alias.name(one))),
  };
}

/** Tells if a run may have to name values of the kind that somebody has changed, and so has to know its secrets. */
export function isToldByValue({ calls, gathers }: AnyDefinition): boolean {
  return calls.update.length > 0 && gathers === undefined;
}

/** Answers questions about the declared values. */
interface Look {
  readonly isSecretAt: (path: readonly string[]) => boolean | Promise<boolean>;
  /** Secret outputs of the resources that the value of an input depends on. */
  readonly secretsBehind: (input: string) => readonly string[] | Promise<readonly string[]>;
}

/** Returns outputs that show a secret under another name: a secret of an input, or of the object that an input refers to. */
export async function shownSecrets(
  { shown: { repeats = {}, ofOthers = {} } }: AnyDefinition,
  look: Look,
): Promise<string[]> {
  const own = Object.entries(repeats).map(async ([place, outputs]) =>
    (await look.isSecretAt(place.split("."))) ? outputs : [],
  );
  const others = Object.entries(ofOthers).map(async ([input, table]) =>
    (await look.secretsBehind(input)).flatMap((name) => table[name] ?? []),
  );
  return [...new Set((await Promise.all([...own, ...others])).flat())];
}

/**
 * Returns the same value, or refuses one that Pulumi would mangle on its way to the provider (a Date becomes {}, NaN breaks the state, a lone
 * surrogate turns into another character, a `__proto__` key vanishes). The provider never sees the original, so only this place can name it.
 * Values inside outputs and promises are checked when they are there.
 */
export function plain(value: unknown, path: string): unknown {
  if (isOutput(value)) return value.apply((inner) => plain(inner, path));
  if (value instanceof Promise) return value.then((inner: unknown) => plain(inner, path));
  if (Array.isArray(value)) return value.map((item, index) => plainItem(item, `${path}[${index}]`));
  if (typeof value === "object" && value !== null) return plainObject(value, path);
  refuseScalar(value, path);
  return value;
}

/** Tells if a value is an output, as the SDK does. The SDK is too much to load where there are none. */
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
    const { name } = (value as { constructor?: { name?: string } }).constructor ?? {};
    throw new TypeError(`${path} is an instance of ${name || "a class"}; pass plain objects, arrays and scalars`);
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
  const half = "half of a surrogate pair, which is not well-formed Unicode";
  if (typeof value === "string" && !value.isWellFormed())
    throw new TypeError(`${path} holds ${half}; use text.toWellFormed()`);
}

/** Tells if the SDK can print a value. It prints each property for its own log, which a content key `toString` makes impossible. */
export function isPrintable(value: unknown): boolean {
  try {
    return typeof String(value) === "string";
  } catch {
    return false;
  }
}
