// @module-tag thorough
/** `--target`: TYPE/NAME, URNs and patterns, and the message about one that matches nothing. */
import { beforeAll, expect, test } from "vitest";
import { onBothEngines } from "../suite/parts.ts";
import { Targets } from "../../engine/index.ts";
import { readTarget } from "../../stack/run/targets.ts";
import { SYSTEM_PATH, outputOf } from "./harness.ts";
import { NearDesk } from "./near-desk.ts";
import { forAllTests } from "../suite/opened.ts";

test.each(["Page/two\u2028lines", "Page/*lines", "*lines", "**lines", "**::two**", "Pa*/two\u2028*"])(
  "%j names a resource whose name has a line separator",
  (text) => {
    const named = new Targets([readTarget(text, "test", "dev").urn]);
    const urn = (name: string): string => `urn:pulumi:dev::test::pulumi-nodejs:dynamic/landform:Page::${name}`;
    expect(["two\u2028lines", "one"].map((name) => named.has(urn(name)))).toEqual([true, false]);
  },
);

onBothEngines((engine, path) => {
  const desk = forAllTests(() => NearDesk.open());
  const run = (args: string[]) => {
    return desk.run([...args, "--engine", engine], { env: { PATH: path(SYSTEM_PATH) } });
  };

  beforeAll(() =>
    desk.program('new landform.Page("a", {});\nnew landform.Page("offer", {});\nnew landform.Page("ab", {});'),
  );

  test("only the resource of that type and name", async () => {
    const told = await outputOf(0, run(["up", "--yes", "--target", "Page/a"]));
    expect(told).toContain("+ Page a\n");
    expect(told).toContain("1 to create · ");
    expect((await run(["preview", "--target", "Page/a", "--detailed-exitcode"])).stdout).toContain("1 unchanged · ");
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
      const { code, stdout, stderr } = await run([command, ...yes, "--target", target]);
      expect([command, code]).toEqual([command, 4]);
      expect(stdout + stderr).toContain(`error: the target ${target} matches ${message}`);
      expect(stdout + stderr).not.toContain("no changes");
    }
    expect(desk.writes()).toEqual([]);
  });

  test("a renamed target takes what depends on it along on Pulumi's engine, which would break the state", async () => {
    const program = (name: string, aliases: string) => `
      const site = new landform.Site("${name}", { name: "renamed.example" }${aliases});
      new landform.Page("home", { templateId: "tpl-hero", variables: { brand: "A" }, publish: { siteId: site.id, slug: "" } });`;
    desk.program(program("main", ""));
    expect((await run(["up", "--yes", "--force"])).code).toBe(0);
    desk.program(program("renamed", ', { aliases: [{ name: "main" }] }'));
    for (const more of [[], ["--refresh"]]) {
      const { code, stdout, stderr } = await run(["up", "--yes", "--target", "Site/renamed", ...more]);
      if (engine === "embedded") expect([code, stderr]).toEqual([0, expect.anything()]);
      else expect([code, stdout + stderr]).toEqual([4, expect.stringContaining("Page/home depends on Site/renamed")]);
    }
    expect((await run(["up", "--yes", "--target", "Site/renamed", "--target", "Page/home"])).code).toBe(0);
    await outputOf(0, run(["preview", "--detailed-exitcode"]));
  });
});
