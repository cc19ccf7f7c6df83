/** An empty variable of a job leaves an argument empty. The argument then names nothing: neither the last run nor every text. */
import { beforeAll, expect, test } from "vitest";
import { WalkDesk } from "./desk.ts";
import { forAllTests } from "../suite/opened.ts";

const desk = forAllTests(() => WalkDesk.open());
beforeAll(async () => {
  desk.declare({ landform: 1, name: "blanks", products: { mug: { name: "Mug", price: 1 } } });
  await desk.command("up", "--yes");
});

test.each([
  [["undo", "", "--yes"], /id of the run is empty/],
  [["undo", "  ", "--yes"], /id of the run is empty/],
  [["history", ""], /id of the run is empty/],
  [["where", ""], /no text to look for/],
  [["where", " \t"], /no text to look for/],
])("%j", async (args, says) => {
  const manifest = desk.read("landform.yaml");
  const { code, printed } = await desk.command(...args);
  expect(printed).toMatch(says);
  expect(code).toBe(4);
  expect(desk.read("landform.yaml")).toBe(manifest);
  expect(desk.state()).toHaveLength(1);
});
