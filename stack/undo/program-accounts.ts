/** Accounts of the program's own (`new landform.Account`): what was in one comes back there, or not at all. Pure. */
import { isDefaultProvider, nameOf, parseProviderReference, type ResourceState } from "../../engine/index.ts";

/** The provider that an account of the program is to the engine. */
export function isAccount({ type, urn }: Pick<ResourceState, "type" | "urn">): boolean {
  return type === "pulumi:providers:pulumi-nodejs" && !isDefaultProvider(urn);
}

/** Those that the stack has, and those that come back. */
export function accountsIn(states: readonly ResourceState[]): Set<string> {
  return new Set(states.filter((state) => isAccount(state) && state.delete !== true).map(({ urn }) => urn));
}

/** Its name, where a resource was in an account of the program that is none of these. */
export function missingAccount({ provider }: ResourceState, accounts: ReadonlySet<string>): string | undefined {
  if (provider === undefined) return undefined;
  const { urn } = parseProviderReference(provider);
  return isDefaultProvider(urn) || accounts.has(urn) ? undefined : nameOf(urn);
}
