/** A module that is started or required by its path has to be a module of its own in the compiled package. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { dist } from "./loaded.ts";

const repository = join(import.meta.dirname, "../..");

/** Finds `ownModule("stack/engines/child-hook")`, `` new URL(`./child-hook${…}`) `` and `` require(`./program${…}`) ``. */
function byTheirPaths(file: string): string[] {
  const text = readFileSync(join(repository, file), "utf8");
  const ofPackage = [...text.matchAll(/"((?:cli|ci|story|stack|engine|manifest|provider|emulator)\/[\w./-]+)"/g)].map(
    ([, path = ""]) => path,
  );
  const beside = [...text.matchAll(/`\.\/([\w-]+)\$\{extname\(/g)].map(([, name = ""]) => join(dirname(file), name));
  return [...ofPackage.filter((path) => existsSync(join(repository, `${path}.ts`))), ...beside];
}

test("each of them is there", () => {
  const sources = ["cli", "ci", "story", "stack", "engine", "manifest", "provider", "emulator"].flatMap((folder) =>
    readdirSync(join(repository, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => join(folder, file)),
  );
  const started = [...new Set(sources.flatMap(byTheirPaths))].sort();
  expect(started).toEqual(
    expect.arrayContaining([
      "stack/engines/child-hook",
      "engine/link/light-host",
      "manifest/data/program",
      "provider/pulumi/replay",
    ]),
  );
  expect(started.filter((path) => !existsSync(join(dist, `${path}.js`)))).toEqual([]);
});
