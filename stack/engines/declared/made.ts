/** A registered resource, and what others may take from it. */
import { DRAFT, TOLD_BY_STATE } from "../../../provider/kinds/page/released.ts";
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
import type { AnyDefinition } from "../../../provider/definition/define.ts";
import { sanitize } from "../../../provider/values/json.ts";
import { steadyOutputs, steadyValue, type SteadyObject } from "../../../provider/definition/steady.ts";

export interface MadeFrom {
  readonly definition: AnyDefinition;
  /** As it was declared, without what a program adds. */
  readonly args: PropertyMap;
  /** As it was registered: in an apply they stand for outputs that the provider doesn't tell. */
  readonly inputs: PropertyMap;
  readonly registered: { readonly urn: string; readonly id: string; readonly outputs: PropertyMap };
  /** Outputs that are not there are not known yet. */
  readonly dryRun: boolean;
  /** What updates of its type leave as it is, by id. */
  readonly steady: Readonly<Record<string, SteadyObject>> | undefined;
}

export class Made {
  readonly urn: string;
  readonly #from: MadeFrom;

  constructor(from: MadeFrom) {
    this.urn = from.registered.urn;
    this.#from = from;
  }

  /** As an input of another resource: unknown as a whole where a part is, secret as a whole where a part is. */
  value([property = "", ...rest]: readonly string[]): Json | undefined {
    const whole = this.#output(property);
    if (whole === undefined) return this.#from.dryRun && this.#has(property) ? UNKNOWN : undefined;
    const part = rest.reduce(step, reveal(whole));
    if (part === undefined) return undefined;
    if (containsUnknown(part)) return UNKNOWN;
    return containsSecret(whole) ? makeSecret(part) : part;
  }

  /**
   * What is neither an output nor declared will never be there. Who asks for a draft is a release of the page: there is none where
   * the rest of what its state tells is there (provider/pulumi/release-scope.ts).
   */
  #has(property: string): boolean {
    const { definition, args, registered } = this.#from;
    if (property === DRAFT) return registered.outputs[TOLD_BY_STATE] === undefined;
    return property === "id" || property in definition.outputs.shape || property in args;
  }

  #output(property: string): Json | undefined {
    const { dryRun, inputs, registered } = this.#from;
    const { urn, id, outputs } = registered;
    if (property === "urn") return urn;
    if (property === "id") return id === "" ? undefined : id;
    const told = outputs[property] ?? (dryRun ? undefined : inputs[property]);
    return told !== undefined && !containsUnknown(told) ? told : (this.#kept(property) ?? told);
  }

  /** What an update leaves as it is stays known in its preview. */
  #kept(property: string): Json | undefined {
    const { definition, registered, steady, args } = this.#from;
    const object = steady?.[registered.id];
    const hangsOn = steadyOutputs(definition).get(property);
    if (object === undefined || hangsOn === undefined) return undefined;
    const now = Object.fromEntries(
      hangsOn.flatMap((input) => (args[input] === undefined ? [] : [[input, args[input]]])),
    );
    return containsUnknown(now) ? undefined : steadyValue(object, property, sanitize(reveal(now) as PropertyMap));
  }
}

/** What is known of a value is known, though another part of it is not yet. */
function step(here: Json | undefined, name: string): Json | undefined {
  if (isUnknown(here)) return UNKNOWN;
  return typeof here === "object" && here !== null ? (here as PropertyMap)[name] : undefined;
}
