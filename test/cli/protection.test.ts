/** The plan tells that the code adds the option `protect` or takes it away: nothing else of the plan shows it, and a later one may then delete. */
import { expect, test } from "vitest";
import { onBothEngines } from "../suite/parts.ts";
import { hero, sited } from "./manifests.ts";
import { NearDesk } from "./near-desk.ts";

onBothEngines((engine, path) => {
  const desk = NearDesk.each(engine, path);

  test("protect comes and goes, and is told once", async () => {
    const declare = (options: string) =>
      desk.declare(sited([hero("offer", { more: `, options: { ${options} }` }), hero("other")]));
    await declare("protect: true").applies();
    const told = async (): Promise<string[]> => {
      const said = await desk.plansNothing("--markdown", "plan.md");
      const found = said.split("\n").filter((line) => line.includes("(protect)"));
      for (const one of found) expect(desk.read("plan.md")).toContain(one.replace("note: ", ""));
      return found;
    };
    expect(await told()).toEqual([]);
    declare("protect: false");
    expect(await told()).toEqual([expect.stringMatching(/^note: Page offer: the code no longer protects it/)]);
    await desk.up();
    expect(await told()).toEqual([]);
    declare("protect: true");
    expect(await told()).toEqual([expect.stringMatching(/^note: Page offer: the code protects it from now on/)]);
    await desk.up();
    expect(await told()).toEqual([]);
  });
});
