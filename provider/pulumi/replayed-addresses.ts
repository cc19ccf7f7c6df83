/**
 * Addresses that a resource answered and that others took: they come back as references, so that whoever has one gets what the
 * resource answers by the end of the run. A page whose publication is held back stays where it is. Pure.
 */
import type { JsonMap } from "../values/json.ts";
import type { ReplayedResource } from "./replayed.ts";

export interface Address {
  readonly output: string;
  /** What follows it in the text that begins with it. */
  readonly rest: string;
}

/** Outputs that are addresses, and that nobody declares. */
export function addressOutputs({ inputs, answered }: Pick<ReplayedResource, "inputs" | "answered">): string[] {
  return Object.keys(answered).filter((name) => !(name in inputs) && addressOf(answered, name) !== undefined);
}

/** The longest one that the text begins with. */
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
