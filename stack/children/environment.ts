/**
 * What the program and the provider's host find in their environment: this package and Pulumi's SDK even where the
 * project has no node_modules, and how the run is meant. What it knows of the state goes into a file (facts.ts).
 */
import { delimiter } from "node:path";
import { pathToFileURL } from "node:url";
import { TYPED_LINES } from "../../provider/messages/host-lines.ts";
import { moduleFolders, ownModule } from "../project/package.ts";

export interface HostOptions {
  /** Read everything on refresh. */
  full?: boolean;
  verbose?: boolean;
}

/** `require` looks there last, so a project's own copies come first. */
export function nodePath(env: NodeJS.ProcessEnv): string {
  return [env["NODE_PATH"] ?? "", ...moduleFolders()].filter((folder) => folder !== "").join(delimiter);
}

/** `import` knows no NODE_PATH: the hook does the same for it, and more. The engine's own shortens the start of the SDK. */
export function childHook(): string[] {
  return ["engine/sdk/child-hook", "stack/children/hook"].flatMap((hook) => [
    "--import",
    pathToFileURL(ownModule(hook)).href,
  ]);
}

export function hostEnvironment({ full, verbose }: HostOptions): Record<string, string> {
  return {
    NODE_PATH: nodePath(process.env),
    NODE_OPTIONS: [process.env["NODE_OPTIONS"] ?? "", ...childHook()].join(" ").trim(),
    ...TYPED_LINES,
    ...(full === true ? { LANDFORM_FULL_REFRESH: "1" } : {}),
    ...(verbose === true ? { LANDFORM_VERBOSE: "1" } : {}),
  };
}
