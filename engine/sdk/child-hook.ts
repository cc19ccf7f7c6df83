/**
 * Loaded into the program and into the provider's host. Pulumi's SDK does things in every process that few need. Each change here removes one and
 * says why nobody misses it. If the SDK changes its text, the hook leaves it as it is.
 */
import { registerHooks } from "node:module";
import { inspect } from "node:util";
import { clientsOf, structFor, toldWhenAsked } from "./framed-client.ts";
import { lazyOutputs, mustBePlain, plainOutputs } from "./lazy-outputs.ts";
import { isPlainSdk, keepOwnArguments } from "./switch.ts";
import { quickStructs } from "./quick-structs.ts";
import { rewriteOf } from "./rewrites.ts";
import { servedProviders } from "./served-providers.ts";

export { forgetRun } from "./served-providers.ts";

function changeSdk(): void {
  /** The SDK's modules find our functions here (`rewrites.ts`). */
  Reflect.set(globalThis, Symbol.for("landform.sdk"), {
    ...{ clientsOf, structFor, toldWhenAsked },
    ...{ lazyOutputs, mustBePlain, plainOutputs, quickStructs },
    ...{ isNeverCalled, NEVER_CALLED, servedProviders, thrownAsText, thrownError },
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

/** Shortens thrown errors: the SDK prints hundreds of lines about the resource behind an error, and nothing for a thrown value that is no error. */
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
