/** A person reads a plan and says yes to it. The code changes meanwhile: the run does what was read, or nothing. */
import { afterEach, expect, test, vi } from "vitest";
import { Output } from "../../cli/output/terminal.ts";
import { exitCodes } from "../../stack/exit/codes.ts";
import { onBothEngines } from "../suite/parts.ts";
import type { Ended } from "./harness.ts";
import { NearDesk } from "./near-desk.ts";

afterEach(() => vi.restoreAllMocks());

const product = (name: string, price = 7): string => `new landform.Product("${name}", { price: ${price} });`;
const page = (title: string, templateId: string): string =>
  `new landform.Page("a", { templateId: "${templateId}", content: { "hero.title": "${title}" }, variables: { brand: "A" } });`;

onBothEngines((engine, path) => {
  const desk = NearDesk.each(engine, path);

  /** Runs an up whose question is answered with yes, after something has happened. */
  function agreed(meanwhile: () => void = () => undefined): Promise<Ended> {
    vi.spyOn(Output.prototype, "interactive", "get").mockReturnValue(true);
    vi.spyOn(Output.prototype, "askApproval").mockImplementation(() => {
      meanwhile();
      return Promise.resolve("y");
    });
    return desk.run(["up"]);
  }

  const declares = (...lines: string[]): unknown => desk.program(lines.join("\n"));

  const prices = (): Record<string, unknown> =>
    Object.fromEntries(desk.rows("products").map(({ name, price }) => [String(name), price]));

  test("what was read is done: something made, changed, replaced and deleted, and nothing is left to do", async () => {
    declares(product("one"), product("two"), page("First", "tpl-hero"));
    expect(await agreed()).toMatchObject({ code: 0, stdout: expect.stringContaining("Done: 3 created") as string });
    declares(product("one", 8), product("three"), page("Second", "tpl-sales"));
    expect(await agreed()).toMatchObject({ code: 0 });
    expect(prices()).toEqual({ one: 8, three: 7 });
    await desk.says(0, "preview", "--detailed-exitcode");
  });

  test("what was not read is not done, and the stack can go on", async () => {
    declares(product("one"), product("two"));
    await desk.applies();
    const planned = [product("one", 8), product("two")];
    const others: [string, string[]][] = [
      ["one is 9", [product("one", 9), product("two")]],
      ["two goes", [product("one", 8)]],
      ["two changes", [product("one", 8), product("two", 1)]],
      ["three comes", [product("one", 8), product("two"), product("three")]],
    ];
    for (const [what, meanwhile] of others) {
      declares(...planned);
      const { code, stdout, stderr } = await agreed(() => void declares(...meanwhile));
      // A part of what was read may have been done before.
      expect([exitCodes.failed, exitCodes.refused], what).toContain(code);
      expect(stdout + stderr, what).toMatch(/error: .*\bplan\b/);
      const { one, ...rest } = prices();
      expect([7, 8], what).toContain(one);
      expect(rest, what).toEqual({ two: 7 });
      declares(product("one"), product("two"));
      await desk.applies();
    }
  });
});
