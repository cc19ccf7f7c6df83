/** What a program's module means to Pulumi where it runs here: the same as to the runner of its SDK (`cmd/run`). */
import { realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

/** Its exports are the outputs, or its default export is them or makes them; of CommonJS, `module.exports`. */
export async function outputsOf(file: string): Promise<Record<string, unknown>> {
  const module = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
  const made = exportOf(file, module);
  return (await (typeof made === "function" ? (made as () => unknown)() : made)) as Record<string, unknown>;
}

function exportOf(file: string, module: Record<string, unknown>): unknown {
  const { default: main, ...named } = module;
  // Node shows what it finds in `module.exports` as named exports as well, and all of it under a name of its own.
  if (isCommonJs(file)) return main;
  if (!("default" in module)) return named;
  if (Object.keys(named).length > 0)
    throw new Error("expected entrypoint module to have either a default export or named exports but not both");
  return main;
}

function isCommonJs(file: string): boolean {
  return realpathSync(file) in createRequire(import.meta.url).cache;
}
