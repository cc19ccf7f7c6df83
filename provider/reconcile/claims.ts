/**
 * What each resource of a program lays claim to (a slug on a site, an adopted object), so that two resources that want
 * the same thing are told before anything is sent. One host process sees all resources of a run.
 */
import type { AnyDefinition, Claim } from "../definition/define.ts";
import type { JsonMap } from "../values/json.ts";
import type { CheckFailure, Claimed } from "../messages/problems.ts";
import { hasUnknown } from "../values/unknown.ts";

export class Claims {
  readonly #holders = new Map<string, string>();
  readonly #things = new Map<string, string>();

  /** Gives `thing` to `holder`; the resource that holds it already is returned instead. A holder has one thing a kind. */
  take(kind: string, thing: string, holder: string): string | undefined {
    const current = this.#holders.get(`${kind} ${thing}`);
    if (current !== undefined && current !== holder) return current;
    this.release(kind, holder);
    this.#holders.set(`${kind} ${thing}`, holder);
    this.#things.set(`${kind} ${holder}`, thing);
    return undefined;
  }

  releaseAll(holder: string): void {
    for (const key of [...this.#things.keys()]) {
      if (key.endsWith(` ${holder}`)) this.release(key.slice(0, -holder.length - 1), holder);
    }
  }

  release(kind: string, holder: string): void {
    const thing = this.#things.get(`${kind} ${holder}`);
    if (thing === undefined) return;
    this.#things.delete(`${kind} ${holder}`);
    this.#holders.delete(`${kind} ${thing}`);
  }
}

/** Takes the claims of these inputs for `claimant`, and reports those that another one holds, by the name it gave. */
export function conflictingClaims(
  definition: AnyDefinition,
  inputs: JsonMap,
  claimant: string | undefined,
  claims: Claims,
): CheckFailure<Claimed>[] {
  if (claimant === undefined) return [];
  return [...adoption(definition, inputs), ...(definition.plan.claims?.(inputs) ?? [])].flatMap((claim) => {
    const { kind, thing, path, what } = claim;
    const holder = claims.take(kind, thing, claimant);
    return holder === undefined ? [] : [{ path, problem: { code: "claimed", what, holder } }];
  });
}

function adoption(definition: AnyDefinition, inputs: JsonMap): Claim[] {
  const { adoptId } = inputs;
  if (typeof adoptId !== "string" || hasUnknown(adoptId)) return [];
  const what = `the ${definition.kind} with id "${adoptId}"`;
  return [{ kind: `adopted ${definition.kind}`, thing: adoptId, path: ["adoptId"], what }];
}
