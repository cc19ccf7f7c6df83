/** Finds operations: most where the specification says, the others where the service's own /openapi.json says. */
import { findOperation } from "./discovery.ts";
import { type Operation, type OperationName, operations } from "./operations.ts";
import type { Target } from "./request.ts";

export interface Location {
  readonly target: Target;
  /** Set when the path is only what the service's other paths suggest: why no better one is known. */
  readonly guess?: string;
}

export type Locate = (name: OperationName) => Location | Promise<Location>;

/** `readDocument` is called once at most, and only when an operation needs it; what it finds stands for the whole run. */
export function createLocator(readDocument: () => Promise<Record<string, unknown>>, prefix: string): Locate {
  let reading: Promise<Record<string, unknown> | undefined> | undefined;

  async function search(name: OperationName, target: Target): Promise<Location> {
    reading ??= readDocument().catch(() => undefined);
    const document = await reading;
    const found = document && findOperation(name, document, prefix);
    if (found !== undefined) return { target: found };
    return { target, guess: document === undefined ? "could not be read" : "does not list it" };
  }

  return (name) => {
    const { unlisted, method, path }: Operation = operations[name];
    return unlisted ? search(name, { method, path }) : { target: { method, path } };
  };
}
