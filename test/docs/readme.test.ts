/** The README is short, and its YAML is deployed as it stands. test/docs/guides.test.ts carries out its commands. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { deploy, startTestAccount } from "../../stack/testing.ts";
import { visit } from "../examples/visit.ts";
import { blocksOf, repository, type Block } from "./markdown.ts";
import { forEachTest } from "../suite/opened.ts";
import { thorough } from "../suite/parts.ts";

const run = promisify(execFile);
const readme = readFileSync(join(repository, "README.md"), "utf8");

// Each part runs a program several times.
vi.setConfig({ testTimeout: 300_000 });

let folder: string;
beforeAll(() => {
  mkdirSync(join(repository, ".cache"), { recursive: true });
  // The folder is inside the repository, where "landform" is found as in a user's project.
  folder = mkdtempSync(join(repository, ".cache/readme-"));
  // The files that `init` writes for a CI go into the repository's folder. This one stands for the reader's.
  mkdirSync(join(folder, ".git"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const account = forEachTest(() => startTestAccount());

const blocks = (language: string): Block[] => blocksOf(readme).filter((block) => block.language === language);

test("every block is of a language that is tested here", () =>
  expect(new Set(blocksOf(readme).map(({ language }) => language))).toEqual(new Set(["sh", "yaml"])));

test("it is read in one go", () => expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(6_144));

test("the YAML funnel is deployed, and a second preview is empty", async () => {
  const project = write("yaml", {
    "landform.yaml": blocks("yaml")[0]?.text ?? "",
  });
  await deploysOnce(project, "A mug worth getting up for");
});

thorough("the program that tests a program runs", async () => {
  const examples = readFileSync(join(repository, "docs/examples.md"), "utf8");
  const block = blocksOf(examples).find(({ text }) => text.includes("landform/testing"));
  const file = join(folder, "testing.ts");
  writeFileSync(file, block?.text ?? "");
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  const { stdout } = await run(process.execPath, [file], { cwd: repository });
  expect(stdout).toMatch(/^5 \[[^\]]*\/offer/);
});

async function deploysOnce(project: string, text: string): Promise<void> {
  const up = await deploy(project, { account });
  expect(up.failures).toEqual([]);
  const again = await deploy(project, { account, operation: "preview" });
  expect([again.failures, again.changes]).toEqual([[], []]);
  const url = up.urls.find((address) => address.endsWith("/offer")) ?? "";
  const { status, body } = await visit(url);
  expect([status, body.includes(text)]).toEqual([200, true]);
  const destroyed = await deploy(project, { account, operation: "destroy" });
  expect(destroyed.failures).toEqual([]);
}

function write(name: string, files: Readonly<Record<string, string>>): string {
  const project = join(folder, name);
  mkdirSync(project);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(project, file), text);
  return project;
}
