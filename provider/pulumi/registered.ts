/**
 * What is registered of a declared resource, whoever does it: the classes of programs, whose values are outputs and promises,
 * and the direct path of the embedded engine, whose values are plain and know where they come from. Pure.
 */
import type { AnyDefinition } from "../definition/define.ts";
import { DRAFT } from "../kinds/page/released.ts";
import { resourceType } from "../kinds/registry.ts";

/** The module that states name as the home of our providers; never to be renamed. */
export const ENTRY_POINT = "landform/dynamic";

/** A resource's `__provider`: the handler of its kind, by name. */
export function handlerReference(kind: string): string {
  return `exports.handler=()=>require("${ENTRY_POINT}").${kind}`;
}

export interface Declared<Value> {
  readonly definition: AnyDefinition;
  readonly name: string;
  readonly args: Readonly<Record<string, Value | undefined>>;
  readonly identity: Value;
  readonly ignoreChanges: readonly string[];
  /** It is made in a release, which publishes it if it is a page. */
  readonly isInRelease: boolean;
}

/** How values are made where it is registered. */
export interface Making<Value> {
  readonly fixed: (value: string | string[]) => Value;
  readonly secret: (value: Value) => Value;
}

export interface Registered<Value> {
  readonly type: string;
  /** Outputs come first; those that nobody declares are undefined. */
  readonly inputs: Record<string, Value | undefined>;
  /** Outputs that the state keeps encrypted, apart from `shownSecrets`. */
  readonly secrets: string[];
}

export function registered<Value>(declared: Declared<Value>, { fixed, secret }: Making<Value>): Registered<Value> {
  const { definition, name, identity, ignoreChanges, isInRelease } = declared;
  const { secrets = [], kind, named } = definition;
  const drafts = isInRelease && definition.public === "address" ? [DRAFT] : [];
  const inputs = { ...declared.args };
  for (const key of secrets) if (inputs[key] !== undefined) inputs[key] = secret(inputs[key]);
  if (named) inputs["name"] ??= fixed(name);
  return {
    type: resourceType(definition),
    inputs: {
      ...Object.fromEntries([...Object.keys(definition.outputs.shape), ...drafts].map((key) => [key, undefined])),
      ...inputs,
      ...(ignoreChanges.length > 0 && { __ignored: fixed([...ignoreChanges]) }),
      __identity: identity,
      __provider: fixed(handlerReference(kind)),
    },
    secrets: ["__declared", ...drafts, ...secrets],
  };
}

/** Where it is asked of what is declared. */
export interface Look {
  readonly isSecretAt: (path: readonly string[]) => boolean | Promise<boolean>;
  /** Secret outputs of the resources that the value of an input depends on. */
  readonly secretsBehind: (input: string) => readonly string[] | Promise<readonly string[]>;
}

/** Outputs that show under another name what is secret in an input, or in the object that an input refers to. */
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
