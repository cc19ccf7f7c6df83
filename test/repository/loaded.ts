/** Lists the sources that a process of the compiled package loads, whatever they were bundled into. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect } from "vitest";

const repository = join(import.meta.dirname, "../..");

export const dist = join(repository, "dist");

/** Prints every module that is loaded, imported or required. */
const TELL = `import { registerHooks } from "node:module";
  registerHooks({ load: (url, context, next) => (process.stderr.write("loaded " + url + "\\n"), next(url, context)) });`;

export function sourcesLoadedBy(...args: string[]): string[] {
  const tell = `data:text/javascript,${encodeURIComponent(TELL)}`;
  const { status, stderr } = spawnSync(process.execPath, ["--import", tell, ...args], { encoding: "utf8" });
  expect(status, stderr).toBe(0);
  const maps = stderr
    .split("\n")
    .filter((line) => line.startsWith(`loaded ${pathToFileURL(dist).href}/`))
    .map((line) => `${fileURLToPath(line.slice("loaded ".length))}.map`)
    // A module that only exports others' contents has no source.
    .filter(existsSync);
  expect(maps.length).toBeGreaterThan(0);
  return maps.flatMap((map) => {
    const { sources } = JSON.parse(readFileSync(map, "utf8")) as { sources: string[] };
    return sources.map((source) => relative(repository, join(dirname(map), source)));
  });
}
