/** A changed variable: the plan shows each text that visitors see otherwise, also those that nobody declared. */
import { expect, test } from "vitest";
import { hero, sited } from "./manifests.ts";
import { NearDesk } from "./near-desk.ts";

const desk = NearDesk.each();

const declare = (brand: string): void => desk.declare(sited([hero("a", { brand, title: "Mugs of {{brand}}" })]));

test("the plan of a changed variable shows the texts of the template, too, and a comment names them all", async () => {
  declare("Acme");
  await desk.up();
  declare("Cups");
  const [change] = (await desk.json("preview", "--markdown", "plan.md")).changes;
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
  const html = await desk.visited("sited-example/a");
  for (const [, text] of sides) expect(html).toContain(text);
  await desk.plansNothing();
});
