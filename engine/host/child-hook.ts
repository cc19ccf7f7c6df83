/**
 * Loaded into the program and into the provider's host. Pulumi's SDK does in every process what few need; what it does
 * less here, and why nobody misses it, is said beside each change. What the SDK writes otherwise some day is left as it is.
 */
import { registerHooks } from "node:module";
import { clientsOf, isFramed, structFor, toldWhenAsked, whenAsked } from "./framed-client.ts";
import { lazyOutputs, mustBePlain, plainOutputs } from "./lazy-outputs.ts";
import { keepOwnArguments } from "./node-arguments.ts";
import { paced } from "./paced.ts";
import { rewriteOf } from "./sdk-rewrites.ts";
import { isNeverCalled, NEVER_CALLED, thrownAsText, thrownError } from "./thrown.ts";

/** What the SDK's modules find of ours (`sdk-rewrites.ts`). */
Reflect.set(globalThis, Symbol.for("landform.sdk"), {
  ...{ clientsOf, isFramed, structFor, toldWhenAsked, whenAsked },
  ...{ lazyOutputs, mustBePlain, paced, plainOutputs },
  ...{ isNeverCalled, NEVER_CALLED, thrownAsText, thrownError },
});

keepOwnArguments();

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
