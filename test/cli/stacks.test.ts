// @module-tag thorough
/** `landform output` and `landform stack` show the recorded state without running a program. */
import { existsSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { SECRET_SIG, SIG_KEY, type ExportedStack, type Json } from "../../engine/index.ts";
import { envLine, outputsOf, shellLine } from "../../cli/commands/output.ts";
import { NearDesk } from "./near-desk.ts";

const desk = NearDesk.all();

const PROGRAM = `
import * as pulumi from "@pulumi/pulumi";
const site = new landform.Site("web", { name: "web.example" });
export const siteId = site.id;
export const token = pulumi.secret("hush-hush-2");
export const list = [1, { a: "it's" }];
`;

beforeAll(() => desk.program(PROGRAM).up());

test("output: all, one, as JSON, for a shell and for a .env file", async () => {
  const all = await desk.run(["output"]);
  expect(all.stdout).toMatch(/^list {4}\[1,\{"a":"it's"\}\]\nsiteId {2}site_\w+\ntoken {3}\[secret\]\n$/);
  const id = (await desk.run(["output", "siteId"])).stdout.trim();
  expect(desk.read(".pulumi/stacks/test/dev.json")).toContain(id);
  const json = JSON.parse((await desk.run(["output", "--json"])).stdout) as unknown;
  expect(json).toEqual({ list: [1, { a: "it's" }], siteId: id, token: "[secret]" });
  const shell = await desk.run(["output", "--shell"]);
  expect(shell.stdout).toBe(`list='[1,{"a":"it'\\''s"}]'\nsiteId='${id}'\n`);
  expect(shell.stderr).toContain("left out, since secret: token");
  expect((await desk.run(["output", "token", "--env", "--show-secrets"])).stdout).toBe("token=hush-hush-2\n");
});

test("output: what can't be answered is an error, never an empty answer", async () => {
  const answers = await Promise.all([
    desk.run(["output", "siteID"]),
    desk.run(["output", "token"]),
    desk.run(["output", "-s", "typo"]),
    desk.run(["output", "--json", "--env"]),
    desk.run(["output", "token", "--show-secrets"], { env: { PULUMI_CONFIG_PASSPHRASE: "wrong" } }),
  ]);
  expect(answers.map(({ code, stdout }) => [code, stdout])).toEqual(answers.map(() => [4, ""]));
  const [name, secret, stack, forms, phrase] = answers.map(({ stderr }) => stderr);
  expect(name).toContain('no output "siteID", did you mean "siteId"?');
  expect(secret).toContain("Add --show-secrets");
  expect(stack).toMatch(/no stack "typo" in .*It has dev\./);
  expect(forms).toContain("choose one");
  expect(phrase).toContain("assphrase");
  expect(existsSync(desk.path("Pulumi.typo.yaml"))).toBe(false);
});

test("stack ls lists, stack rm refuses what has resources, and forgets on a word", async () => {
  const list = await desk.run(["stack", "ls"]);
  expect(list.stdout).toMatch(/ {2}dev {2}1 resource, written \d{4}-\d\d-\d\d \d\d:\d\d\n/);
  expect(JSON.parse((await desk.run(["stack", "ls", "--json"])).stdout)).toMatchObject([{ name: "dev", resources: 1 }]);
  expect(await desk.says(3, "stack", "rm", "dev", "--yes")).toContain(
    "npx landform destroy --stack dev deletes them first",
  );
  expect(await desk.says(4, "stack", "rm", "typo", "--yes")).toContain("It has dev.");
  expect(await desk.says(4, "stack", "rm", "dev", "--force")).toContain("not a terminal");
  expect(existsSync(desk.path(".pulumi/stacks/test/dev.json"))).toBe(true);
  desk.writes();
  await desk.says(0, "stack", "rm", "dev", "--force", "--yes");
  expect(desk.writes()).toEqual([]);
  expect((await desk.run(["stack", "ls"])).stdout).toContain("has no stack");
});

test.each<[Json, string, string]>([
  ["plain", "url='plain'", "url=plain"],
  ["https://a.example/b?c=d#e", "url='https://a.example/b?c=d#e'", "url='https://a.example/b?c=d#e'"],
  ["it's", "url='it'\\''s'", 'url="it\'s"'],
  ["two\nlines", "url='two\nlines'", 'url="two\\nlines"'],
  ["$(rm -rf /) `x` \\", "url='$(rm -rf /) `x` \\'", "url='$(rm -rf /) `x` \\'"],
  ['it\'s `x` $(y) "z"', "url='it'\\''s `x` $(y) \"z\"'", 'url="it\'s \\`x\\` \\$(y) \\"z\\""'],
  [12.5, "url='12.5'", "url=12.5"],
  [null, "url='null'", "url=null"],
  ["", "url=''", "url="],
])("%j in a shell and in a .env file", (value, shell, env) => {
  expect([shellLine("url", value), envLine("url", value)]).toEqual([shell, env]);
});

test("a secret within an output hides the whole output until secrets are shown", () => {
  const secret = (fields: Record<string, Json>): Json => ({ [SIG_KEY]: SECRET_SIG, ...fields });
  const exported = (outputs: Record<string, Json>): ExportedStack =>
    ({
      version: 3,
      deployment: { resources: [{ urn: "urn:pulumi:dev::p::pulumi:pulumi:Stack::p-dev", outputs }] },
    }) as unknown as ExportedStack;
  expect(outputsOf(exported({ a: { deep: [secret({ ciphertext: "x" })], open: 1 } }))).toEqual([
    { name: "a", value: undefined, secret: true },
  ]);
  expect(outputsOf(exported({ a: { deep: [secret({ plaintext: '"hush"' })], open: 1 } }))).toEqual([
    { name: "a", value: { deep: ["hush"], open: 1 }, secret: true },
  ]);
  expect(outputsOf({ version: 3, deployment: {} } as unknown as ExportedStack)).toEqual([]);
});
