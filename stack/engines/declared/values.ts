/** Evaluates declared values as the SDK would send them, with the resources that they depend on. */
import {
  containsSecret,
  containsUnknown,
  isUnknown,
  type Json,
  makeSecret,
  type PropertyMap,
  reveal,
  UNKNOWN,
} from "../../../engine/index.ts";
import { Deferred, type Tree, type TreeMap } from "../../../manifest/declare/model.ts";
import type { Diagnostic } from "../../../manifest/index.ts";
import { asInput, type Outside, type Values } from "../../../manifest/run/outside-values.ts";
import { Account } from "../../../provider/account/account.ts";
import { patienceIn } from "../../../provider/account/presence.ts";
import type { LandformApi } from "../../../provider/api/index.ts";
import type { AnyDefinition } from "../../../provider/definition/define.ts";
import { steadyOutputs, steadyValue } from "../../../provider/definition/steady.ts";
import { lookupId } from "../../../provider/lookups/index.ts";
import { isPrintable } from "../../../provider/pulumi/registered.ts";
import type { RunFacts } from "../../../provider/pulumi/run-facts.ts";
import { lookupConfig } from "../../../provider/pulumi/settings-in-force.ts";
import { sanitize } from "../../../provider/values/json.ts";

/** `value` is undefined if its source has none. */
export interface Evaluated {
  readonly value: Json | undefined;
  readonly urns: ReadonlySet<string>;
}

export function fixed(value: Json | undefined): Evaluated {
  return { value, urns: new Set() };
}

/** Makes one value of several: unknown if a part is, secret if a part is. */
export function asOne(value: Json): Json {
  if (containsUnknown(value)) return UNKNOWN;
  return containsSecret(value) ? makeSecret(reveal(value)) : value;
}

export class Evaluation {
  readonly #values: Values;
  readonly #made: ReadonlyMap<string, Promise<Made>>;

  constructor(values: Values, made: ReadonlyMap<string, Promise<Made>>) {
    this.#values = values;
    this.#made = made;
  }

  async inputs(inputs: TreeMap): Promise<Record<string, Evaluated>> {
    const all = Object.entries(inputs).map(async ([name, tree]) => [name, whole(await this.#of(tree, true))] as const);
    return Object.fromEntries(await Promise.all(all));
  }

  of(tree: Tree): Promise<Evaluated> {
    return this.#of(tree, false);
  }

  async #of(tree: Tree, isInput: boolean): Promise<Evaluated> {
    if (tree instanceof Deferred) {
      const { value, urns } = await this.#deferred(tree);
      return { value: isInput ? asInput(value) : value, urns };
    }
    if (typeof tree !== "object" || tree === null) return fixed(tree);
    const isList = Array.isArray(tree);
    const parts = await Promise.all(
      Object.entries(tree).map(async ([key, part]) => [key, await this.#of(part, isInput)] as const),
    );
    const urns = new Set(parts.flatMap(([, part]) => [...part.urns]));
    const value = isList
      ? parts.map(([, part]) => part.value ?? null)
      : Object.fromEntries(parts.flatMap(([key, part]) => (part.value === undefined ? [] : [[key, part.value]])));
    return { value, urns };
  }

  async #deferred(deferred: Deferred): Promise<Evaluated> {
    const { origin } = deferred;
    if (origin.from === "resource") {
      const made = await this.#made.get(origin.target);
      return made === undefined ? fixed(undefined) : { value: made.value(origin.property), urns: new Set([made.urn]) };
    }
    const found = this.#values.get(deferred);
    return fixed(found?.secret ? makeSecret(found.value) : found?.value);
  }
}

/** The classes wrap a value that can't be printed into an output (provider/pulumi/resource.ts), which is one value. */
function whole(evaluated: Evaluated): Evaluated {
  const { value } = evaluated;
  return value === undefined || isPrintable(value) ? evaluated : { ...evaluated, value: asOne(value) };
}

interface MadeFrom {
  readonly definition: AnyDefinition;
  /** The declared arguments, without what a program adds. */
  readonly args: PropertyMap;
  /** The registered inputs. In an apply they stand for outputs that the provider doesn't tell. */
  readonly inputs: PropertyMap;
  readonly registered: { readonly urn: string; readonly id: string; readonly outputs: PropertyMap };
  /** True if a missing output is not known yet. */
  readonly dryRun: boolean;
  readonly steady: RunFacts["steady"];
}

export class Made {
  readonly urn: string;
  readonly #from: MadeFrom;

  constructor(from: MadeFrom) {
    this.urn = from.registered.urn;
    this.#from = from;
  }

  /** Returns an output as an input of another resource: unknown as a whole if a part is, secret as a whole if a part is. */
  value([property = "", ...rest]: readonly string[]): Json | undefined {
    const whole = this.#output(property);
    if (whole === undefined) return this.#from.dryRun && this.#has(property) ? UNKNOWN : undefined;
    const part = rest.reduce(step, reveal(whole));
    if (part === undefined) return undefined;
    if (containsUnknown(part)) return UNKNOWN;
    return containsSecret(whole) ? makeSecret(part) : part;
  }

  draft(): Json | undefined {
    return this.value([this.#from.definition.gathered?.draft ?? ""]);
  }

  /**
   * Tells if a property will ever have a value: an output or a declared one will. Only a release of the page asks for a draft. If the state
   * tells the rest of the page, there is no draft (provider/pulumi/release-scope.ts).
   */
  #has(property: string): boolean {
    const { definition, args, registered } = this.#from;
    const { gathered } = definition;
    if (property === gathered?.draft) return registered.outputs[gathered.toldByState] === undefined;
    return property === "id" || property in definition.outputs.shape || property in args;
  }

  #output(property: string): Json | undefined {
    const { dryRun, inputs, registered } = this.#from;
    const { urn, id, outputs } = registered;
    if (property === "urn") return urn;
    if (property === "id") return id === "" ? undefined : id;
    // A draft has no address: null is an answer.
    const told = property in outputs || dryRun ? outputs[property] : inputs[property];
    return told !== undefined && !containsUnknown(told) ? told : (this.#kept(property) ?? told);
  }

  #kept(property: string): Json | undefined {
    const { definition, registered, steady, args } = this.#from;
    const hangsOn = steadyOutputs(definition).get(property);
    if (steady === undefined || hangsOn === undefined) return undefined;
    const now = Object.fromEntries(
      // The engine tells the inputs that it ignores as they were.
      hangsOn.flatMap((input) => (args[input] === undefined ? [] : [[input, registered.outputs[input] ?? UNKNOWN]])),
    );
    if (containsUnknown(now) || containsSecret(now)) return undefined;
    return steadyValue(definition, registered.id || undefined, property, sanitize(now), steady);
  }
}

/** Known parts of a value stay known while another part is unknown. */
function step(here: Json | undefined, name: string): Json | undefined {
  if (isUnknown(here)) return UNKNOWN;
  return typeof here === "object" && here !== null ? (here as PropertyMap)[name] : undefined;
}

export interface Surroundings {
  readonly warnings: readonly Diagnostic[];
  readonly env: NodeJS.ProcessEnv;
  readonly project: string;
  readonly stack: string;
  readonly config: { readonly values: Readonly<Record<string, string>>; readonly secretKeys: readonly string[] };
  readonly steady?: RunFacts["steady"];
}

export function openOutside({ env, project, stack, config }: Surroundings): {
  outside: Outside;
  close: () => Promise<unknown>;
} {
  const clients = new Map<string, LandformApi>();
  const setting = (name: string): string | undefined => config.values[`landform:${name}`];
  const outside: Outside = {
    env,
    stack,
    config: (key) => {
      const full = key.includes(":") ? key : `${project}:${key}`;
      const value = config.values[full];
      return value === undefined ? undefined : { value, secret: config.secretKeys.includes(full) };
    },
    lookup: (what, name, account) => {
      const key = JSON.stringify(account ?? null);
      const client = clients.get(key) ?? new Account(lookupConfig(env, setting, account), patienceIn(env)).api;
      clients.set(key, client);
      return lookupId(what, client, { name });
    },
  };
  return { outside, close: () => Promise.all([...clients.values()].map((client) => client.close())) };
}
