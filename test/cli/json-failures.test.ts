// @module-tag thorough
/** A command with --json prints JSON even if it fails: the report, by its schema, and the message on standard error. */
import { mkdirSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import type { Command } from "commander";
import { createProgram } from "../../cli/cli.ts";
import { nameWithin, optionsOf } from "../../cli/groups.ts";
import { problemsOf } from "../reports/schema.ts";
import { NearDesk } from "./near-desk.ts";
import { forAllTests } from "../suite/opened.ts";

/** The commands that take --json, with their other arguments. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  adopt: ["adopt"],
  check: ["check"],
  "ci apply": ["ci", "apply"],
  "ci drift": ["ci", "drift"],
  "ci plan": ["ci", "plan"],
  "ci preview": ["ci", "preview"],
  "config ls": ["config", "ls", "--show-secrets"],
  destroy: ["destroy", "--yes"],
  doctor: ["doctor"],
  drift: ["drift"],
  "env down": ["env", "down", "pr-1", "--yes"],
  "env gc": ["env", "gc", "--yes"],
  "env list": ["env", "list"],
  "env up": ["env", "up", "--pr", "1", "--yes"],
  export: ["export", "-o", "."],
  history: ["history", "20200101"],
  output: ["output", "nope"],
  preview: ["preview"],
  refresh: ["refresh"],
  "stack ls": ["stack", "ls"],
  "templates keys": ["templates", "keys", "nope"],
  "templates ls": ["templates", "ls"],
  undo: ["undo", "--yes"],
  up: ["up", "--yes"],
  where: ["where", "nope"],
};

/** These commands always print JSON of their own form, which contains the failure. */
const TELLS_ITSELF = new Set(["check", "doctor", "where"]);
/** Its JSON is the program's own values, so a report could be taken for them. */
const PRINTS_VALUES = new Set(["output"]);
const ALL = Object.keys(ARGUMENTS);

const desk = forAllTests(() => NearDesk.open(undefined, { seed: "empty" }));
beforeAll(async () => {
  const products = { mug: { name: "Mug", price: 2 } };
  await desk.declare(JSON.stringify({ landform: 1, name: "test", products })).up();
  expect((await desk.run(["config", "set", "--secret", "token"], { stdin: "hush" })).code).toBe(0);
  mkdirSync(desk.path("empty"));
});

const DOWN = { LANDFORM_BASE_URL: "http://127.0.0.1:9/v1", LANDFORM_TIMEOUT_MS: "300" };
const FAILURES: readonly (readonly [string, { env?: Record<string, string>; more?: readonly string[] }])[] = [
  ["an option that isn't there", { more: ["--nope"] }],
  ["no project", { more: ["-C", "empty"] }],
  ["an unknown stack", { more: ["-s", "typo"] }],
  ["no key", { env: { LANDFORM_API_KEY: "" } }],
  ["a service that is down", { env: DOWN }],
  ["a wrong passphrase", { env: { PULUMI_CONFIG_PASSPHRASE: "wrong" } }],
];

test("every command that takes --json is here", async () => {
  const leaves = (command: Command): Command[] =>
    command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
  const taking = leaves(await createProgram()).filter((command) =>
    optionsOf(command).some(({ long }) => long === "--json"),
  );
  expect(taking.map(nameWithin).sort()).toEqual([...ALL].sort());
});

test.each(ALL.flatMap((command) => FAILURES.map(([why, given]) => [command, why, given] as const)))(
  "%s: %s",
  async (command, _, { env = {}, more = [] }) => {
    const { code, stdout, stderr } = await desk.run([...(ARGUMENTS[command] ?? []), ...more, "--json"], { env });
    // Not every command needs a service, a key or a passphrase.
    if (code === 0) return;
    expect([1, 3, 4]).toContain(code);
    if (PRINTS_VALUES.has(command)) {
      expect([stdout, stderr]).toEqual(["", expect.stringMatching(/error: /)]);
      return;
    }
    const printed = JSON.parse(stdout) as { result?: string; command?: string; failures?: { message: string }[] };
    if (TELLS_ITSELF.has(command) && printed.result === undefined) return;
    expect(problemsOf(printed)).toEqual([]);
    expect(printed.result).toBe("failed");
    expect(printed.failures).not.toEqual([]);
    expect(stderr).not.toBe("");
  },
);

test("a ci preview that fails calls itself an up, and with --down a destroy", async () => {
  const commandOf = async (...more: string[]): Promise<unknown> => {
    const { code, stdout } = await desk.run(["ci", "preview", ...more, "--json"]);
    return [code, (JSON.parse(stdout) as { command: string }).command];
  };
  expect([await commandOf(), await commandOf("--down")]).toEqual([
    [4, "up"],
    [4, "destroy"],
  ]);
});
