/** A changed variable: the plan shows each text that visitors see otherwise, also those that nobody declared. */
import { expect, test } from "vitest";
import type { JsonReport } from "../../stack/report/json.ts";
import { NearDesk } from "./near-desk.ts";

const desk = NearDesk.each();

function declare(brand: string): void {
  desk.declare(`landform: 1
name: test
sites: { main: { name: test.example } }
pages:
  a:
    template: tpl-hero
    variables: { brand: ${brand} }
    content: { hero.title: "Mugs of {{brand}}" }
    publish: { site: main, slug: a }
`);
}

test("the plan of a changed variable shows the texts of the template, too, and a comment names them all", async () => {
  declare("Acme");
  await desk.up();
  declare("Cups");
  const planned = await desk.run(["preview", "--json", "--markdown", "plan.md"]);
  const [change] = (JSON.parse(planned.stdout) as JsonReport).changes;
  const sides = (change?.rendered ?? []).map(({ path, new: now }) => [path, now]);
  expect(sides).toEqual(
    expect.arrayContaining([
      ['content["hero.title"]', "Mugs of Cups"],
      ['content["hero.eyebrow"]', "New from Cups"],
      ['content["top.brand"]', "Cups"],
      ['content["footer.text"]', "© Cups. All rights reserved."],
    ]),
  );
  expect(desk.read("plan.md")).toContain("New from Cups");
  await desk.up();
  const html = await (await fetch(`${desk.emulator.url}/_sites/test-example/a`)).text();
  for (const [, text] of sides) expect(html).toContain(text);
  await desk.plansNothing();
});
