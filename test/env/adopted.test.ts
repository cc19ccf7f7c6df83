// @module-tag thorough
/** An exported account adopts everything that it declares. Its preview makes copies, and the account stays as it was, byte for byte. */
import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { inTest } from "../suite/opened.ts";
import { Account, BASE, mugs, NOTHING, page } from "./desk.ts";

/** Makes 26 objects of the kinds that an account lists. */
function original(port: string): string {
  const pages = Array.from({ length: 17 }, (_, index) => {
    const link = `http://mugs-example.localhost:${port}/p${(index + 1) % 17}`;
    const content = `content: { hero.title: Title ${index}, hero.text: "Next: ${link}" }`;
    return page(`p${index}`, `Page ${index}`, `${content}, publish: { site: mugs, slug: p${index} }`);
  });
  const products = Array.from(
    { length: 4 },
    (_, index) => `  m${index}: { name: Mug ${index}, price: ${index}.5, project: spring }\n`,
  );
  const sections = `pages:
${pages.join("")}quizzes:
  q0: { name: Finder, project: spring, template: { id: tpl-quiz-product }, variables: { brand: Mugs, product_count: "3" }, publish: { site: mugs, slug: finder } }
products:
${products.join("")}  set: { name: Set, type: bundle, price: 20, project: spring, bundleItems: [ { name: One }, { name: Two } ] }
funnels:
  f0: { name: First, project: spring, steps: [ { page: p0, pageType: presell }, { page: p1, pageType: thankyou } ] }
`;
  return mugs(sections, { name: "original" });
}

test("an exported account goes up as a preview and down again, and the base is the same", async () => {
  const account = await inTest(Account.open((made) => made.declare(original(new URL(made.emulator.url).port))));
  const { desk } = account;
  for (const file of ["landform.yaml", ".pulumi", `Pulumi.${BASE}.yaml`]) rmSync(desk.path(file), { recursive: true });
  await desk.says(0, "export");
  expect(desk.read("landform.yaml").match(/adoptId:/g)?.length).toBe(26);
  expect((await desk.json("up", "--yes", "--stack", BASE)).counts.adopt).toBe(26);
  const before = account.holds();
  const state = (): string => desk.read(`.pulumi/stacks/${nameIn(desk.read("landform.yaml"))}/${BASE}.json`);
  const recorded = state();

  await account.up("--pr", "7");
  const own = account.ofPreview("pr-7");
  expect(own.length).toBe(24);
  const prefix = own[0]?.name.split(" ", 1)[0] ?? "";
  const texts = JSON.stringify(desk.emulator.records());
  for (let index = 0; index < 17; index++) expect(texts).toMatch(new RegExp(`Next: [^"]*/${prefix}/p${index}"`));
  expect((await account.up("--pr", "7")).counts).toMatchObject(NOTHING);

  await account.down("--pr", "7");
  expect(account.holds()).toBe(before);
  expect(state()).toBe(recorded);
}, 240_000);

function nameIn(manifest: string): string {
  return /^name: (\S+)/m.exec(manifest)?.[1] ?? "";
}
