/** Finds the ledger's place beside the state if no command line tells it, in the order in which Pulumi looks. */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type * as Yaml from "yaml";
import { valueAt } from "../values/paths.ts";

/** Below the folder that holds a backend's `.pulumi`. */
export function ledgerFolderOf(root: string): string {
  return join(root, ".pulumi", "landform");
}

export function ledgerFolderOfMachine(env: NodeJS.ProcessEnv): string {
  return join(pulumiHome(env), "landform");
}

/** Returns the folder that holds the `.pulumi` of the backend in use; undefined if that is no folder. */
export function findStateFolder(env: NodeJS.ProcessEnv, cwd: string): string | undefined {
  const backend = env["PULUMI_BACKEND_URL"] || backendOfProject(cwd) || backendLoggedInto(env);
  return backend === undefined ? undefined : folderOf(backend, cwd);
}

export function pulumiHome(env: NodeJS.ProcessEnv): string {
  return env["PULUMI_HOME"] || join(homedir(), ".pulumi");
}

/** Reads `file://~`, `file://./x` and `file:///x`; undefined for anything that is no folder. */
function folderOf(url: string, base: string): string | undefined {
  if (!url.startsWith("file://")) return undefined;
  const path = url.slice("file://".length);
  if (path === "~" || path.startsWith("~/")) return join(homedir(), path.slice(1));
  return path.startsWith("/") ? fileURLToPath(new URL(url)) : resolve(base, path);
}

function backendOfProject(cwd: string): string | undefined {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const file = ["Pulumi.yaml", "Pulumi.yml"].map((name) => join(folder, name)).find((path) => existsSync(path));
    if (file !== undefined) return textIn(file, yaml, ["backend", "url"]);
    if (dirname(folder) === folder) return undefined;
  }
}

function backendLoggedInto(env: NodeJS.ProcessEnv): string | undefined {
  return textIn(join(pulumiHome(env), "credentials.json"), JSON.parse, ["current"]);
}

/** Loads the parser when it is needed: most hosts are told the place, and start sooner without it. */
function yaml(text: string): unknown {
  const { parse } = createRequire(import.meta.url)("yaml") as typeof Yaml;
  return parse(text);
}

/** A file that can't be read says nothing: Pulumi itself tells of it. */
function textIn(file: string, parse: (text: string) => unknown, path: readonly string[]): string | undefined {
  try {
    const found = valueAt(parse(readFileSync(file, "utf8")), path);
    return typeof found === "string" && found !== "" ? found : undefined;
  } catch {
    return undefined;
  }
}
