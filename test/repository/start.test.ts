/** What a start loads: `import "landform"` nothing that most programs never use, and a small command what it needs. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";

const repository = join(import.meta.dirname, "../..");
const dist = join(repository, "dist");

/** Tells every module that is loaded, imported or required. */
const TELL = `import { registerHooks } from "node:module";
  registerHooks({ load: (url, context, next) => (process.stderr.write("loaded " + url + "\\n"), next(url, context)) });`;

/** The sources of the bundles that a process loads. */
function sourcesOf(...args: string[]): string[] {
  const tell = `data:text/javascript,${encodeURIComponent(TELL)}`;
  const { status, stderr } = spawnSync(process.execPath, ["--import", tell, ...args], { encoding: "utf8" });
  expect(status, stderr).toBe(0);
  const loaded = stderr
    .split("\n")
    .filter((line) => line.startsWith(`loaded ${pathToFileURL(dist).href}/`))
    .map((line) => `${fileURLToPath(line.slice("loaded ".length))}.map`);
  expect(loaded.length).toBeGreaterThan(0);
  return loaded.filter(existsSync).flatMap((map) => {
    const { sources } = JSON.parse(readFileSync(map, "utf8")) as { sources: string[] };
    return sources.map((source) => relative(repository, join(dirname(map), source)));
  });
}

function loadedBy(program: string): string[] {
  const text = `import * as landform from ${JSON.stringify(join(dist, "provider/index.js"))};\n${program}`;
  return sourcesOf("--input-type=module", "-e", text);
}

test("YAML and XML are read by programs that read data files, and by no others", () => {
  const readers = (sources: string[]) => sources.filter((path) => /^node_modules\/(yaml|saxes)\//.test(path));
  const always = loadedBy("");
  expect(always).toContain("provider/registry.ts");
  expect(readers(always)).toEqual([]);
  const withData = loadedBy('try { landform.content({ file: "none.yaml" }) } catch {}');
  expect(new Set(readers(withData).map((path) => path.split("/")[1]))).toEqual(new Set(["yaml", "saxes"]));
});

test("validate loads neither an engine nor what edits, exports or asks an account", () => {
  const folder = mkdtempSync(join(tmpdir(), "landform-start-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "landform.yaml"), "landform: 1\n");
  const loaded = sourcesOf(join(dist, "cli/main.js"), "validate", "-C", folder);
  expect(loaded).toContain("manifest/validate.ts");
  expect(loaded.filter((path) => /^(engine|cli\/engines|manifest\/(edit|export))\//.test(path))).toEqual([]);
});
