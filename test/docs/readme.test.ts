/** Everything in the README is tested: its YAML is deployed as it stands, and its commands run in order, and so do the examples' programs. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { deploy, startTestAccount, type TestAccount } from "../../stack/testing.ts";
import { visit } from "../examples/visit.ts";
import { blocksOf, repository, type Block } from "./markdown.ts";

const run = promisify(execFile);
const readme = readFileSync(join(repository, "README.md"), "utf8");
const CLI = join(repository, "dist/cli/main.js");

/** Commands that the test doesn't run, with the reason. */
const NOT_RUN: Readonly<Record<string, string>> = {
  "npm install ../landform-0.1.0.tgz": "installs; test/package does so from the archive",
  "npx landform emulator --tour": "waits for keys; the tour has a test of its own",
};

// Each part runs a program several times, and the commands do so nine times.
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

let account: TestAccount;
beforeEach(async () => {
  account = await startTestAccount();
});
afterEach(() => account.close());

function blocks(language: string): Block[] {
  return blocksOf(readme).filter((block) => block.language === language);
}

test("every block is of a language that is tested here", () => {
  expect(new Set(blocksOf(readme).map(({ language }) => language))).toEqual(new Set(["sh", "yaml"]));
});

test("it is read in one go", () => {
  expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(6_144);
});

test("the YAML funnel is deployed, and a second preview is empty", async () => {
  const project = write("yaml", {
    "landform.yaml": blocks("yaml")[0]?.text ?? "",
  });
  await deploysOnce(project, "A mug worth getting up for");
});

test("the program that tests a program runs", { tags: ["thorough"] }, async () => {
  const examples = readFileSync(join(repository, "docs/examples.md"), "utf8");
  const block = blocksOf(examples).find(({ text }) => text.includes("landform/testing"));
  const file = join(folder, "testing.ts");
  writeFileSync(file, block?.text ?? "");
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  const { stdout } = await run(process.execPath, [file], { cwd: repository });
  expect(stdout).toMatch(/^5 \[[^\]]*\/offer/);
});

test("the commands run in their order", { tags: ["thorough"] }, async () => {
  const project = write("commands", { "landform.yaml": blocks("yaml")[0]?.text ?? "" });
  const ran: string[] = [];
  for (const command of blocks("sh").flatMap(({ text }) => commandsOf(text))) {
    if (command in NOT_RUN) continue;
    await landform(command, project);
    ran.push(command);
  }
  expect(ran.length).toBeGreaterThan(4);
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

function commandsOf(text: string): string[] {
  return text.split("\n").flatMap((line) => line.replace(/\s*#.*/, "").trim() || []);
}

/** Answers in advance, because there is no terminal to ask before a change. */
async function landform(command: string, cwd: string): Promise<void> {
  expect(command).toMatch(/^npx landform /);
  const words = command.split(" ").slice(2);
  const asks = ["up", "undo", "destroy"].includes(words[0] ?? "") && !words.includes("--plan");
  const env = { ...process.env, ...account.env, PULUMI_CONFIG_PASSPHRASE: "" };
  const args = [CLI, ...words, ...(asks ? ["--yes"] : [])];
  await run(process.execPath, args, { cwd, env }).catch((error: unknown) => {
    throw new Error(`${command}: ${JSON.stringify(error)}`);
  });
}
