/**
 * The content of an account or a manifest, independent of its format: resources under their logical keys, their inputs and references. Writers (YAML,
 * TypeScript) and the comparison work only on this model.
 */
import type { AnyDefinition } from "../../provider/definition/define.ts";
import { type Note, Placeholder } from "../../provider/definition/exporting.ts";
import { isMap, type Json } from "../../provider/values/json.ts";
import { UNKNOWN } from "../../provider/values/paths.ts";
import { type Kind, registry } from "../../provider/kinds/registry.ts";
import { addressOf as addressIn } from "../language/addresses.ts";

export type { Note };

/** The id of another resource of the model. */
export class Reference extends Placeholder {
  readonly kind: Kind;
  readonly key: string;

  constructor(kind: Kind, key: string) {
    super();
    this.kind = kind;
    this.key = key;
  }

  get address(): string {
    return addressOf(this);
  }
}

/** A value that the code takes from elsewhere. It stays as it is written. */
export class Elsewhere extends Placeholder {
  readonly stays = true;
}

/** A value of the stack's configuration that only the user knows. */
export class Setting extends Placeholder {
  readonly key: string;

  constructor(key: string) {
    super();
    this.key = key;
  }
}

/** A value that a copy needs and the API doesn't show. It fills a gap and never replaces a declared value. */
export class StandIn extends Placeholder {
  readonly value: Json | Setting;

  constructor(value: Json | Setting) {
    super();
    this.value = value;
  }
}

export type Value = Json | Reference | Elsewhere | Setting | StandIn | Value[] | { [key: string]: Value };
export type Inputs = Record<string, Value>;

export interface Resource {
  readonly kind: Kind;
  readonly key: string;
  /** The id of an existing object that the code takes over. */
  readonly id: string | undefined;
  /** The id of the object that the code copies. */
  readonly copyOf?: string;
  readonly name: string | undefined;
  /** The inputs without `name` and `adoptId`. From an account: everything visible, with null and defaults. */
  readonly inputs: Inputs;
  readonly notes: readonly Note[];
}

/** An object of the account that is not part of the model, and the reason. */
export interface LeftOut {
  readonly kind: Kind;
  readonly id: string;
  readonly name: string;
  readonly reason: string;
}

export interface Model {
  /** The title of the account or manifest, for people. */
  readonly title: string;
  readonly name: string;
  readonly resources: readonly Resource[];
  readonly leftOut: readonly LeftOut[];
  /** True if the code makes everything anew in another account. */
  readonly copy: boolean;
  readonly warnings: readonly string[];
}

export function addressOf({ kind, key }: { readonly kind: Kind; readonly key: string }): string {
  return addressIn(registry[kind].section, key);
}

/** Tells if a value needs no mention in code because an object has it anyway. */
export function isDefault(kind: Kind, field: string, value: Value | undefined): boolean {
  if (value === undefined || value === null) return true;
  const { exporting }: AnyDefinition = registry[kind];
  return exporting?.isDefault?.(field, value) ?? value === "";
}

/** Returns the inputs that the code needs, in the form in which it writes them. */
export function tellingInputs({ kind, inputs }: Resource): [string, Exclude<Value, StandIn>][] {
  return Object.entries(inputs)
    .map(([field, value]): [string, Exclude<Value, StandIn>] => [field, value instanceof StandIn ? value.value : value])
    .filter(([field, value]) => !isDefault(kind, field, value));
}

export function settingsOf({ resources }: Model): string[] {
  const values = resources.flatMap((resource) => tellingInputs(resource).map(([, value]) => value));
  return values.flatMap((value) => (value instanceof Setting ? [value.key] : []));
}

export function isPlainMap(value: unknown): value is Record<string, Value> {
  return isMap(value) && !(value instanceof Placeholder);
}

/** Returns a value as JSON. The address stands for each id. */
export function plain(value: Value): Json {
  if (value instanceof Reference) return value.address;
  if (value instanceof StandIn) return plain(value.value);
  if (value instanceof Setting || value instanceof Elsewhere) return UNKNOWN;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}
