/** A command that fails says why. A plan that it has printed before is no reason. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { breakSilence, tellError } from "../../cli/end.ts";
import { exitCodes } from "../../stack/exit/codes.ts";
import { forgetTold, print } from "../../story/print.ts";
import { saysWhy } from "./harness.ts";

const said: string[] = [];
beforeEach(() => {
  said.length = 0;
  forgetTold();
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, "write").mockImplementation((text) => said.push(String(text)) > 0);
});
afterEach(() => vi.restoreAllMocks());

test("a printed plan is no reason, an error is one, and the tests of all commands refuse the first", () => {
  print("+ Page offer");
  breakSilence(exitCodes.failed, "up");
  expect(said.join("")).toContain("npx landform up ended with 1 and told nothing of why");
  const ended = { code: 1, stdout: "", stderr: said.join("") };
  expect(() => saysWhy(["up"], ended)).toThrow("did not say why");
  said.length = 0;
  tellError("the site is gone");
  breakSilence(exitCodes.failed, "up");
  expect(said.join("")).toBe("error: the site is gone\n");
  expect(saysWhy(["up"], { code: 1, stdout: "", stderr: said.join("") }).code).toBe(1);
});

test("no change is no failure", () => {
  breakSilence(exitCodes.changes, "preview");
  expect(said).toEqual([]);
});
