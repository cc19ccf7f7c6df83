// @module-tag thorough
/** A command with --json prints JSON even if it fails: the report, by its schema, and the message on standard error. */
import { mkdirSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { createProgram } from "../../cli/cli.ts";
import { calledIn, nameWithin, optionsOf } from "../../cli/groups.ts";
import { problemsOf } from "../reports/schema.ts";
import { leavesOf } from "./leaves.ts";
import { NearDesk } from "./near-desk.ts";
import { forAllTests } from "../suite/opened.ts";

/** The commands that take --json, with their other arguments. */
const LINES =
  `adopt, check, ci apply, ci drift, ci plan, ci preview, config ls --show-secrets, destroy --yes, doctor, drift,
  env down pr-1 --yes, env gc --yes, env list, env up --pr 1 --yes, export -o ., history 20200101, output nope, preview, refresh,
  stack ls, templates keys nope, templates ls, undo --yes, up --yes, where nope`.split(/,\s+/);

/** These commands always print JSON of their own form, which contains the failure. */
const TELLS_ITSELF = /^(check|doctor|where)\b/;
/** Its JSON is the program's own values, so a report could be taken for them. */
const PRINTS_VALUES = /^output\b/;

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
  const program = await createProgram();
  const taking = leavesOf(program).filter((command) => optionsOf(command).some(({ long }) => long === "--json"));
  const called = LINES.flatMap((line) => calledIn(program, line.split(" ")) ?? []);
  expect(called.map(nameWithin).sort()).toEqual(taking.map(nameWithin).sort());
});

test.each(LINES.flatMap((line) => FAILURES.map(([why, given]) => [line, why, given] as const)))(
  "%s: %s",
  async (line, _, { env = {}, more = [] }) => {
    const { code, stdout, stderr } = await desk.run([...line.split(" "), ...more, "--json"], { env });
    // Not every command needs a service, a key or a passphrase.
    if (code === 0) return;
    expect([1, 3, 4]).toContain(code);
    if (PRINTS_VALUES.test(line)) {
      expect([stdout, stderr]).toEqual(["", expect.stringMatching(/error: /)]);
      return;
    }
    const printed = JSON.parse(stdout) as { result?: string; command?: string; failures?: { message: string }[] };
    if (TELLS_ITSELF.test(line) && printed.result === undefined) return;
    expect(problemsOf(printed)).toEqual([]);
    expect(printed.result).toBe("failed");
    expect(printed.failures).not.toEqual([]);
    expect(stderr).not.toBe("");
  },
);

test("a ci preview that fails calls itself an up, and with --down a destroy", async () => {
  for (const [command, ...more] of [["up"], ["destroy", "--down"]]) {
    const { code, stdout } = await desk.run(["ci", "preview", ...more, "--json"]);
    expect([code, JSON.parse(stdout)]).toMatchObject([4, { command }]);
  }
});
