/** A run was killed while it changed variables: the texts that nobody declares are ours or a person's. */
import { beforeEach, expect, test } from "vitest";
import type { PropertyMap } from "../../engine/index.ts";
import { newKey, seal } from "../../provider/history/kept.ts";
import type { JsonMap } from "../../provider/values/json.ts";
import { KEY_VARIABLE } from "../../provider/pulumi/run-facts.ts";
import { factsFile, HERO, type ResourceTest, runWith, worldOfAll, applied } from "./harness.ts";
import { unique } from "./table.ts";
import { editInApp, textsInApp } from "../suite/app.ts";

const world = worldOfAll();
let siteId: string;
let page: ResourceTest;
beforeEach(async () => {
  siteId = (await applied(world, "site", unique("killed-variables.example"), {})).id;
  page = await applied(world, "page", unique("offer"), of("Acme"));
});

const of = (brand: string): PropertyMap => ({
  ...HERO,
  variables: { brand },
  content: { "hero.title": "Ours" },
  publish: { siteId, slug: "offer" },
});

const edit = (text: string): Promise<unknown> => editInApp(world, page.id, { "footer.text": text });

const editBrand = (text: string): Promise<unknown> => editInApp(world, page.id, { "top.brand": text });

const textOf = async (key: string): Promise<unknown> => (await textsInApp(world, page.id))[key];

function goesOn(brand: string, half: string[], env = {}, facts = {}): Promise<string> {
  const all = { ...env, ...factsFile({ halfWritten: { [`page ${page.id}`]: asked(half) }, ...facts }) };
  return runWith(world, all, async (client) => {
    await page.handTo(client).refresh();
    await page.up(of(brand));
  });
}

/** The killed run was to write another brand than the code says before or after it. */
const asked = (half: string[]): JsonMap => ({
  variables: { brand: "Beta" },
  ...(half.includes("content") && { content: { "hero.title": "Ours" } }),
});

const cases = ["Acme", "Beta", "Gamma"].flatMap((brand) =>
  (["draft", "live"] as const).flatMap((shows) =>
    [["variables"], ["variables", "content"]].map((half) => ({ brand, shows, half })),
  ),
);
const title = "(on to $brand, map: $shows, half written: $half)";

async function finishes(brand: string, shows: "draft" | "live", half: string[]): Promise<string> {
  world.emulator.notShown.contentMapShows = shows;
  const told = await goesOn(brand, half);
  world.emulator.notShown.contentMapShows = "draft";
  return told;
}

test.each(cases)(`where nobody has edited it, the text follows the code ${title}`, async ({ brand, shows, half }) => {
  await edit("© Beta. All rights reserved.");
  expect(await finishes(brand, shows, half)).not.toContain("held back");
  expect(page.live).toContain(`© ${brand}. All rights reserved.`);
  expect(await textOf("footer.text")).toBe(`© ${brand}. All rights reserved.`);
});

test.each(cases)(`a person's text is held ${title}`, async ({ brand, shows, half }) => {
  await edit("WORDS of a person");
  expect(await finishes(brand, shows, half)).toMatch(/held back[^]*WORDS of a person/);
  expect(page.live).not.toContain("WORDS");
  expect(await textOf("footer.text")).toBe("WORDS of a person");
});

test.each(cases)(`so is one in the place of a placeholder alone ${title}`, async ({ brand, shows, half }) => {
  await editBrand("WORDS of a person");
  expect(await finishes(brand, shows, half)).toMatch(/held back[^]*WORDS of a person/);
  expect(page.live).not.toContain("WORDS");
  expect(await textOf("top.brand")).toBe("WORDS of a person");
});

test.each(cases)(`the killed run's own value there is nobody's edit ${title}`, async ({ brand, shows, half }) => {
  await editBrand("Beta");
  expect(await finishes(brand, shows, half)).not.toContain("held back");
  expect(await textOf("top.brand")).toBe(brand);
});

const SECRET = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "x" };
test.each(["draft", "live"] as const)(
  "nobody knows a secret that it wrote, so its text is no edit (map: %s)",
  async (shows) => {
    await editBrand("Of the killed run");
    world.emulator.notShown.contentMapShows = shows;
    const halfWritten = { [`page ${page.id}`]: { variables: { brand: SECRET } } };
    expect(await goesOn("Gamma", [], {}, { halfWritten })).not.toContain("Of the killed run");
    world.emulator.notShown.contentMapShows = "draft";
    expect(await textOf("top.brand")).toBe("Gamma");
  },
);

test("an undo holds it, too", async () => {
  const key = newKey();
  const restore = seal(key, { objects: {}, anew: {}, anewDrafts: {}, successors: {} });
  await edit("WORDS of a person");
  await goesOn("Acme", ["variables"], { [KEY_VARIABLE]: key }, { restore });
  expect(page.live).not.toContain("WORDS");
  expect(await textOf("footer.text")).toBe("WORDS of a person");
});
