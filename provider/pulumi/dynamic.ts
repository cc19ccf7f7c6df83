/** The bridge to Pulumi's host. States name it (`exports.handler=()=>require("landform/dynamic").page`): rename no kind and no module. */
import { registry } from "../kinds/registry.ts";
import { RUN_VARIABLE } from "./run-facts.ts";
import { type Handlers, handlersOf, HostRuntime } from "./runtime.ts";

/**
 * Made when the first handler of a run is asked for. A process that has loaded this before it is told its run (engine/sdk/spares.ts,
 * stack/engines/pulumi/host) knows its run by then.
 */
let made: { run: string | undefined; handlers: Handlers } | undefined;

function handlersOfThisRun(): Handlers {
  const { [RUN_VARIABLE]: run } = process.env;
  if (made === undefined || made.run !== run) made = { run, handlers: handlersOf(new HostRuntime()) };
  return made.handlers;
}

const names = [...Object.keys(registry), "environment", "existing", "leftOut"] as (keyof Handlers)[];
const handlers = Object.defineProperties(
  {},
  Object.fromEntries(names.map((name) => [name, { enumerable: true, get: () => handlersOfThisRun()[name] }])),
) as Readonly<Handlers>;

export default handlers;
// `require` of this ES module returns this (Node 22.12 and later).
export { handlers as "module.exports" };
