/** A plan that renames a resource by an alias and changes it is applied as reviewed. */
import { test } from "vitest";
import { onBothEngines } from "../suite/parts.ts";
import { NearDesk } from "./near-desk.ts";
import { inTest } from "../suite/opened.ts";
import { outputOf } from "./harness.ts";

onBothEngines((engine, path) => {
  test("a page that is renamed and changed, and whose outputs the program exports as a whole", async () => {
    const desk = await inTest(NearDesk.open());
    const env = { PATH: path(desk.env["PATH"] ?? "") };
    const run = async (...args: string[]): Promise<void> => {
      await outputOf(0, desk.run([...args, "--engine", engine], { env }));
    };
    desk.program('export const page = new landform.Page("aa", { tags: ["1"] });');
    await run("up", "--yes");
    desk.program(
      'export const page = new landform.Page("bb", { name: "aa", tags: ["2"] }, { aliases: [{ name: "aa" }] });',
    );
    await run("preview", "--save", "plan.json");
    await run("up", "--plan", "plan.json");
    await run("preview", "--refresh", "--detailed-exitcode");
  }, 240_000);
});
