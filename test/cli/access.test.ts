/** A command without the account's address or key names everything that is missing, and the command to type. */
import { beforeEach, expect, test } from "vitest";
import { NearDesk } from "./near-desk.ts";

const NO_ACCESS = { LANDFORM_BASE_URL: "", LANDFORM_API_KEY: "" };

const desk = NearDesk.each();
beforeEach(() => desk.declare("landform: 1\nname: access\nproducts: { mug: { price: 12.5 } }\n"));

test.each([
  ["preview"],
  ["up", "--yes"],
  ["adopt"],
  ["check", "--online"],
  ["templates", "ls"],
  ["export", "-o", "elsewhere"],
])("%s %s", async (...args) => {
  const { code, stderr } = await desk.run(args, { env: NO_ACCESS });
  expect(code).toBe(4);
  expect(stderr).toContain("LANDFORM_BASE_URL and LANDFORM_API_KEY are not set");
  expect(stderr).toContain("export LANDFORM_API_KEY=KEY");
  expect(stderr).toContain("npx landform emulator");
  expect(stderr.includes("landform config set")).toBe(args[0] !== "export");
  expect(desk.writes()).toEqual([]);
});

test("doctor", async () => {
  const told = await desk.saysWith(NO_ACCESS, 1, "doctor");
  expect(told).toContain("✗ LANDFORM_BASE_URL and LANDFORM_API_KEY are not set");
  for (const way of ["export LANDFORM_API_KEY=KEY", "landform config set", "npx landform emulator"])
    expect(told).toContain(way);
});
