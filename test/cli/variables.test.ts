/**
 * Variables in texts. A changed one: the plan shows each text that visitors see otherwise, also those that nobody declared, and leaves what is theirs.
 * A placeholder that somebody types in the app: the service fills it in for nobody, and visitors would read it as it stands.
 */
import { expect, test } from "vitest";
import { thorough } from "../suite/parts.ts";
import { hero, sited } from "./manifests.ts";
import { NearDesk } from "./near-desk.ts";

const desk = NearDesk.each();

const declare = (title: string, brand = "Acme", more = "") => desk.declare(sited([hero("a", { brand, title, more })]));

const visitors = (): Promise<string> => desk.visited("sited-example/a");

async function agrees(): Promise<void> {
  expect(await desk.says(0, "drift")).toContain("no drift");
  await desk.plansNothing();
  await desk.plansNothing("--refresh");
}

test.each([[[]], [["--refresh"]]])(
  "a text that somebody typed with a placeholder, and that drift --write took into the code, goes public with its value (up %j)",
  async (options) => {
    await declare("Old text").applies();
    await desk.edits("a", { "hero.title": "Made by {{brand}}" });
    expect(await desk.says(0, "drift", "--write")).toMatch(/written .*hero\.title/);
    expect(desk.read("landform.yaml")).toContain("Made by {{brand}}");
    const said = await desk.up(...options);
    expect(said).toMatch(/hero\.title"\] +"Old text" → "Made by (Acme|\{\{brand\}\})"\n/);
    expect(said).toContain("Published");
    expect(said).not.toMatch(/held back|the draft has already/);
    expect(await visitors()).toContain("Made by Acme");
    await agrees();
  },
);

test.each([["in a draft"], ["before visitors"]])(
  "the text of the code itself, typed in the app with its placeholder, is drift, and the next up --refresh fills it in (%s)",
  async (where) => {
    await declare("By {{brand}}").applies();
    await desk.edits("a", { "hero.title": "By {{brand}}" });
    if (where === "before visitors") await desk.publishes("a");
    const drift = await desk.says(0, "drift");
    expect(drift).toMatch(/last run +"By Acme"\n +(in the app|draft) +"By \{\{brand\}\}"\n +code +"By Acme"\n/);
    const drifted = { name: "a", kind: "changed", fields: [{ code: "By Acme" }] };
    expect((await desk.json("drift")).drift).toMatchObject([drifted]);
    const said = await desk.up("--refresh");
    expect(said).toMatch(/hero\.title"\] +"By \{\{brand\}\}" → "By Acme"\n/);
    expect(said).not.toContain("held back");
    expect(await visitors()).toContain("By Acme");
    expect(await visitors()).not.toContain("{{brand}}");
    await agrees();
  },
);

test("a text with a placeholder stays as it was typed where the program leaves it to others", async () => {
  await declare("By {{brand}}", "Acme", `, options: { ignoreChanges: ['content["hero.title"]'] }`).applies();
  await desk.edits("a", { "hero.title": "By {{brand}}" });
  await desk.publishes("a");
  await agrees();
  expect(await desk.drafts("a", "hero.title")).toBe("By {{brand}}");
});

const OF_MUGS = "Mugs of {{brand}}";

test.each([
  ["open", (brand: string) => brand, "Cups", /hero.title"\] +"Mugs of Acme" → "Mugs of Cups"\n/],
  [
    "secret",
    (env: string) => `{ env: ${env}, secret: true }`,
    "[secret]",
    /hero.title"\] +\[secret\] → another \[secret\]\n/,
  ],
] as const)(
  "a run that publishes texts with a changed variable for an earlier run names them, as its plan does (%s)",
  async (_, said, cups, text) => {
    desk.also.env = { Acme: "Acme Inc.", Cups: "Cups Inc." };
    await declare(OF_MUGS, said("Acme")).up();
    await desk.edits("a", { "hero.note": "Theirs" });
    await declare(OF_MUGS, said("Cups")).says(1, "up", "--yes");
    const include = ["--foreign-edits", "include"];
    expect(await desk.plan(...include, "--json", "plan.json")).toMatch(text);
    await desk.applies(...include, "--json", "up.json");
    const [planned, ran] = ["plan.json", "up.json"].map((name) => desk.report(name).changes[0]?.rendered);
    expect(planned).toContainEqual(expect.objectContaining({ new: `New from ${cups}` }));
    expect(ran).toEqual(planned);
  },
);

test("the plan of a changed variable shows the texts of the template, too, and a comment names them all", async () => {
  await declare(OF_MUGS).up();
  const [change] = (await declare(OF_MUGS, "Cups").json("preview", "--markdown", "plan.md")).changes;
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
  const html = await visitors();
  for (const [, text] of sides) expect(html).toContain(text);
  await desk.plansNothing();
});

thorough(
  "a changed variable leaves a text that somebody published in the template's place, also after a run that published beside it",
  async () => {
    await declare("A", "Mist").applies();
    expect(await visitors()).toContain("New from Mist");
    await desk.edits("a", { "hero.eyebrow": "Only today" });
    await desk.publishes("a");
    await declare("B", "Mist").up("--foreign-edits", "include");
    expect(await declare("B", "Dawn").plan()).not.toContain("New from Mist");
    await desk.up();
    const shown = await visitors();
    expect(shown).toContain("Only today");
    expect(shown).not.toContain("New from");
    await desk.plansNothing();
    await declare("B", "Mist").applies();
    expect(await visitors()).toContain("Only today");
  },
);
