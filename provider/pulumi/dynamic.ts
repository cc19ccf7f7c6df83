/**
 * The bridge to Pulumi's dynamic-provider host. States name this entry point
 * (`exports.handler=()=>require("landform/dynamic").page`), so neither the module nor a kind may ever be renamed.
 */
import { registry } from "../kinds/registry.ts";
import { type Handlers, handlersOf, HostRuntime } from "./runtime.ts";

/**
 * Made when the first handler is asked for. A process that has loaded this before it is told its run (engine/sdk/spares.ts) knows its run
 * by then.
 */
let ofThisRun: Handlers | undefined;

const names = [...Object.keys(registry), "environment", "existing", "leftOut"] as (keyof Handlers)[];
const handlers = Object.defineProperties(
  {},
  Object.fromEntries(
    names.map((name) => [name, { enumerable: true, get: () => (ofThisRun ??= handlersOf(new HostRuntime()))[name] }]),
  ),
) as Readonly<Handlers>;

export default handlers;
// `require` of this ES module returns this (Node 22.12 and later).
export { handlers as "module.exports" };
