// @module-tag thorough
/** `undo --write` never writes an object into landform.yaml that is gone. */
import { expect, test } from "vitest";
import { onBothEngines } from "../suite/parts.ts";
import { inTheApp } from "../suite/app.ts";
import { Mugs } from "./mugs.ts";
import { NearDesk } from "./near-desk.ts";
import { inTest } from "../suite/opened.ts";
import { outputOf } from "./harness.ts";

const BOTH = `landform: 1
name: written
sites: { main: { name: written.example } }
pages:
  offer: { template: tpl-hero, variables: { brand: Acme }, publish: { site: main, slug: offer } }
  thanks: { template: tpl-hero, variables: { brand: Acme }, publish: { site: main, slug: thanks } }
funnels:
  spring:
    steps: [{ page: offer, pageType: presell }, { page: thanks, pageType: thankyou }]
releases: { launch: { pages: [offer, thanks] } }
`;
const THANKS = /^ {2}thanks: .*\n/m;
const WITHOUT = BOTH.replace(THANKS, "")
  .replace(", { page: thanks, pageType: thankyou }", "")
  .replace(", thanks]", "]");

onBothEngines((engine, path) => {
  test("what is made anew is named in the file, and shown by its new id where nothing is written", async () => {
    const desk = await inTest(NearDesk.open());
    const run = (...args: string[]) =>
      desk.run([...args, "--engine", engine], { env: { PATH: path("/usr/bin:/bin") } });
    desk.write("landform.yaml", BOTH);
    expect((await run("up", "--yes")).code).toBe(0);
    const idsNow = async (): Promise<string[]> =>
      (await inTheApp<{ id: string }[]>(desk, "GET", "/pages")).map(({ id }) => id);
    desk.write("landform.yaml", WITHOUT);
    expect((await run("up", "--yes")).code).toBe(0);
    const shown = await run("undo", "--yes");
    expect(shown.code, shown.stdout + shown.stderr).toBe(0);
    const [, named = ""] = /Funnel spring steps\[1\]\.pageId: "(page_\w+)"/.exec(shown.stdout) ?? [];
    expect(await idsNow(), shown.stdout).toContain(named);
    expect((await run("up", "--yes")).code).toBe(0);

    const written = await outputOf(0, run("undo", "--yes", "--write"));
    expect(desk.read("landform.yaml")).toContain("{ page: thanks, pageType: thankyou }");
    expect(desk.read("landform.yaml")).toMatch(/pages: \[ ?offer, thanks/);
    expect(desk.read("landform.yaml")).not.toContain("page_");
    expect(written).toContain("Page thanks: declare it again (landform.yaml names it, and can't be used before)");
    desk.write("landform.yaml", desk.read("landform.yaml").replace("funnels:", `${THANKS.exec(BOTH)?.[0]}funnels:`));
    const same = await run("preview");
    expect(same.stdout, same.stderr).toContain("no changes");
  });
});

test("an undo of everything leaves the file as it was, to the byte", async () => {
  const mugs = await Mugs.here((text) => text.replace("price: 12.5,", "price: 12.50,"));
  const before = mugs.read("landform.yaml");
  mugs.code("price: 12.50", "price: 13.50");
  mugs.code("hero.title: About us", "hero.title: All about us");
  await mugs.says(0, "up", "--yes");
  await mugs.says(0, "undo", "--yes", "--write");
  expect(mugs.read("landform.yaml")).toBe(before);
  await mugs.plansNothing();
});
