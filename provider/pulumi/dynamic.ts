/**
 * The bridge to Pulumi's dynamic-provider host. States name this entry point
 * (`exports.handler=()=>require("landform/dynamic").page`), so neither the module nor a kind may ever be renamed.
 */
import { handlerFor, type Handler } from "../lifecycle/handler.ts";
import { registry, type Kind } from "../registry.ts";
import { environmentHandler } from "../preview/environment.ts";
import { existingHandler, leftOutHandler } from "../preview/stand-ins.ts";
import { runtime } from "./runtime.ts";

const handlers = {
  ...(Object.fromEntries(
    Object.entries(registry).map(([kind, definition]) => [kind, handlerFor(definition, runtime)]),
  ) as Record<Kind, Handler>),
  environment: environmentHandler,
  existing: existingHandler(runtime),
  leftOut: leftOutHandler,
};

export default handlers;
// What `require` of this ES module gives (Node 22.12 and later).
export { handlers as "module.exports" };
