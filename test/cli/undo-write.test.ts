// @module-tag thorough
/** `undo --write` never writes an object into landform.yaml that is gone. */
import { expect, test } from "vitest";
import { onBothEngines } from "../suite/parts.ts";
import { Mugs } from "./mugs.ts";
import { NearDesk } from "./near-desk.ts";

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
    const desk = await NearDesk.own(engine, path);

    desk.declare(BOTH);
    await desk.up();
    const idsNow = async (): Promise<string[]> =>
      (await desk.app<{ id: string }[]>("GET", "/pages")).map(({ id }) => id);
    desk.declare(WITHOUT);
    await desk.up();
    const shown = await desk.says(0, "undo", "--yes");
    const [, named = ""] = /Funnel spring steps\[1\]\.pageId: "(page_\w+)"/.exec(shown) ?? [];
    expect(await idsNow(), shown).toContain(named);
    await desk.up();

    const written = await desk.says(0, "undo", "--yes", "--write");
    expect(desk.read("landform.yaml")).toContain("{ page: thanks, pageType: thankyou }");
    expect(desk.read("landform.yaml")).toMatch(/pages: \[ ?offer, thanks/);
    expect(desk.read("landform.yaml")).not.toContain("page_");
    expect(written).toContain("Page thanks: declare it again (landform.yaml names it, and can't be used before)");
    desk.declare(desk.read("landform.yaml").replace("funnels:", `${THANKS.exec(BOTH)?.[0]}funnels:`));
    const same = await desk.run(["preview"]);
    expect(same.stdout, same.stderr).toContain("no changes");
  });
});

test("an undo of everything leaves the file as it was, to the byte", async () => {
  const mugs = await Mugs.here((text) => text.replace("price: 12.5,", "price: 12.50,"));
  const before = mugs.read("landform.yaml");
  mugs.code("price: 12.50", "price: 13.50");
  mugs.code("hero.title: About us", "hero.title: All about us");
  await mugs.up();
  await mugs.says(0, "undo", "--yes", "--write");
  expect(mugs.read("landform.yaml")).toBe(before);
  await mugs.plansNothing();
});
