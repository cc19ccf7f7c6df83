/** Landform refuses a key of another account before it writes anything, whatever the program registers first. */
import { expect } from "vitest";
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
