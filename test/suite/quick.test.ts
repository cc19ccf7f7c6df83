/** What the quick part keeps is there, and what is counted adds up. */
import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { closingLine, type Fate } from "./closing-line.ts";
import { isKept, KEPT, NOTHING } from "./quick.ts";

const root = join(import.meta.dirname, "../..");

test.each(Object.entries(KEPT))("%s keeps tests that it has", (file, kept) => {
  const path = join(root, `${file}.test.ts`);
  expect(existsSync(path)).toBe(true);
  const titles = readFileSync(path, "utf8").match(/"[^"\n]+"|`[^`\n]+`/g) ?? [];
  if (kept !== NOTHING) expect(titles.map((title) => title.slice(1, -1)).some((title) => kept.test(title))).toBe(true);
});

test("a file that is not named is kept whole", () => {
  expect(isKept("test/api/retry.test.ts", "anything")).toBe(true);
  expect(isKept("test/faults/killed-commands.test.ts", "anything")).toBe(false);
});

test("what is repeated more often before a release is run there", () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  const run = scripts["test:faults:full"]?.split(" ").filter((argument) => argument.startsWith("test/")) ?? [];
  const more = globSync("test/**/*.test.ts", { cwd: root }).filter((file) =>
    /\brounds\(\{[^}]*full: /.test(readFileSync(join(root, file), "utf8")),
  );
  expect(more.length).toBeGreaterThan(10);
  expect(more.filter((file) => !run.some((part) => file === part || file.startsWith(`${part}/`)))).toEqual([]);
});

test("the closing line counts every test once, also over two runs", () => {
  const first: Record<string, Fate> = { a: "passed", b: "skipped", c: "skipped", d: "passed" };
  const second: Record<string, Fate> = { b: "passed", d: "failed" };
  expect(closingLine(new Map(Object.entries(first)))).toBe("2 passed, 0 failed, 2 skipped");
  const folder = mkdtempSync(join(tmpdir(), "landform-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files = [first, second].map((fates, index) => {
    const file = join(folder, `${index}`);
    writeFileSync(file, JSON.stringify({ fates, reasons: {}, notRun: [] }));
    return file;
  });
  const told = execFileSync(process.execPath, [join(root, "scripts/summary.mjs"), ...files], { encoding: "utf8" });
  expect(told).toBe("2 passed, 1 failed, 1 skipped\n");
});
