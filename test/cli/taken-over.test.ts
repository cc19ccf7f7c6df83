/** Objects that a run takes over without a state, and pages that a person publishes: the plan and the result tell what the account shows. */
import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { Mugs } from "./mugs.ts";

test("the plan of an adoption without a state shows the texts that differ, and no others", async () => {
  const mugs = await Mugs.here((manifest) => manifest.replace("About us", '"About {{brand}}"'));
  await mugs.edits("offer", { "hero.note": "Colleague note" });
  rmSync(mugs.path(".pulumi"), { recursive: true });
  await mugs.says(0, "adopt", "--yes");
  mugs.code("{{brand}}", "the {{brand}}");
  const plan = await mugs.says(0, "preview");
  expect(plan).toMatch(/hero\.note"\] +"Colleague note" → "Only today"/);
  expect(plan).toMatch(/hero\.title"\] +"About Example Mugs" → "About the Example Mugs"/);
  expect(plan).not.toMatch(/\(none\)|worth getting up/);
  await mugs.applies("--foreign-edits", "include");
});

test("a page that a person has published, and the code does not, is not told as published", async () => {
  const blank = "  blank: { template: tpl-hero, variables: { brand: B }, content: { hero.title: Thanks } }\nfunnels:";
  const mugs = await Mugs.here((manifest) => manifest.replace("funnels:", blank));
  await mugs.publishes("blank");
  mugs.code("Thanks", "Many thanks");
  const done = await mugs.up();
  expect(done).toContain("updated Page blank");
  expect(done).not.toContain("Published\n");
  await mugs.plansNothing();
});

test("adopt leaves objects to the other stack that has them", async () => {
  const mugs = await Mugs.here((manifest) => manifest.replaceAll(/slug: (\w+)/g, 'slug: "${stack}/$1"'));
  const said = await mugs.says(0, "adopt", "--stack", "stage", "--yes");
  expect(said).toContain("Objects of other stacks (dev) are left to them");
  expect(said).not.toMatch(/= (Page|Product|Funnel|Project)/);
  expect(mugs.read("landform.yaml")).not.toMatch(/adoptId: (page|prod|funnel|proj)_/);
  await mugs.plansNothing();
});
