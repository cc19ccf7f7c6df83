/** Refusals before anything is sent, with their exit code. */
import { beforeEach, expect, test } from "vitest";
import { FileBackend } from "../../engine/index.ts";
import { NearDesk } from "./near-desk.ts";

const desk = NearDesk.all();

beforeEach(() => {
  desk.emulator.requests.length = 0;
});

test("a folder without a project", async () =>
  expect(await desk.says(4, "preview")).toContain("npx landform init makes a project."));

test.each([
  [["preveiw"], 'did you mean "preview"?'],
  [["preview", "--stcak", "x"], "Did you mean --stack?"],
  [["preview", "--engine", "other"], "Allowed choices are auto, pulumi, embedded"],
  [["up", "--max-deletes", "some"], "a number such as 5, or a share such as 30%"],
  [["up", "--parallel", "0"], "a whole number of at least 1"],
  [["emulator", "--port", "99999"], "It has to be a port, 65535 at most"],
  [["env", "up", "--pr", "1e3"], "a whole number of at least 1"],
])("options: %j", { tags: ["thorough"] }, async (args, message) => {
  expect(await desk.says(4, ...args)).toContain(message);
});

test("without a command, the help is printed to stdout, and the code is 4", async () => {
  const { code, stdout, stderr } = await desk.run([]);
  expect([code, stdout.startsWith("Usage: landform"), stderr]).toEqual([4, true, ""]);
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
  ["inputs", 'new landform.Page("a", { titel: "x" } as never);', /there is no property "titel"/],
  ["names nobody exports", 'import { Pge } from "landform";', /index\.ts:2: [^]*export named 'Pge'/],
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
  const { code, stdout, stderr } = await desk.program(body).apart(["up", "--yes"]);
  expect(stdout + stderr).toMatch(message);
  expect(stdout + stderr).not.toMatch(/^\s+at |PULUMI_DEBUG_PROMISE_LEAKS/m);
  expect(code).toBe(4);
  expect(desk.emulator.requests).toEqual([]);
});

test("a locked stack: who holds it, and the remedy", async () => {
  desk.program("");
  const backend = await FileBackend.open(desk.folder);
  const lock = await backend.lock({ project: "test", stack: "dev" });
  const { code, stderr } = await desk.run(["up", "--yes"]);
  await lock.release();
  expect(code).toBe(1);
  expect(stderr).toContain(`process ${process.pid}`);
  expect(stderr).toContain("landform state unlock");
});
