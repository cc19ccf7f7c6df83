/**
 * A value that a run wrote and couldn't publish is the program's own in the next run, whatever it is: an empty text, one letter, a number. This also
 * holds if the builder shows it in another form. An edit beside it is somebody's.
 */
import { beforeEach, describe, expect, test } from "vitest";
import type { NotShown } from "../../emulator/index.ts";
import type { PropertyMap } from "../../engine/index.ts";
import { HERO, madeForAll, nextRun, ResourceTest, worldOfAll } from "./harness.ts";
import { refreshPlansNothing, unique } from "./table.ts";
import { thorough } from "../suite/parts.ts";
import { editInApp, publishInApp } from "../suite/app.ts";

const world = worldOfAll();
const site = madeForAll(world, "site", "written.example");

let said = "";
beforeEach(() => {
  said = "";
});

const applies = (page: ResourceTest, inputs: PropertyMap): Promise<void> =>
  inRun(page, async () => {
    await page.apply(inputs);
    await refreshPlansNothing(page, inputs);
  });

async function inRun(page: ResourceTest, run: () => Promise<unknown>): Promise<void> {
  said += await nextRun(world, (client) => {
    page.handTo(client);
    return run();
  });
}

const declared = (slug: string, title: PropertyMap[string]): PropertyMap => ({
  ...HERO,
  content: { "hero.title": title, "hero.note": "A note of ours" },
  publish: { siteId: site.id, slug },
});

async function failing(page: ResourceTest, inputs: PropertyMap): Promise<void> {
  world.emulator.faults.add({ method: "POST", path: "/pages/publish", phase: "status", status: 400 });
  await inRun(page, () => expect(page.up(inputs)).rejects.toThrow(/POST \/pages\/publish/));
  world.emulator.faults.clear();
}

/** Somebody edits beside it: the next run holds that, until it is published. */
async function expectHeld(page: ResourceTest, slug: string, inputs: PropertyMap): Promise<void> {
  await editInApp(world, page.id, { "hero.text": "Half a thought" });
  await inRun(page, () => page.up(inputs));
  expect(said).toMatch(/held back[^]*Half a thought/);
  expect(page.live).not.toContain("Half a thought");
  await publishInApp(world, page.id, { siteId: site.id, slug });
  await applies(page, inputs);
}

type Values = readonly (readonly [PropertyMap[string], PropertyMap[string]])[];
const shown: readonly [string, Partial<NotShown>, Values][] = [
  [
    "texts",
    {},
    [
      ["First title", ""],
      ["A", "7"],
    ],
  ],
  ["values as they were sent", { contentTypes: "as-sent" }, [[12.5, 20.5]]],
  [
    "a map of what is live",
    { contentTypes: "as-sent", contentMapShows: "live" },
    [
      ["First title", "Second title"],
      [true, false],
    ],
  ],
  ["stamps of its own in each node", { nodeStamps: "reads" }, [["First title", "Second title"]]],
  ["texts as HTML", { builderTexts: "html" }, [["First title", "B & C"]]],
];

describe.each(shown)("the service shows %s", (_, positions, values) => {
  beforeEach(() => Object.assign(world.emulator.notShown, positions));

  test.each(values)("%j becomes %j, and the publication fails", { tags: ["thorough"] }, async (first, second) => {
    const slug = unique("failed");
    const page = new ResourceTest(world, "page", slug);
    await applies(page, declared(slug, first));
    await failing(page, declared(slug, second));
    await applies(page, declared(slug, second));
    await failing(page, declared(slug, first));
    await applies(page, declared(slug, "Third title"));
    expect(said).not.toMatch(/held back|while it was being/);
    expect(page.live).toContain("Third title");
  });

  test.each(values)("%j becomes %j, and somebody edits beside it", { tags: ["thorough"] }, async (first, second) => {
    const slug = unique("edited");
    const page = new ResourceTest(world, "page", slug);
    await applies(page, declared(slug, first));
    await failing(page, declared(slug, second));
    await expectHeld(page, slug, declared(slug, second));
  });
});

thorough("new ids that a publication gives to the nodes are no edit, and an edit under them is", async () => {
  world.emulator.notShown.publishingRenamesNodes = true;
  const slug = unique("renamed");
  const page = new ResourceTest(world, "page", slug);
  for (const title of ["First title", "Second title"]) await applies(page, declared(slug, title));
  await failing(page, declared(slug, "Third title"));
  await applies(page, declared(slug, "Third title"));
  expect(said).not.toMatch(/held back|while it was being/);
  await expectHeld(page, slug, declared(slug, "Fourth title"));
});
