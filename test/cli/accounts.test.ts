/** Landform refuses a key of another account before it writes anything, whatever the program registers first. */
import { expect, test } from "vitest";
import { inTheApp } from "../suite/app.ts";
import { NearDesk } from "./near-desk.ts";
import { forEachTest } from "../suite/opened.ts";
import { outputOf } from "./harness.ts";
import { thorough } from "../suite/parts.ts";

const desk = forEachTest(() => NearDesk.open());
const other = forEachTest(() => NearDesk.open());

thorough(
  "a creation that comes before all that exists",
  async () => {
    const old = `new landform.Product("old", { price: 1 });`;
    const first = `const first = new landform.Product("first", { price: 2 });`;
    desk.program(old);
    expect((await desk.run(["up", "--yes"])).code).toBe(0);
    desk.program(`${first}\nnew landform.Product("old", { price: 1 }, { dependsOn: [first] });`);
    desk.writes();
    const { LANDFORM_BASE_URL, LANDFORM_API_KEY } = other.env;
    expect(await outputOf(1, desk.run(["up", "--yes"], { env: { LANDFORM_BASE_URL, LANDFORM_API_KEY } }))).toMatch(
      /key belongs to account/,
    );
    expect([...desk.writes(), ...other.writes()]).toEqual([]);
    expect((await desk.run(["up", "--yes"])).stdout).toContain("1 created, 1 unchanged");
    const drift = await desk.run(["drift"], { env: { LANDFORM_BASE_URL, LANDFORM_API_KEY } });
    expect((drift.stdout + drift.stderr).match(/key belongs to account.*/g)).toEqual([
      expect.stringContaining("(2 resources)"),
    ]);
    expect((await desk.run(["preview", "--detailed-exitcode"])).code).toBe(0);
  },
  180_000,
);

test("drift --unmanaged looks at every account of the stack, or says which one it could not", async () => {
  desk.program(`
const b = new landform.Account("b", { baseUrl: "${other.emulator.baseUrl}", apiKeyEnv: "KEY_B" });
new landform.Page("home", {});
new landform.Page("offer", {}, { provider: b });`);
  const KEY_B = other.emulator.apiKey;
  const run = (args: readonly string[], key = KEY_B) => desk.run(args, { env: { KEY_B: key } });
  expect((await run(["up", "--yes"])).code).toBe(0);
  await inTheApp(desk, "POST", "/pages", { name: "By hand" });
  await inTheApp(other, "POST", "/pages", { name: "By hand" });
  const { code, stdout } = await run(["drift", "--unmanaged"]);
  expect(code, stdout).toBe(0);
  expect(stdout.match(/Page "[^"]*"/g)).toEqual(['Page "By hand"', 'Page "By hand"']);
  // The second entry says in which account it is, and has a key of its own.
  expect(stdout).toMatch(/ {2}by-hand:\n(?!.*account: b.*Page).* {2}by-hand-2:\n.*account: b/s);
  other.emulator.faults.add({ method: "GET", path: "/pages", phase: "status", status: 403, times: Infinity });
  const half = await run(["drift", "--unmanaged"]);
  expect(half.stdout + half.stderr).toMatch(/403/);
  other.emulator.faults.clear();
  expect((await run(["preview", "--detailed-exitcode"])).code).toBe(0);
});
