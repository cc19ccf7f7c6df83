// @module-tag thorough
/** An exported account adopts everything that it declares. Its preview makes copies, and the account stays as it was, byte for byte. */
import { rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { JsonReport } from "../../stack/report/json.ts";
import { accountWith, BASE } from "./desk.ts";
import { outputOf } from "../cli/harness.ts";

const BRIEF = "Handmade mugs for people who take their coffee seriously. ".repeat(5);

/** Makes 26 objects of the kinds that an account lists. */
function original(port: string): string {
  const pages = Array.from({ length: 17 }, (_, index) => {
    const link = `http://mugs-example.localhost:${port}/p${(index + 1) % 17}`;
    return `  p${index}: { name: Page ${index}, project: spring, template: { id: tpl-hero }, variables: { brand: Mugs }, content: { hero.title: Title ${index}, hero.text: "Next: ${link}" }, publish: { site: mugs, slug: p${index} } }`;
  });
  const products = Array.from(
    { length: 4 },
    (_, index) => `  m${index}: { name: Mug ${index}, price: ${index}.5, project: spring }`,
  );
  return `landform: 1
name: original
projects:
  spring: { name: Spring, description: "The spring launch of Example Mugs, one offer and a quiz", context: "${BRIEF}" }
sites:
  mugs: { name: mugs.example, project: spring }
pages:
${pages.join("\n")}
quizzes:
  q0: { name: Finder, project: spring, template: { id: tpl-quiz-product }, variables: { brand: Mugs, product_count: "3" }, publish: { site: mugs, slug: finder } }
products:
${products.join("\n")}
  set: { name: Set, type: bundle, price: 20, project: spring, bundleItems: [ { name: One }, { name: Two } ] }
funnels:
  f0: { name: First, project: spring, steps: [ { page: p0, pageType: presell }, { page: p1, pageType: thankyou } ] }
`;
}

describe("an exported account", { timeout: 240_000 }, () => {
  test("goes up as a preview and down again, and the base is the same", async () => {
    const port = (url: string): string => new URL(url).port;
    const account = await accountWith((desk) => desk.write("landform.yaml", original(port(desk.emulator.url))), {});
    const { desk } = account;
    try {
      for (const file of ["landform.yaml", ".pulumi", `Pulumi.${BASE}.yaml`])
        rmSync(desk.path(file), { recursive: true });
      await outputOf(0, desk.run(["export"]));
      expect(desk.read("landform.yaml").match(/adoptId:/g)?.length).toBe(26);
      const adopted = await desk.run(["up", "--yes", "--stack", BASE, "--json"]);
      expect(adopted.code, adopted.stderr).toBe(0);
      expect((JSON.parse(adopted.stdout) as JsonReport).counts.adopt).toBe(26);
      const before = account.holds();
      const state = desk.read(`.pulumi/stacks/${nameIn(desk.read("landform.yaml"))}/${BASE}.json`);

      await outputOf(0, account.env("up", "--pr", "7", "--yes"));
      const own = account.ofPreview("pr-7");
      expect(own.length).toBe(24);
      const prefix = own[0]?.name.split(" ", 1)[0] ?? "";
      const texts = JSON.stringify(desk.emulator.records());
      for (let index = 0; index < 17; index++) expect(texts).toMatch(new RegExp(`Next: [^"]*/${prefix}/p${index}"`));
      const again = JSON.parse((await account.env("up", "--pr", "7", "--yes", "--json")).stdout) as JsonReport;
      expect(again.counts).toMatchObject({ create: 0, adopt: 0, update: 0, replace: 0, delete: 0 });

      await outputOf(0, account.env("down", "--pr", "7", "--yes"));
      expect(account.holds()).toBe(before);
      expect(desk.read(`.pulumi/stacks/${nameIn(desk.read("landform.yaml"))}/${BASE}.json`)).toBe(state);
    } finally {
      await desk.close();
    }
  });
});

function nameIn(manifest: string): string {
  return /^name: (\S+)/m.exec(manifest)?.[1] ?? "";
}
