/** Refusals before anything is sent, with their exit code. */
import { existsSync } from "node:fs";
import { beforeEach, expect, test } from "vitest";
import { FileBackend } from "../../engine/index.ts";
import type { JsonReport as Report } from "../../stack/report/json.ts";
import { NearDesk } from "./near-desk.ts";
import { forAllTests, inTest } from "../suite/opened.ts";
import { outputOf } from "./harness.ts";
import { thorough } from "../suite/parts.ts";

const desk = forAllTests(() => NearDesk.open());

beforeEach(() => {
  desk.emulator.requests.length = 0;
});

const LONG = "A brief about the brand, its customers and what it offers them, word by word. ".repeat(3);

test("a folder without a project", async () => {
  expect(await outputOf(4, desk.run(["preview"]))).toContain("`npx landform init` makes a project");
});

test.each([
  [["preveiw"], 'did you mean "preview"?'],
  [["preview", "--stcak", "x"], "Did you mean --stack?"],
  [["preview", "--engine", "other"], "Allowed choices are auto, pulumi, embedded"],
  [["up", "--max-deletes", "some"], "a number such as 5, or a share such as 30%"],
  [["up", "--parallel", "0"], "a whole number of at least 1"],
  [["emulator", "--port", "99999"], "It is a port, 65535 at most"],
  [["env", "up", "--pr", "1e3"], "a whole number of at least 1"],
])("options: %j", { tags: ["thorough"] }, async (args, message) => {
  expect(await outputOf(4, desk.run(args))).toContain(message);
});

test("no command: the help where it can be read, and no success", async () => {
  const { code, stdout, stderr } = await desk.run([]);
  expect([code, stdout.startsWith("Usage: landform"), stderr]).toEqual([4, true, ""]);
});

test("no address and no key: the lines that set them", async () => {
  desk.program('new landform.Page("a", {});');
  const env = { LANDFORM_BASE_URL: undefined, LANDFORM_API_KEY: undefined };
  const told = await outputOf(4, desk.run(["preview"], { env }));
  expect(told).toContain("  export LANDFORM_BASE_URL=https://HOST/v1\n  export LANDFORM_API_KEY=KEY\n");
  expect(told).toContain("landform emulator");
});

const WAITS = /ended before it was done:\n {2}- landform:Page "a" waits for the value of its input property "tags"/;

test.each([
  ["throws", "const names: string[] = [];\nnew landform.Page(names[0].trim(), {});", /index\.ts:3:\d+: TypeError/],
  ["syntax", "const x = ;", /index\.ts:2: [^]*SyntaxError/],
  [
    "no number",
    'new landform.Product("p", { price: 0 / 0 });',
    /index\.ts:2:\d+: TypeError: Product "p": price is NaN/,
  ],
  ["inputs", 'new landform.Page("a", { titel: "x" } as never);', /unknown property "titel"/],
  ["names nobody exports", 'import { Pge } from "landform";', /index\.ts:2:10: "landform" exports nothing called Pge/],
  ["waits for ever", 'new landform.Page("a", { tags: [new Promise<string>(() => undefined)] });', WAITS],
  ["never ends", "await new Promise(() => undefined);", /did not come to its end: an `await` in it/],
  [
    "leaves",
    'new landform.Page("a", {});\nprocess.exit(0);',
    /index\.ts:3:\d+: Error: the program calls process\.exit\(0\)/,
  ],
  [
    "leaves later",
    "setTimeout(() => process.exit(3), 1);",
    /index\.ts:2:\d+: Error: the program calls process\.exit\(3\)/,
  ],
  ["leaves a rejection", 'void Promise.reject(new Error("left alone"));', /index\.ts:2:\d+: Error: left alone/],
  ["twice", 'new landform.Page("a", {});\nnew landform.Page("a", {});', /two resources .* named "a"/],
])("a program that is wrong (%s)", { tags: ["thorough"] }, async (_, body, message) => {
  desk.program(body);
  const { code, stdout, stderr } = await desk.apart(["up", "--yes"]);
  expect(stdout + stderr).toMatch(message);
  expect(stdout + stderr).not.toMatch(/^\s+at |PULUMI_DEBUG_PROMISE_LEAKS/m);
  expect(code).toBe(4);
  expect(desk.emulator.requests).toEqual([]);
});

thorough("an engine that is not there", async () => {
  expect(await outputOf(4, desk.run(["preview", "--engine", "pulumi"]))).toContain("run with --engine embedded");
});

thorough("too many deletions, and what allows them", async () => {
  const projects = (count: number) =>
    `for (let i = 0; i < ${count}; i++) new landform.Project("p" + i, { description: "${LONG}", context: "${LONG}" });`;
  desk.program(projects(12));
  expect((await desk.run(["up", "--yes"])).code).toBe(0);
  desk.writes();
  desk.program(projects(8));
  const refused = await outputOf(3, desk.run(["up", "--yes"]));
  expect(refused).toContain("this plan deletes 4: 4 of 12 resources (33 %), and the limit is 30 %");
  expect(refused).toContain("--max-deletes 4");
  expect(desk.writes()).toEqual([]);
  expect((await desk.run(["up", "--yes", "--max-deletes", "3"])).code).toBe(3);
  expect((await desk.run(["up", "--yes", "--max-deletes", "4"])).code).toBe(0);
  expect(desk.writes()).toHaveLength(4);
});

test("a locked stack: who holds it, and the remedy", async () => {
  const backend = await FileBackend.open(desk.folder);
  const lock = await backend.lock({ project: "test", stack: "dev" });
  const { code, stderr } = await desk.run(["up", "--yes"]);
  await lock.release();
  expect(code).toBe(1);
  expect(stderr).toContain(`process ${process.pid}`);
  expect(stderr).toContain("landform state unlock");
});

thorough("a wrong passphrase, and none", async () => {
  expect(await outputOf(4, desk.run(["preview"], { env: { PULUMI_CONFIG_PASSPHRASE: "wrong" } }))).toContain(
    "wrong passphrase",
  );
  expect(await outputOf(4, desk.run(["preview"], { env: { PULUMI_CONFIG_PASSPHRASE: undefined } }))).toContain(
    "need a passphrase, and none is set",
  );
});

thorough("a service that refuses is a failure, and the next run carries on", async () => {
  desk.program(`new landform.Project("new", { description: "Another: ${LONG}", context: "Another: ${LONG}" });`);
  desk.emulator.faults.add({ method: "POST", path: "/projects", phase: "status", status: 403 });
  const told = await outputOf(1, desk.run(["up", "--yes", "--force", "--junit", "report.xml"]));
  expect(told).toContain("POST /projects");
  expect(told).toContain("npx landform up carries on where this one stopped");
  expect(desk.read("report.xml")).toMatch(/<testcase [^>]*name="create Project new"><failure message="/);
  expect((await desk.run(["up", "--yes", "--force"])).code).toBe(0);
});

test.each([
  ["an unknown option", ["preview", "--json", "--stcak", "x"], 4, "program"],
  ["an option's value", ["up", "--max-deletes", "some", "--json"], 4, "program"],
  ["nobody to ask", ["up", "--json"], 4, "program"],
  ["a limit", ["destroy", "--yes", "--max-deletes", "0", "--json"], 3, "refused"],
  ["no such target", ["refresh", "--json", "--target", "Page/nobody"], 4, "program"],
  ["no folder", ["drift", "--json", "-C", "nowhere"], 4, "program"],
])("with --json there is a report in any case: %s", { tags: ["thorough"] }, async (_, args, exitCode, cause) => {
  desk.program('new landform.Site("a", { name: "a.example" });');
  if (cause === "refused") expect((await desk.run(["up", "--yes", "--force"])).code).toBe(0);
  const { code, stdout, stderr } = await desk.run(args);
  expect([code, stderr]).toEqual([exitCode, expect.stringContaining("error: ")]);
  const { failures, ...report } = JSON.parse(stdout) as Report;
  expect(report).toMatchObject({ version: 1, command: args[0], result: "failed" });
  expect(failures).toEqual([{ cause, message: expect.any(String) as string }]);
});

thorough("a mistyped argument does nothing to the terminal or the runner that it is told on", async () => {
  for (const argument of ["up\u001b[2J\n::error::x", "--x\u001b]0;t\u0007\n::error::x"]) {
    const { code, stderr } = await desk.run([argument]);
    expect(code).toBe(4);
    expect(stderr).toContain("␛");
    // eslint-disable-next-line no-control-regex -- that is what is looked for
    expect(stderr).not.toMatch(/[\u001b\u0007]|^::/m);
  }
});

thorough("a manifest that is wrong: the report has its line", async () => {
  const other = await NearDesk.open();
  other.write("landform.yaml", "landform: 1\npages:\n  p: { titel: x }\n");
  const { code, stdout } = await other.run(["preview", "--json", "--junit", "report.xml"]);
  await other.close();
  expect(code).toBe(4);
  const { failures } = JSON.parse(stdout) as Report;
  expect(failures).toMatchObject([
    { cause: "program", message: expect.stringContaining("landform.yaml:3:8") as string },
  ]);
});

test.each([
  [["landform:apikey", "x"], "", "Did you mean landform:apiKey? Known are baseUrl, apiKey"],
  [["landform:baseURL", "http://x"], "", "Did you mean landform:baseUrl?"],
  [["--secret", "landform:apiKey"], "\n", "the value of landform:apiKey is empty"],
])("a setting of its own that would do nothing: %j", { tags: ["thorough"] }, async (args, stdin, message) => {
  const own = await inTest(NearDesk.open("quickstart-yaml"));
  expect(await outputOf(4, own.run(["config", "set", ...args], { stdin }))).toContain(message);
  expect(existsSync(own.path("Pulumi.dev.yaml"))).toBe(false);
  expect((await own.run(["config", "set", "colour", ""])).code).toBe(0);
  expect((await own.run(["config", "set", "landform:timeoutMs", "5000"])).code).toBe(0);
});
