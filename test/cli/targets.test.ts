// @module-tag thorough
/** `--target`: TYPE/NAME, URNs and patterns, and the message about one that matches nothing. */
import { beforeAll, expect, test } from "vitest";
import { onBothEngines } from "../suite/parts.ts";
import { NearDesk } from "./near-desk.ts";

onBothEngines((engine, path) => {
  const desk = NearDesk.all(engine, path);

  beforeAll(() =>
    desk.program('new landform.Page("a", {});\nnew landform.Page("offer", {});\nnew landform.Page("ab", {});'),
  );

  test("only the resource of that type and name", async () => {
    const told = await desk.up("--target", "Page/a");
    expect(told).toContain("+ Page a\n");
    expect(told).toContain("1 to create · ");
    expect(await desk.plansNothing("--target", "Page/a")).toContain("1 unchanged · ");
  });

  test("one that matches nothing is an error", async () => {
    const urn = "urn:pulumi:dev::test::pulumi-nodejs:dynamic/landform:Page::ofer";
    desk.emulator.requests.length = 0;
    const cases: [string, string, string][] = [
      ["preview", "Page/ofer", "nothing in the stack or the program. Did you mean Page/offer"],
      ["up", urn, "nothing in the stack or the program. Did you mean Page/offer"],
      ["preview", "**Page::x*", "nothing in the stack or the program. There are: Page/a, Page/ab, Page/offer."],
      ["refresh", "Page/offer", "nothing in the stack. There are: Page/a."],
      ["destroy", "Site/**", "nothing in the stack. There are: Page/a."],
    ];
    for (const [command, target, message] of cases) {
      const yes = ["up", "destroy"].includes(command) ? ["--yes"] : [];
      const { code, stdout, stderr } = await desk.run([command, ...yes, "--target", target]);
      expect([command, code]).toEqual([command, 4]);
      expect(stdout + stderr).toContain(`error: the target ${target} matches ${message}`);
      expect(stdout + stderr).not.toContain("no changes");
    }
    expect(desk.writes()).toEqual([]);
  });

  test("half of an exchange of addresses names the other half", async () => {
    const at = (a: string, b: string) =>
      desk.program(`const { id: siteId } = new landform.Site("t.example", {});
for (const [name, slug] of [["one", "${a}"], ["two", "${b}"]])
  new landform.Page(name, { templateId: "tpl-hero", variables: { brand: "A" }, publish: { siteId, slug } });`);
    await at("x", "y").up();
    const said = await at("y", "x").sendsNothing(4, "up", "--yes", "--target", "Page/one");
    expect(said).toMatch(/\/y is taken on this site by "two"[^]*has it as Page two[^]*add --target Page\/two/);
    expect(said).not.toContain("adoptId");
    await desk.up("--target", "Page/one", "--target", "Page/two");
    await desk.applies();
  });
});
