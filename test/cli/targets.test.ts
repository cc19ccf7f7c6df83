/** `--target TYPE/NAME`. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { Desk } from "./harness.ts";

let desk: Desk;

beforeAll(async () => {
  desk = await Desk.open();
});
afterAll(() => desk.close());

test("only the resource of that type and name", async () => {
  desk.program('new landform.Page("a", {});\nnew landform.Page("b", {});\nnew landform.Page("ab", {});');
  const { code, stdout } = await desk.run(["preview", "--target", "Page/a"]);
  expect(code).toBe(0);
  expect(stdout).toContain("+ Page a\n");
  expect(stdout).toContain("1 to create");
});
