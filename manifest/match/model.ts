/**
 * What an account or a manifest holds, apart from how it is written down: resources under their logical keys, their
 * inputs, and what they refer to. Writers (YAML, TypeScript) and the comparison work on this alone.
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

/** A value that the code takes from elsewhere: it stays as it is written. */
export class Elsewhere extends Placeholder {
  readonly stays = true;
}

/** A value of the stack's configuration, where only the user can tell it. */
export class Setting extends Placeholder {
  readonly key: string;

  constructor(key: string) {
    super();
    this.key = key;
  }
}

/** What a copy needs and the API doesn't show. It is written where nothing is declared, and never over what is. */
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
  /** Of an existing object, which the code takes over. */
  readonly id: string | undefined;
  /** The same, where the code makes a copy of it. */
  readonly copyOf?: string;
  readonly name: string | undefined;
  /** Without `name` and `adoptId`. Of an account: everything that is visible, null and defaults included. */
  readonly inputs: Inputs;
  readonly notes: readonly Note[];
}

/** An object of the account that is not part of the model, and why. */
export interface LeftOut {
  readonly kind: Kind;
  readonly id: string;
  readonly name: string;
  readonly reason: string;
}

export interface Model {
  /** An account shows less than a manifest declares, so what it doesn't show is not held against it. */
  readonly from: "account" | "manifest";
  /** What it is the model of, for people. */
  readonly title: string;
  /** Name of the account or of the manifest. */
  readonly name: string;
  readonly resources: readonly Resource[];
  readonly leftOut: readonly LeftOut[];
  /** Makes everything anew, in another account. */
  readonly copy: boolean;
  /** Not a part that was chosen: what is not here is not there. */
  readonly whole: boolean;
  readonly warnings: readonly string[];
}

export function addressOf({ kind, key }: { readonly kind: Kind; readonly key: string }): string {
  return addressIn(registry[kind].section, key);
}

/** Values that need no mention in code: an object has them anyway. */
export function isDefault(kind: Kind, field: string, value: Value | undefined): boolean {
  if (value === undefined || value === null) return true;
  const { exporting }: AnyDefinition = registry[kind];
  return exporting?.isDefault?.(field, value) ?? value === "";
}

/** The inputs worth writing down, as they are written. */
export function tellingInputs({ kind, inputs }: Resource): [string, Exclude<Value, StandIn>][] {
  return Object.entries(inputs)
    .map(([field, value]): [string, Exclude<Value, StandIn>] => [field, value instanceof StandIn ? value.value : value])
    .filter(([field, value]) => !isDefault(kind, field, value));
}

/** Keys of the configuration that have to be set before the code can run. */
export function settingsOf({ resources }: Model): string[] {
  const values = resources.flatMap((resource) => tellingInputs(resource).map(([, value]) => value));
  return values.flatMap((value) => (value instanceof Setting ? [value.key] : []));
}

export function isPlainMap(value: unknown): value is Record<string, Value> {
  return isMap(value) && !(value instanceof Placeholder);
}

/** As JSON, an address standing for each id. */
export function plain(value: Value): Json {
  if (value instanceof Reference) return value.address;
  if (value instanceof StandIn) return plain(value.value);
  if (value instanceof Setting || value instanceof Elsewhere) return UNKNOWN;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}
