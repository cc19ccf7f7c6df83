/** Finds this package and its version. */
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { findPackageJSON } from "node:module";

const file = findPackageJSON(".", import.meta.url);
if (file === undefined) throw new Error("landform has lost its package.json; install it again");

export const packageRoot = dirname(file);
export const version = (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;

/** Returns the path of a module of this package, compiled or not, like this one. */
export function ownModule(path: string): string {
  const compiled = import.meta.filename.endsWith(".js");
  return compiled ? join(packageRoot, "dist", `${path}.js`) : join(packageRoot, `${path}.ts`);
}

/** The folders where `require("landform")` finds this package: beside it once installed, its own node_modules in a checkout. */
export function moduleFolders(): string[] {
  const parent = dirname(packageRoot);
  const own = join(packageRoot, "node_modules");
  return basename(parent) === "node_modules" ? [parent, own] : [own];
}
