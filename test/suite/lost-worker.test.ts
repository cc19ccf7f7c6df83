/**
 * A worker of the test runner that dies before its file: the file is named and runs by itself, and then the closing line is right again. The same
 * holds for a few failures.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { thorough } from "./parts.ts";

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

test("what never ran is run again", () => {
  expect(vitest("first")).toContain("1 passed, 1 failed, 0 skipped");
  const lost = script("run-again.mjs", "first").trim();
  expect(lost).toMatch(/^test\/[ab]\.test\.ts$/);
  expect(script("summary.mjs", "first")).toMatch(
    /^failed: unhandled error 1\n {2}\[vitest-pool\].*exit code 7[^]*\n1 passed, 1 failed, 0 skipped\n$/,
  );

  expect(vitest("first-again", lost)).toContain("1 passed, 0 failed, 0 skipped");
  expect(script("summary.mjs", "first", "first-again")).toBe("2 passed, 0 failed, 0 skipped\n");
});

thorough("what failed is run again, and told whatever comes of it", async () => {
  // No worker dies here.
  await writeFile(join(dir, "died"), "");
  const tried = JSON.stringify(join(dir, "tried"));
  await writeTest("c", `expect(existsSync(${tried})).toBe(true)`);
  expect(vitest("second")).toContain("2 passed, 1 failed, 0 skipped");
  expect(script("run-again.mjs", "second").trim()).toBe("test/c.test.ts");

  expect(vitest("second-again", "test/c.test.ts")).toContain("0 passed, 1 failed, 0 skipped");
  expect(script("summary.mjs", "second", "second-again")).toMatch(
    /^failed: test\/c\.test\.ts > c\n {2}expected false to be true.*\n2 passed, 1 failed, 0 skipped\n$/,
  );

  await writeFile(join(dir, "tried"), "");
  expect(vitest("second-again", "test/c.test.ts")).toContain("1 passed, 0 failed, 0 skipped");
  expect(script("summary.mjs", "second", "second-again")).toMatch(
    /^unsteady \(failed first, passed by itself\): test\/c\.test\.ts > c\n {2}expected false.*\n3 passed, 0 failed, 0 skipped\n$/,
  );
  // The second run doesn't settle a failure of another part.
  expect(script("summary.mjs", "second", "second-again", await copyOf("second"))).toContain("2 passed, 1 failed");
});

thorough("many failures are not run again", async () => {
  const fates = Object.fromEntries(
    ["a", "b", "c", "d", "e", "f"].map((name) => [`test/${name}.test.ts > it`, "failed"]),
  );
  await writeFile(join(dir, "many"), JSON.stringify({ fates, reasons: {}, notRun: [] }));
  expect(() => script("run-again.mjs", "many")).toThrow();
  const [, ...five] = Object.keys(fates);
  await writeFile(
    join(dir, "many"),
    JSON.stringify({ fates: Object.fromEntries(five.map((id) => [id, "failed"])), reasons: {}, notRun: [] }),
  );
  expect(script("run-again.mjs", "many").trim().split("\n")).toHaveLength(5);
});

async function copyOf(report: string): Promise<string> {
  await copyFile(join(dir, report), join(dir, "another"));
  return "another";
}

function writeTest(name: string, body: string): Promise<void> {
  const text = `import { existsSync } from "node:fs";\nimport { expect, test } from "vitest";\ntest("${name}", () => { ${body}; });\n`;
  return writeFile(join(dir, "test", `${name}.test.ts`), text);
}

/** Returns the output of a run, whether it passes or not. */
function vitest(report: string, ...files: readonly string[]): string {
  const own = { VITEST: undefined, NODE_OPTIONS: undefined, LANDFORM_TESTS: undefined };
  const env = { ...process.env, ...own, LANDFORM_TEST_REPORT: join(dir, report) };
  const args = [resolve("node_modules/vitest/vitest.mjs"), "run", ...files];
  return spawnSync(process.execPath, args, { cwd: dir, env, encoding: "utf8" }).stdout;
}

function script(name: string, ...reports: readonly string[]): string {
  const files = reports.map((report) => join(dir, report));
  return execFileSync(process.execPath, [resolve("scripts", name), ...files], { encoding: "utf8", stdio: "pipe" });
}
