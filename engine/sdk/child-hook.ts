/**
 * Loaded into the program and into the provider's host. Pulumi's SDK does in every process what few need; what it does
 * less here, and why nobody misses it, is said beside each change. What the SDK writes otherwise some day is left as it is.
 */
import { registerHooks } from "node:module";
import { inspect } from "node:util";
import { clientsOf, isFramed, structFor, toldWhenAsked, whenAsked } from "./framed-client.ts";
import { lazyOutputs, mustBePlain, plainOutputs } from "./lazy-outputs.ts";
import { keepOwnArguments } from "./node-arguments.ts";
import { isPlainSdk } from "./plain-sdk.ts";
import { rewriteOf } from "./rewrites.ts";

function changeSdk(): void {
  /** The SDK's modules find these of ours (`rewrites.ts`). */
  Reflect.set(globalThis, Symbol.for("landform.sdk"), {
    ...{ clientsOf, isFramed, structFor, toldWhenAsked, whenAsked },
    ...{ lazyOutputs, mustBePlain, plainOutputs },
    ...{ isNeverCalled, NEVER_CALLED, thrownAsText, thrownError },
  });
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      const rewrite = rewriteOf(url);
      if (rewrite === undefined || loaded.source === undefined) return loaded;
      const { source: text } = loaded;
      const source = typeof text === "string" ? text : new TextDecoder().decode(text);
      return { ...loaded, source: rewrite(source) };
    },
  });
}

type Tell = (thrown: unknown) => string;

/** The SDK prints an error with all that hangs on it: the resource it is about in hundreds of lines. Of what is no error it prints nothing. */
function thrownAsText(tell: Tell): Tell {
  return (thrown) => {
    if (typeof thrown !== "object" || thrown === null) return tell(thrown);
    const { stack, message, resource, promise } = thrown as Partial<Record<string, unknown>>;
    if (typeof stack !== "string") return typeof message === "string" ? tell(thrown) : inspect(thrown);
    return resource === undefined && promise === undefined ? tell(thrown) : stack;
  };
}

function thrownError(thrown: unknown): unknown {
  return thrown ?? new Error(`the program threw ${String(thrown)}`);
}

const NEVER_CALLED =
  'the program exports a function as its default, and nobody calls it: write "type": "module" in package.json, and export nothing beside it; or assign it to module.exports';

function isNeverCalled(module: unknown): boolean {
  if (typeof module !== "object" || module === null) return false;
  return typeof Reflect.get(module, "default") === "function";
}

keepOwnArguments();
if (!isPlainSdk()) changeSdk();
