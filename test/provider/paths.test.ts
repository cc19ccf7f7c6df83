/** Paths that pages of a stack pass to each other in one run. Each run has a host process of its own, as with an engine. */
import { pageKey } from "../../provider/kinds/page/document/collection.ts";
import { beforeEach, describe, expect, test } from "vitest";
import type { RunFacts } from "../../provider/pulumi/run-facts.ts";
import { byHand, factsFile, madeForAll, makeByHand, nextRun, ResourceTest, runWith, worldOfAll } from "./harness.ts";
import { unique } from "./table.ts";
import { thorough } from "../suite/parts.ts";
import { editInApp, liveOf, publishInApp } from "../suite/app.ts";

const world = worldOfAll();
const site = madeForAll(world, "site", "paths.example");

const VARIABLES = { brand: "Acme", product_count: "12", product: "Mug", support_email: "help@mugs.example" };

function at(slug: string, templateId = "tpl-hero") {
  return { templateId, variables: VARIABLES, publish: { siteId: site.id, slug } };
}

const publish = (id: string, slug: string): Promise<unknown> => publishInApp(world, id, { siteId: site.id, slug });

async function pagesAt(...slugs: string[]): Promise<ResourceTest[]> {
  const pages = slugs.map((slug) => new ResourceTest(world, "page", unique(`page-${slug}`)));
  for (const [index, page] of pages.entries()) await page.apply(at(slugs[index] ?? ""));
  return pages;
}

/** Runs once over existing pages. The run after it plans nothing. */
async function move(pages: readonly ResourceTest[], slugs: readonly string[]): Promise<void> {
  const each = <T>(work: (page: ResourceTest, slug: string) => Promise<T>): Promise<T[]> =>
    Promise.all(pages.map((page, index) => work(page, slugs[index] ?? "")));
  await nextRun(world, async (client) => {
    expect(await each((page, slug) => page.handTo(client).up(at(slug)))).toEqual(pages.map(() => "updated"));
  });
  await nextRun(world, async (client) => {
    expect(await each((page, slug) => page.handTo(client).up(at(slug)))).toEqual(pages.map(() => "same"));
  });
}

const livePaths = (pages: readonly ResourceTest[]): Promise<unknown[]> =>
  Promise.all(pages.map(async ({ id }) => (await byHand<{ slug: unknown }>(world, "GET", `/pages/${id}`)).slug));

test("two pages swap their paths", async () => {
  const pages = await pagesAt("one", "two");
  const before = pages.map(({ id }) => id);
  await move(pages, ["two", "one"]);
  expect(await livePaths(pages)).toEqual(["two", "one"]);
  expect(pages.map(({ id }) => id)).toEqual(before);
});

test("a page that the run deletes makes way for a new one", async () => {
  const [old] = (await pagesAt("reused")) as [ResourceTest];
  const fresh = new ResourceTest(world, "page", unique("fresh"));
  await runWith(world, factsFile({ ours: [pageKey(old.id)] }), async (client) => {
    expect(await fresh.handTo(client).up(at("reused"))).toBe("created");
    expect(await livePaths([fresh])).toEqual(["reused"]);
    await old.handTo(client).delete();
  });
  expect(await fresh.upNext(at("reused"))).toBe("same");
});

test("a page of somebody else stays where it is, and is named with what to do", async () => {
  const [other] = (await pagesAt("theirs")) as [ResourceTest];
  const fresh = new ResourceTest(world, "page", unique("fresh"));
  await expect(fresh.upNext(at("theirs"), factsFile({ ours: [] }))).rejects.toThrow(
    new RegExp(`page ${other.id} .*has the path /theirs .*aliases.*adoptId: "${other.id}"`),
  );
  expect(await livePaths([other])).toEqual(["theirs"]);
});

describe("without the command line nobody knows what the run deletes at its end", () => {
  thorough("a new page fails and names the way on; once the other one is gone, the next up publishes it", async () => {
    const [old] = (await pagesAt("plain")) as [ResourceTest];
    const fresh = new ResourceTest(world, "page", unique("fresh"));
    await nextRun(world, async (client) => {
      await expect(fresh.handTo(client).up(at("plain"))).rejects.toThrow(
        new RegExp(
          `page ${old.id} .*has the path /plain .*"npx landform up", which exchanges the paths.*delete the page by an up without the new one`,
        ),
      );
      await old.handTo(client).delete();
    });
    await nextRun(world, async (client) => {
      expect(await fresh.handTo(client).up(at("plain"))).toBe("updated");
      expect(fresh.outputs).toMatchObject({ status: "published", slug: "plain", hasUnpublishedChanges: false });
      expect(await fresh.up(at("plain"))).toBe("same");
    });
  });
});

thorough("a replacement that the service refuses puts the old page back", async () => {
  const [page] = (await pagesAt("kept")) as [ResourceTest];
  const { id } = page;
  // The first publication puts the old page aside, and the second publishes the new page.
  world.emulator.faults.add({ method: "POST", path: "/pages/publish", phase: "status", status: 400, skip: 1 });
  await expect(page.upNext(at("kept", "tpl-sales"))).rejects.toThrow(/400/);
  expect(await byHand(world, "GET", `/pages/${id}`)).toMatchObject({ status: "published", slug: "kept" });
  await nextRun(world, async (client) => {
    expect(await page.handTo(client).up(at("kept", "tpl-sales"))).toBe("updated");
    expect(await page.up(at("kept", "tpl-sales"))).toBe("same");
  });
  expect(await livePaths([page])).toEqual(["kept"]);
});

thorough("one that can't be put back is named with the address that shows nothing", async () => {
  const [page] = (await pagesAt("lost")) as [ResourceTest];
  const { id } = page;
  world.emulator.faults.add({ path: "/pages/publish", phase: "status", status: 400, skip: 1, times: 2 });
  await expect(page.upNext(at("lost", "tpl-sales"))).rejects.toThrow(
    new RegExp(`Page ${id} .*had /lost .*could not be put back.*it is at /lost-replaced-`),
  );
});

/** Another text each time, because the user's word publishes some. */
const thoughtOn = ({ id }: ResourceTest): string => `Half a thought on ${id}`;

async function twoOfWhichOneIsEdited(): Promise<[ResourceTest, ResourceTest]> {
  const [edited, other] = (await pagesAt(unique("edited"), unique("other"))) as [ResourceTest, ResourceTest];
  await editInApp(world, edited.id, { "hero.note": thoughtOn(edited) });
  return [edited, other];
}

/** The run comes to the page that makes way only after the page that takes its path. */
const comesLater = (edited: ResourceTest, other: ResourceTest, more: Partial<RunFacts> = {}) =>
  factsFile({ ours: [pageKey(edited.id), pageKey(other.id)], ...more });

thorough("a page with edits of others makes no way, though the run has not come to it yet", async () => {
  const [edited, other] = await twoOfWhichOneIsEdited();
  const [from, to, otherFrom] = [edited.outputs["slug"] as string, unique("elsewhere"), other.outputs["slug"]];
  const said = await runWith(world, comesLater(edited, other), async (client) => {
    await expect(other.handTo(client).up(at(from))).rejects.toThrow(
      /keeps the path .*draft holds somebody's unpublished edits/,
    );
    await edited.handTo(client).up(at(to));
  });
  expect(said.match(/is held back/g)).toHaveLength(1);
  expect(await livePaths([edited, other])).toEqual([from, otherFrom]);
  await expectHidden(thoughtOn(edited));
});

thorough("by the user's word it makes way, and what became public with it is told", async () => {
  const [edited, other] = await twoOfWhichOneIsEdited();
  const [from, to] = [edited.outputs["slug"] as string, unique("elsewhere")];
  const facts = comesLater(edited, other, { foreignEdits: { option: "include" } });
  const said = await runWith(world, facts, async (client) => {
    await other.handTo(client).up(at(from));
    await edited.handTo(client).up(at(to));
  });
  expect(said).toMatch(/somebody's unpublished edits go live with .*Half a thought/);
  expect(await livePaths([edited, other])).toEqual([to, from]);
});

test("a page that the run deletes makes way as the plan has decided, unless somebody edits it after that", async () => {
  const [edited, other] = await twoOfWhichOneIsEdited();
  const from = edited.outputs["slug"] as string;
  const { updated_at: seen } = await byHand<{ updated_at: string }>(world, "GET", `/pages/${edited.id}`);
  const facts = { makesWay: { [edited.id]: seen } };
  await editInApp(world, edited.id, { "hero.note": `Another ${thoughtOn(edited)}` });
  await runWith(world, comesLater(edited, other, facts), async (client) => {
    await expect(other.handTo(client).up(at(from))).rejects.toThrow(/keeps the path .*unpublished edits/);
  });
  await expectHidden(thoughtOn(edited));
  const { updated_at: now } = await byHand<{ updated_at: string }>(world, "GET", `/pages/${edited.id}`);
  await runWith(world, comesLater(edited, other, { makesWay: { [edited.id]: now } }), async (client) => {
    await other.handTo(client).up(at(from));
    await edited.handTo(client).delete();
  });
  expect(await livePaths([other])).toEqual([from]);
  expect(await other.upNext(at(from))).toBe("same");
});

thorough("a page that is replaced is not published elsewhere with edits of others: the old one stays", async () => {
  const [edited] = await twoOfWhichOneIsEdited();
  const [{ id }, slug] = [edited, edited.outputs["slug"] as string];
  expect(await edited.upNext(at(slug, "tpl-sales"))).toBe("same");
  expect(await byHand(world, "GET", `/pages/${id}`)).toMatchObject({ status: "published", slug });
  await expectHidden(thoughtOn(edited));
});

/** Checks that no address shows the text. */
async function expectHidden(text: string): Promise<void> {
  const rows = await byHand<{ id: string }[]>(world, "GET", "/pages?limit=100&published=true");
  for (const { id } of rows) expect(liveOf(world, id)).not.toContain(text);
}

test("a page that is held back keeps its path: to put it aside would publish its draft", async () => {
  const [edited, other] = await twoOfWhichOneIsEdited();
  const [from, to] = [edited.outputs["slug"] as string, unique("elsewhere")];
  await runWith(world, comesLater(edited, other), async (client) => {
    await edited.handTo(client).up(at(to));
    await expect(other.handTo(client).up(at(from))).rejects.toThrow(
      /keeps the path .*draft holds somebody's unpublished edits/,
    );
  });
  expect(await livePaths([edited])).toEqual([from]);
  await publish(edited.id, from);
  await runWith(world, comesLater(edited, other), async (client) => {
    await edited.handTo(client).up(at(to));
    await other.handTo(client).up(at(from));
  });
  expect(await livePaths([edited, other])).toEqual([to, from]);
});

describe("where the newest publication wins", () => {
  const SLUGS = ["shared", "alone", "apart", "away"];
  beforeEach(() => {
    world.emulator.notShown.duplicateSlug = "newest-wins";
  });

  async function theirsAt(slug: string): Promise<string> {
    const id = await makeByHand(world, "/pages/from-template", { template_id: "tpl-thankyou", name: "Theirs" });
    await publish(id, slug);
    return id;
  }

  thorough("an address that somebody took meanwhile is told, by the look that is made after it", async () => {
    const id = await theirsAt("Shared");
    const pages = SLUGS.map((slug) => new ResourceTest(world, "page", unique(slug)));
    await nextRun(world, async (client, printed) => {
      await Promise.all(pages.map((page, index) => page.handTo(client).up(at(SLUGS[index] ?? ""))));
      const told = printed.filter((line) => line.includes(", too: somebody published it there"));
      expect(told).toEqual([expect.stringContaining(`page ${id} ("Theirs") has the path /shared of site ${site.id}`)]);
      expect(told[0]).toContain(`while this run published page ${pages[0]?.id ?? ""}`);
    });
  });

  test.each([
    ["on its own", "created", undefined],
    ["by the run after one that failed", "updated", { method: "POST", path: "/pages/publish" }],
  ] as const)(
    "a page that is published %s tells of it, too, and once",
    { tags: ["thorough"] },
    async (_, first, refused) => {
      const slug = unique("own");
      const id = await theirsAt(slug);
      const page = new ResourceTest(world, "page", unique("own"));
      const run = async (content: Record<string, string>): Promise<[outcome: string, told: number]> => {
        let outcome = "failed";
        const said = await nextRun(world, async (client) => {
          const up = page.handTo(client).up({ ...at(slug), content });
          outcome = await up.catch(() => "failed");
        });
        return [outcome, said.split(`page ${id} ("Theirs") has the path /${slug} of site`).length - 1];
      };
      if (refused) {
        world.emulator.faults.add({ ...refused, phase: "status", status: 403 });
        expect(await run({})).toEqual(["failed", 0]);
      }
      expect(await run({})).toEqual([first, 1]);
      expect(await run({})).toEqual(["same", 0]);
      expect(await run({ "hero.title": "Another one" })).toEqual(["updated", 0]);
      expect(await run({ "hero.title": "Another one" })).toEqual(["same", 0]);
    },
  );

  thorough("of pages of the run that change places nothing is told", async () => {
    const pages = await pagesAt("north", "south", "east");
    const slugs = ["south", "east", "north"];
    const said = await runWith(world, factsFile({ ours: pages.map(({ id }) => pageKey(id)) }), (client) =>
      Promise.all(pages.map((page, index) => page.handTo(client).up(at(slugs[index] ?? "")))),
    );
    expect(said).not.toContain("somebody published");
  });
});

describe("where a taken path gets a number behind it", () => {
  beforeEach(() => {
    world.emulator.notShown.duplicateSlug = "suffix";
  });

  test("two pages swap their paths", async () => {
    const slugs = [unique("here"), unique("there")] as const;
    const pages = await pagesAt(...slugs);
    await move(pages, [slugs[1], slugs[0]]);
    expect(await livePaths(pages)).toEqual([slugs[1], slugs[0]]);
  });

  thorough("somebody's page keeps its own, and the page beside it fails until the path is free", async () => {
    const slug = unique("taken");
    const [other] = (await pagesAt(slug)) as [ResourceTest];
    const fresh = new ResourceTest(world, "page", unique("fresh"));
    const refused = new RegExp(
      `page ${other.id} .*has the path /${slug} .*the service published page \\S+ at /${slug}-2, not at /${slug} of site ${site.id}`,
    );
    await expect(fresh.upNext(at(slug), factsFile({ ours: [] }))).rejects.toThrow(refused);
    expect(fresh.outputs).toMatchObject({ status: "published", slug: `${slug}-2` });
    await expect(fresh.upNext(at(slug), factsFile({ ours: [] }))).rejects.toThrow(refused);
    await publish(other.id, unique("left"));
    await nextRun(world, async (client) => {
      expect(await fresh.handTo(client).up(at(slug))).toBe("updated");
      expect(await fresh.up(at(slug))).toBe("same");
    });
    expect(await livePaths([fresh])).toEqual([slug]);
  });
});
