/** Somebody types a placeholder into a text in the app. The service fills it in for nobody: visitors would read it as it stands. */
import { expect, test } from "vitest";
import { hero, sited } from "./manifests.ts";
import { NearDesk } from "./near-desk.ts";

const desk = NearDesk.each();

const declare = (title: string, more = "") => desk.declare(sited([hero("a", { brand: "Acme", title, more })]));

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
    expect((await desk.json("drift")).drift).toMatchObject([
      { name: "a", kind: "changed", fields: [{ code: "By Acme" }] },
    ]);
    const said = await desk.up("--refresh");
    expect(said).toMatch(/hero\.title"\] +"By \{\{brand\}\}" → "By Acme"\n/);
    expect(said).not.toContain("held back");
    expect(await visitors()).toContain("By Acme");
    expect(await visitors()).not.toContain("{{brand}}");
    await agrees();
  },
);

test("a text with a placeholder stays as it was typed where the program leaves it to others", async () => {
  await declare("By {{brand}}", `, options: { ignoreChanges: ['content["hero.title"]'] }`).applies();
  await desk.edits("a", { "hero.title": "By {{brand}}" });
  await desk.publishes("a");
  await agrees();
  expect(await desk.drafts("a", "hero.title")).toBe("By {{brand}}");
});
