/** A changed variable: the plan shows each text that visitors see otherwise, also those that nobody declared. */
import { expect, test } from "vitest";
import { hero, sited } from "./manifests.ts";
import { NearDesk } from "./near-desk.ts";

const desk = NearDesk.each();

const declare = (brand: string) => desk.declare(sited([hero("a", { brand, title: "Mugs of {{brand}}" })]));

test.each([
  ["open", (brand: string) => brand, "Cups", /hero.title"\] +"Mugs of Acme" → "Mugs of Cups"\n/],
  [
    "secret",
    (brand: string) => `{ env: ${brand}, secret: true }`,
    "[secret]",
    /hero.title"\] +\[secret\] → another \[secret\]\n/,
  ],
] as const)(
  "a run that publishes such texts for an earlier run names them, as its plan does (%s)",
  async (_, said, cups, text) => {
    desk.also.env = { Acme: "Acme Inc.", Cups: "Cups Inc." };
    await declare(said("Acme")).up();
    await desk.edits("a", { "hero.note": "Theirs" });
    await declare(said("Cups")).says(1, "up", "--yes");
    const include = ["--foreign-edits", "include"];
    expect(await desk.says(0, "preview", ...include, "--json", "plan.json")).toMatch(text);
    await desk.applies(...include, "--json", "up.json");
    const [planned, ran] = ["plan.json", "up.json"].map((name) => desk.report(name).changes[0]?.rendered);
    expect(planned).toContainEqual(expect.objectContaining({ new: `New from ${cups}` }));
    expect(ran).toEqual(planned);
  },
);

test("the plan of a changed variable shows the texts of the template, too, and a comment names them all", async () => {
  await declare("Acme").up();
  const [change] = (await declare("Cups").json("preview", "--markdown", "plan.md")).changes;
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
  await desk.up("--json", "up.json", "--markdown", "up.md");
  expect(desk.report("up.json").changes).toMatchObject([{ rendered: change?.rendered }]);
  expect(desk.read("up.md")).toContain("New from Cups");
  const html = await desk.visited("sited-example/a");
  for (const [, text] of sides) expect(html).toContain(text);
  await desk.plansNothing();
});
