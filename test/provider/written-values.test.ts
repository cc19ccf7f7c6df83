/**
 * A value that a run wrote and couldn't publish is the program's own in the next run, whatever it is: an empty text, one letter, a number. This also
 * holds if the builder shows it in another form. An edit beside it is somebody's.
 */
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { notShownDefaults, type NotShown } from "../../emulator/index.ts";
import type { PropertyMap } from "../../engine/index.ts";
import { byHand, nextRun, openWorld, ResourceTest, applied } from "./harness.ts";
import { refreshPlansNothing, unique } from "./table.ts";
import { forAllTests } from "../suite/opened.ts";
import { thorough } from "../suite/parts.ts";
import { publishInApp } from "../suite/app.ts";

const world = forAllTests(() => openWorld());
let siteId: string;
beforeAll(async () => {
  const site = await applied(world, "site", "written.example", {});
  siteId = site.id;
});
beforeEach(() => {
  world.emulator.faults.clear();
  Object.assign(world.emulator.notShown, notShownDefaults);
  printed.length = 0;
});

const printed: string[] = [];
const said = (): string => printed.join("\n");

/** Applies in a process of its own. Then there is nothing left to do. */
function applies(page: ResourceTest, inputs: PropertyMap): Promise<void> {
  return inRun(page, async () => {
    await page.apply(inputs);
    await refreshPlansNothing(page, inputs);
  });
}

function inRun(page: ResourceTest, run: () => Promise<unknown>): Promise<void> {
  return nextRun(world, async (client, lines) => {
    page.handTo(client);
    await run();
    printed.push(...lines);
  });
}

const declared = (slug: string, title: PropertyMap[string], more: PropertyMap = {}): PropertyMap => ({
  templateId: "tpl-hero",
  variables: { brand: "Acme" },
  content: { "hero.title": title, "hero.note": "A note of ours", ...more },
  publish: { siteId, slug },
});

async function failing(page: ResourceTest, inputs: PropertyMap): Promise<void> {
  world.emulator.faults.add({ method: "POST", path: "/pages/publish", phase: "status", status: 400 });
  await inRun(page, () => expect(page.up(inputs)).rejects.toThrow(/POST \/pages\/publish/));
  world.emulator.faults.clear();
}

async function live({ id }: ResourceTest): Promise<string> {
  const documents = world.emulator.records()["documents"] as unknown as { id: string; live: unknown }[];
  return Promise.resolve(JSON.stringify(documents.find((one) => one.id === id)?.live));
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
    expect(said()).not.toMatch(/held back|while it was being/);
    expect(await live(page)).toContain("Third title");
  });

  test.each(values)(
    "%j becomes %j, and somebody edits what is beside it",
    { tags: ["thorough"] },
    async (first, second) => {
      const slug = unique("edited");
      const page = new ResourceTest(world, "page", slug);
      await applies(page, declared(slug, first));
      await failing(page, declared(slug, second));
      const edit = { page_id: page.id, updates: { "hero.text": "Half a thought" } };
      await byHand(world, "PATCH", "/pages/content", edit);
      await inRun(page, () => page.up(declared(slug, second)));
      expect(said()).toMatch(/held back[^]*Half a thought/);
      expect(await live(page)).not.toContain("Half a thought");
      await publishInApp(world, page.id, { siteId, slug });
      await applies(page, declared(slug, second));
    },
  );
});

thorough(
  "new ids that a publication gives to the nodes are no edit, and what somebody edits under them is",
  async () => {
    world.emulator.notShown.publishingRenamesNodes = true;
    const slug = unique("renamed");
    const page = new ResourceTest(world, "page", slug);
    for (const title of ["First title", "Second title"]) await applies(page, declared(slug, title));
    await failing(page, declared(slug, "Third title"));
    await applies(page, declared(slug, "Third title"));
    expect(said()).not.toMatch(/held back|while it was being/);
    const edit = { page_id: page.id, updates: { "hero.text": "Half a thought" } };
    await byHand(world, "PATCH", "/pages/content", edit);
    await inRun(page, () => page.up(declared(slug, "Fourth title")));
    expect(said()).toMatch(/held back[^]*Half a thought/);
    expect(await live(page)).not.toContain("Half a thought");
    await publishInApp(world, page.id, { siteId, slug });
    await applies(page, declared(slug, "Fourth title"));
  },
);
