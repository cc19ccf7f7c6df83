/** A plan shows neither a secret of the code nor the value of others that stands in its place, and hides nothing else. */
import { beforeEach, expect, test } from "vitest";
import { onBothEngines } from "../suite/parts.ts";
import { editInApp } from "../suite/app.ts";
import { SYSTEM_PATH } from "./harness.ts";
import { NearDesk } from "./near-desk.ts";

const MANIFEST = `landform: 1
name: planned
sites: { s: { name: planned.example } }
pages:
  other: { template: tpl-thankyou, variables: { brand: Mugs, support_email: a@b.example } }
  pg: { template: tpl-hero, content: { hero.title: { env: TITLE, secret: true }, hero.text: { ref: pages.other.pageName } }, variables: { brand: Mugs }, publish: { site: s, slug: x } }
`;

const HIDDEN = /to hide|of others/;

onBothEngines((engine, path) => {
  const desk = NearDesk.each();
  beforeEach(() => desk.declare(MANIFEST));

  async function run(TITLE: string, ...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await desk.run([...args, "--engine", engine], {
      env: { TITLE, PATH: path(SYSTEM_PATH) },
    });
    expect([code, code === 0 ? "" : stdout + stderr]).toEqual([0, ""]);
    expect(stdout + stderr).not.toMatch(HIDDEN);
    return stdout;
  }

  async function editedByOthers(): Promise<void> {
    await run("One to hide", "up", "--yes");
    await editInApp(desk, desk.page("pg"), { "hero.title": "Words of others" });
  }

  test("a plan hides the edit of a secret, on the screen and in every file", async () => {
    await editedByOthers();
    const files = ["--json", "p.json", "--markdown", "p.md", "--html", "p.html", "--save", "plan.json"];
    const options = ["--foreign-edits", "include"];
    for (const more of [files, [...files, "--refresh"], [...files, ...options]]) {
      expect(await run("Two to hide", "preview", ...more)).toContain("hero.title");
      for (const file of files.filter((one) => !one.startsWith("--"))) expect(desk.read(file)).not.toMatch(HIDDEN);
    }
    await run("Two to hide", "up", "--plan", "plan.json");
    await run("Two to hide", "preview", "--detailed-exitcode");
  });

  test("after an undo, the next plan hides the secret and no other key", async () => {
    await editedByOthers();
    await run("Two to hide", "up", "--yes", "--foreign-edits", "include");
    expect(await run("Two to hide", "undo", "--yes")).toContain('draft["hero.title"]');
    desk.declare(MANIFEST.replace("{ ref: pages.other.pageName }", "Behind"));
    const plan = await run("Two to hide", "preview");
    expect(plan).toMatch(/content\["hero.title"\] +\[secret\] → another \[secret\]/);
    expect(plan).toMatch(/content\["hero.text"\] +"other" → "Behind"/);
    await run("Two to hide", "up", "--yes", "--foreign-edits", "include");
    await run("Two to hide", "preview", "--detailed-exitcode");
  });
});
