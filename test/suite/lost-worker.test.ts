/** A worker of the test runner that dies before its file: the file is named, run by itself, and the closing line is right again. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

let dir = "";

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "landform-lost-worker-"));
  await symlink(resolve("node_modules"), join(dir, "node_modules"));
  await writeFile(join(dir, "package.json"), `{ "type": "module" }`);
  const once = JSON.stringify(join(dir, "died"));
  await writeFile(
    join(dir, "die.cjs"),
    `try { require("node:fs").writeFileSync(${once}, "", { flag: "wx" }); process.exit(7); } catch {}\n`,
  );
  await mkdir(join(dir, "test"));
  for (const name of ["a", "b"]) await writeTest(name, "expect(1).toBe(1)");
  const config = {
    maxWorkers: 1,
    include: ["test/*.test.ts"],
    execArgv: ["--require", join(dir, "die.cjs")],
    reporters: [resolve("test/suite/closing-line.ts")],
  };
  await writeFile(join(dir, "vitest.config.ts"), `export default { test: ${JSON.stringify(config)} };\n`);
});

afterAll(() => rm(dir, { recursive: true, force: true }));

test("what never ran is run again, what failed is not", { timeout: 120_000 }, async () => {
  expect(vitest("first")).toContain("1 passed, 1 failed, 0 skipped");
  const lost = script("not-run.mjs", "first").trim();
  expect(lost).toMatch(/^test\/[ab]\.test\.ts$/);
  expect(script("summary.mjs", "first")).toMatch(
    /^failed: unhandled error 1\n {2}\[vitest-pool\].*exit code 7[^]*\n1 passed, 1 failed, 0 skipped\n$/,
  );

  expect(vitest("again", lost)).toContain("1 passed, 0 failed, 0 skipped");
  expect(script("summary.mjs", "first", "again")).toBe("2 passed, 0 failed, 0 skipped\n");

  await writeTest("c", "expect(1).toBe(2)");
  expect(vitest("third")).toContain("2 passed, 1 failed, 0 skipped");
  expect(() => script("not-run.mjs", "third")).toThrow();
  expect(script("summary.mjs", "first", "again", "third")).toMatch(
    /^failed: test\/c\.test\.ts > c\n {2}expected 1 to be 2.*\n2 passed, 1 failed, 0 skipped\n$/,
  );
});

function writeTest(name: string, body: string): Promise<void> {
  const text = `import { expect, test } from "vitest";\ntest("${name}", () => { ${body}; });\n`;
  return writeFile(join(dir, "test", `${name}.test.ts`), text);
}

/** What a run prints, whether it passes or not. */
function vitest(report: string, ...files: readonly string[]): string {
  const env = { ...process.env, LANDFORM_TEST_REPORT: join(dir, report), VITEST: undefined, NODE_OPTIONS: undefined };
  const args = [resolve("node_modules/vitest/vitest.mjs"), "run", ...files];
  return spawnSync(process.execPath, args, { cwd: dir, env, encoding: "utf8" }).stdout;
}

function script(name: string, ...reports: readonly string[]): string {
  const files = reports.map((report) => join(dir, report));
  return execFileSync(process.execPath, [resolve("scripts", name), ...files], { encoding: "utf8", stdio: "pipe" });
}
