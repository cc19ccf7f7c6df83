/** The messages about a provider's process that died or never answered. */
import { HostError, ProviderError } from "../errors.ts";
import { nameOf, shortType, typeOf } from "../model/urn.ts";
import type { Child } from "./child.ts";
import type { Method } from "./wire.ts";

/** A call: its method, its resource, and the time that it may take. */
export interface CallPlace {
  method: Method | "configure";
  urn: string;
  patienceMs: number;
}

export function unanswered(child: Child, call: CallPlace): HostError {
  return new HostError(
    `${nameOfCall(call)}: the provider did not answer within ${duration(call.patienceMs)}, and nobody knows if the call took effect. Run it again: the next run looks into it${lastWords(child)}`,
    call,
  );
}

/** Makes an error of the provider itself, in the provider's words. */
export function refusedBy(words: string): ProviderError {
  return new ProviderError(words === "" ? "the provider failed and gave no reason" : words);
}

/** Makes an error of the host, which could not send its answer. The provider's own errors are others. */
export function lost(call: CallPlace, why: string): HostError {
  return new HostError(`${nameOfCall(call)}: the answer was lost: ${why}`, call);
}

export function dead(child: Child): HostError {
  const tail = lastWords(child) || " and wrote nothing";
  return new HostError(`the process that serves the dynamic providers ended unexpectedly${tail}`);
}

function lastWords(child: Child): string {
  const lines = child.lastLines();
  return lines.length === 0 ? "" : `; the last that its process wrote:\n${lines.join("\n")}`;
}

export function duration(ms: number): string {
  return ms >= 120_000 ? `${Math.round(ms / 60_000)} minutes` : `${Math.ceil(ms / 1000)} s`;
}

function nameOfCall({ method, urn }: CallPlace): string {
  return `${method} of ${shortType(typeOf(urn))} "${nameOf(urn)}"`;
}
