// @module-tag thorough
/** The oldest SDK that the package supports, installed beside it as a user has it. From npm, as in pack.test.ts. */
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startEmulator } from "../../emulator/index.ts";
import { forAllTests } from "../suite/opened.ts";

vi.setConfig({ testTimeout: 240_000 });

const root = join(import.meta.dirname, "../..");
const { peerDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  peerDependencies: Record<string, string>;
};
const oldest = (peerDependencies["@pulumi/pulumi"] ?? "").replace("^", "");

let folder: string;
const emulator = forAllTests(() => startEmulator());

async function run(cwd: string, command: string, ...args: string[]): Promise<string> {
  const env = {
    ...process.env,
    LANDFORM_BASE_URL: emulator.baseUrl,
    LANDFORM_API_KEY: emulator.apiKey,
    PULUMI_CONFIG_PASSPHRASE: "",
  };
  const { stdout, stderr } = await promisify(execFile)(command, args, { cwd, env });
  return stdout + stderr;
}

/** A second preview exits with 0 if nothing is planned. */
async function upTwice(cwd: string): Promise<string> {
  const landform = join(folder, "node_modules/.bin/landform");
  const said = await run(cwd, landform, "up", "--yes", "--engine", "embedded");
  expect(await run(cwd, landform, "preview", "--engine", "embedded", "--detailed-exitcode")).toContain("no changes");
  return said;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "landform-oldest-"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "consumer", private: true }));
  await run(root, "npm", "pack", "--ignore-scripts", "--pack-destination", folder);
  const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "";
  const quietly = ["--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"];
  await run(folder, "npm", "install", ...quietly, `./${tarball}`, `@pulumi/pulumi@${oldest}`);
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("it is the one that runs", () => {
  const installed = readFileSync(join(folder, "node_modules/@pulumi/pulumi/package.json"), "utf8");
  expect((JSON.parse(installed) as { version: string }).version).toBe(oldest);
});

test("an example goes up, and plans nothing afterwards", async () => {
  const project = join(folder, "example");
  cpSync(join(root, "examples/funnel-with-products"), project, { recursive: true });
  expect(await upTwice(project)).toContain("10 created");
});

test("a program with a provider of its own, a component and secrets", async () => {
  const project = join(folder, "own");
  mkdirSync(project);
  symlinkSync(join(folder, "node_modules"), join(project, "node_modules"));
  writeFileSync(join(project, "Pulumi.yaml"), "name: own\nruntime: nodejs\nmain: index.cjs\n");
  writeFileSync(
    join(project, "index.cjs"),
    `const pulumi = require("@pulumi/pulumi");
    const landform = require("landform");
    const provider = { create: async (inputs) => ({ id: "own-" + inputs.size, outs: inputs }), diff: async () => ({ changes: false }) };
    class Own extends pulumi.dynamic.Resource { constructor(name, args, opts) { super(provider, name, args, opts); } }
    class Group extends pulumi.ComponentResource {
      constructor(name) {
        super("test:Group", name);
        this.own = new Own("own", { size: 3, word: pulumi.secret("hush") }, { parent: this });
        this.registerOutputs({ id: this.own.id });
      }
    }
    const group = new Group("group");
    const project = new landform.Project("project", { name: "Own", description: "A project of a program with a provider of its own.", context: "Handmade mugs. ".repeat(20) });
    exports.id = group.own.id;
    exports.project = project.id;`,
  );
  const said = await upTwice(project);
  expect(said).toMatch(/id\s+own-3/);
  expect(said).not.toContain("hush");
});
