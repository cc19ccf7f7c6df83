/** Adds the resource to an error that doesn't name it. Pure. */
import { ProviderError } from "../errors.ts";
import { nameOf, shortType } from "../model/urn.ts";
import type { Ask, Step } from "../plan/types.ts";

const DOING: Record<string, string> = {
  create: "creating",
  update: "updating",
  delete: "deleting",
  refresh: "reading",
};

export function doing({ op, type, urn }: Step): string {
  const verb = DOING[op.split("-")[0] ?? ""] ?? op;
  return `${verb} ${shortType(type)} "${nameOf(urn)}"`;
}

/** Providers don't always name the resource that failed. */
export function naming({ kind, type, urn }: Ask): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof ProviderError) || error.message.includes(nameOf(urn))) throw error;
    const doing = kind === "check" ? "checking" : "comparing";
    throw new ProviderError(`${doing} ${shortType(type)} "${nameOf(urn)}" failed: ${error.message}`);
  };
}
