/** The modules that a start loads: `import "landform"` loads none that most programs never use, and a small command only the ones that it needs. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { dist, sourcesLoadedBy } from "./loaded.ts";

function loadedBy(program: string): string[] {
  const text = `import * as landform from ${JSON.stringify(join(dist, "index.js"))};\n${program}`;
  return sourcesLoadedBy("--input-type=module", "-e", text);
}

test("YAML and XML are read by programs that read data files, and by no others", () => {
  const readers = (sources: string[]) => sources.filter((path) => /^node_modules\/(yaml|saxes)\//.test(path));
  const always = loadedBy("");
  expect(always).toContain("provider/kinds/registry.ts");
  expect(readers(always)).toEqual([]);
  const withData = loadedBy('try { landform.content({ file: "none.yaml" }) } catch {}');
  expect(new Set(readers(withData).map((path) => path.split("/")[1]))).toEqual(new Set(["yaml", "saxes"]));
});

test("check loads neither an engine nor what edits, exports or asks an account", () => {
  const folder = mkdtempSync(join(tmpdir(), "landform-start-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "landform.yaml"), "landform: 1\n");
  const loaded = sourcesLoadedBy(join(dist, "cli/main.js"), "check", "-C", folder);
  expect(loaded).toContain("manifest/check/validate.ts");
  expect(loaded.filter((path) => /^(engine|stack\/engines|manifest\/(write|export))\//.test(path))).toEqual([]);
});

test("a plan loads neither Pulumi's engine, an undo, an export nor a look for drift", () => {
  const folder = mkdtempSync(join(tmpdir(), "landform-start-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "landform.yaml"), "landform: 1\n");
  const loaded = sourcesLoadedBy(join(dist, "cli/main.js"), "preview", "--engine", "embedded", "-C", folder);
  expect(loaded).toContain("stack/plan/make.ts");
  const others =
    /^(stack\/engines\/pulumi\/engine|stack\/undo\/undoing|manifest\/export\/|stack\/run\/(drift-looks|write-drift))/;
  expect(loaded.filter((path) => others.test(path))).toEqual([]);
});
