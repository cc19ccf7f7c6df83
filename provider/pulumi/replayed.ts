/** A program as data: the resources that a state held, for replay.ts to register again. */
import type { JsonMap } from "../values/json.ts";

export interface ReplayedResource {
  readonly urn: string;
  readonly type: string;
  readonly custom: boolean;
  readonly id: string;
  /** Other ids by which something may still refer to it: the id of its present object, and the id of one that is left to be deleted. */
  readonly otherIds: readonly string[];
  /** As in the state: secrets marked, in the clear. */
  readonly inputs: JsonMap;
  readonly outputs: JsonMap;
  /** Its outputs at the time when others took their inputs from it. */
  readonly answered: JsonMap;
  readonly parent: string | undefined;
  /** `URN::ID`. */
  readonly provider: string | undefined;
  readonly protect: boolean;
  readonly retainOnDelete: boolean;
  readonly deletedWith: string | undefined;
  readonly dependencies: readonly string[];
  readonly propertyDependencies: Readonly<Record<string, readonly string[]>>;
  readonly additionalSecretOutputs: readonly string[];
  readonly ignoreChanges: readonly string[];
  readonly customTimeouts: { readonly create?: number; readonly update?: number; readonly delete?: number };
  /** URNs that it has now. */
  readonly aliases: readonly string[];
  /** It has no object yet, so each place that has its id will get another one. */
  readonly isNew: boolean;
}

export interface Replay {
  /** Everything that a resource refers to comes with it, or stays as it is in the state. */
  readonly resources: readonly ReplayedResource[];
  readonly outputs: JsonMap;
}

/** Names the file that holds the sealed replay. */
export const REPLAY_VARIABLE = "LANDFORM_REPLAY";

/**
 * An address that a resource answered and that others took. It comes back as a reference, so that everything that has it gets the
 * resource's answer at the end of the run. A page whose publication is held back stays where it is.
 */
export interface Address {
  readonly output: string;
  /** The text that follows it, in the text that begins with it. */
  readonly rest: string;
}

/** Returns the outputs that are addresses, and that nobody declares. */
export function addressOutputs({ inputs, answered }: Pick<ReplayedResource, "inputs" | "answered">): string[] {
  return Object.keys(answered).filter((name) => !(name in inputs) && addressOf(answered, name) !== undefined);
}

/** Returns the longest address that the text begins with. */
export function addressIn(text: string, one: Pick<ReplayedResource, "inputs" | "answered">): Address | undefined {
  const [found] = addressOutputs(one)
    .flatMap((output) => {
      const address = addressOf(one.answered, output) ?? "";
      const rest = text.slice(address.length);
      return text.startsWith(address) && /^([?#/]|$)/.test(rest) ? [{ output, rest }] : [];
    })
    .sort((a, b) => a.rest.length - b.rest.length);
  return found;
}

function addressOf(answered: JsonMap, name: string): string | undefined {
  const value = answered[name];
  return typeof value === "string" && /^https?:\/\/[^/]+\/./.test(value) ? value : undefined;
}
