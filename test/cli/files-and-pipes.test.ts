/** Files in options, and readers that are slow or leave: no output is cut, nothing crashes, and nothing is sent in vain. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, statSync, symlinkSync } from "node:fs";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { NearDesk } from "./near-desk.ts";
import { thorough } from "../suite/parts.ts";

const desk = NearDesk.all();
beforeAll(() => {
  const tags = Array.from({ length: 4_000 }, (_, index) => `a tag of some length, the number ${index}`);
  desk.program(`new landform.Page("a", { tags: ${JSON.stringify(tags)} });`);
});

/** Runs the command with a reader that begins late. */
async function readLate(...args: string[]): Promise<{ code: unknown; text: string }> {
  const child = desk.start(args);
  child.stdin.end();
  child.stderr.resume();
  await wait(4_000);
  const [read, [code]] = await Promise.all([text(child.stdout), once(child, "close") as Promise<unknown[]>]);
  return { code, text: read };
}

thorough("JSON to a pipe is whole, however slowly it is read", async () => {
  const preview = await readLate("preview", "--json");
  expect(preview.code).toBe(0);
  expect(preview.text.length).toBeGreaterThan(2 * 65_536);
  expect(JSON.parse(preview.text)).toMatchObject({ result: "succeeded", counts: { create: 1 } });
  await desk.up();
  const state = await readLate("state", "export");
  expect(state.text.length).toBeGreaterThan(2 * 65_536);
  expect((JSON.parse(state.text) as { deployment: object }).deployment).toHaveProperty("resources");
});

thorough("a reader that leaves is no crash", async () => {
  const script = `${desk.command("state", "export").join(" ")} | head -c 10; exit "\${PIPESTATUS[0]}"`;
  const child = spawn("bash", ["-c", script], { cwd: desk.folder, env: desk.env });
  let told = "";
  child.stderr.on("data", (piece) => (told += String(piece)));
  const [code] = (await once(child, "close")) as unknown[];
  expect([code, told]).toEqual([0, ""]);
});

const WRITTEN = ["--save", "--json", "--html", "--markdown", "--junit"];

test("what holds texts and digests is its owner's alone, and shows no control of direction as it is", async () => {
  const own = await NearDesk.own();
  own.program('new landform.Page("a", { tags: ["a\u202Eb"] });');
  own.write("--json", "open to others");
  chmodSync(own.path("--json"), 0o644);
  await own.plan(...WRITTEN.flatMap((option) => [option, `./${option}`]));
  for (const name of WRITTEN) {
    expect([name, statSync(own.path(name)).mode & 0o777]).toEqual([name, 0o600]);
    expect(own.read(name)).not.toContain("\u202E");
  }
  await own.says(0, "up", "--plan", "./--save");
});

test.each(WRITTEN)("%s: nothing is written through a link", async (option) => {
  desk.write("precious", "as it was");
  symlinkSync(desk.path("precious"), desk.path(`link${option}`));
  expect(await desk.says(4, "preview", option, `link${option}`)).toContain("is a symbolic link");
  expect(desk.read("precious")).toBe("as it was");
  await desk.plan(option, "/dev/null");
});

test.each([
  [["up", "--yes", "--markdown", "/proc/x/y.md"], "--markdown /proc/x/y.md can't be written"],
  [["up", "--yes", "--junit", "."], "--junit . is a folder"],
  [["preview", "--save", "index.ts/plan"], "--save index.ts/plan can't be written"],
  [["up", "--plan", "none.json"], "--plan none.json can't be read: it does not exist"],
  [["up", "--plan", "."], "--plan . is a folder"],
  [["state", "import", "--file", "none.json"], "--file none.json can't be read"],
  [["state", "import", "--file", "package.json"], "not an exported state"],
  [["state", "export", "--file", "/proc/x/y"], "--file /proc/x/y can't be written"],
  [["export", "-o", "index.ts"], "index.ts"],
  [["init", "index.ts", "--yes"], "index.ts"],
  [["init", "/proc/x", "--yes"], "/proc/x"],
  [["emulator", "--faults", "none.json"], "none.json"],
])("%j: said in words, with 4", { tags: ["thorough"] }, async (args, message) => {
  desk.emulator.requests.length = 0;
  const { code, stderr } = await desk.run(args);
  expect([code, stderr]).toEqual([4, expect.stringContaining(message)]);
  expect(stderr).not.toMatch(/ENOENT|EEXIST|ENOTDIR|EISDIR|^\s+at /m);
  expect(desk.writes()).toEqual([]);
});
