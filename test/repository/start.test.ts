/** What a start loads: `import "landform"` nothing that most programs never use, and a small command what it needs. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const compiled = join(import.meta.dirname, "../../dist/provider/index.js");

function loadedBy(program: string): string[] {
  const script = `
    import { createRequire } from "node:module";
    import * as landform from ${JSON.stringify(compiled)};
    ${program}
    const names = Object.keys(createRequire(import.meta.url).cache).map((path) => /node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(path)?.[1]);
    console.log(JSON.stringify([...new Set(names)]));
  `;
  return JSON.parse(
    execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" }),
  ) as string[];
}

test("YAML and XML are read by programs that read data files, and by no others", () => {
  expect(loadedBy("")).not.toEqual(expect.arrayContaining(["yaml"]));
  expect(loadedBy('try { landform.content({ file: "none.yaml" }) } catch {}')).toEqual(
    expect.arrayContaining(["yaml", "saxes"]),
  );
});

test("validate loads neither an engine nor what edits, exports or asks an account", () => {
  const folder = mkdtempSync(join(tmpdir(), "landform-start-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "landform.yaml"), "landform: 1\n");
  const hooks = `import { registerHooks } from "node:module";
    registerHooks({ load: (url, context, next) => (process.stderr.write(url + "\\n"), next(url, context)) });`;
  const main = join(import.meta.dirname, "../../dist/cli/main.js");
  const args = ["--import", `data:text/javascript,${encodeURIComponent(hooks)}`, main, "validate", "-C", folder];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  const loaded = stderr.split("\n").filter((url) => url.includes("/dist/"));
  expect(status).toBe(0);
  expect(loaded.some((url) => url.endsWith("/dist/manifest/validate.js"))).toBe(true);
  expect(loaded.filter((url) => /\/dist\/(engine|cli\/engines|manifest\/(edit|export))\//.test(url))).toEqual([]);
});
