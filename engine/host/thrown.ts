/** What a program throws, or exports, that the SDK tells badly or not at all. */
import { inspect } from "node:util";

type Tell = (thrown: unknown) => string;

/** The SDK prints an error with all that hangs on it: the resource it is about in hundreds of lines. Of what is no error it prints nothing. */
export function thrownAsText(tell: Tell): Tell {
  return (thrown) => {
    if (typeof thrown !== "object" || thrown === null) return tell(thrown);
    const { stack, message, resource, promise } = thrown as Partial<Record<string, unknown>>;
    if (typeof stack !== "string") return typeof message === "string" ? tell(thrown) : inspect(thrown);
    return resource === undefined && promise === undefined ? tell(thrown) : stack;
  };
}

export function thrownError(thrown: unknown): unknown {
  return thrown ?? new Error(`the program threw ${String(thrown)}`);
}

export const NEVER_CALLED =
  'the program exports a function as its default, and nobody calls it: write "type": "module" in package.json, and export nothing beside it; or assign it to module.exports';

export function isNeverCalled(module: unknown): boolean {
  if (typeof module !== "object" || module === null) return false;
  return typeof Reflect.get(module, "default") === "function";
}
