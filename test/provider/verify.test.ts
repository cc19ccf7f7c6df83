/** Seen live: the run looks at a publication where visitors are, until it shows the change. */
import { expect, test } from "vitest";
import type { PropertyMap } from "../../engine/index.ts";
import { applied, calls, HERO, madeForAll, nextRun, ResourceTest, startHost, worldOfAll } from "./harness.ts";
import { refreshPlansNothing, unique } from "./table.ts";

const world = worldOfAll({}, { LANDFORM_VERIFY_WAIT_MS: "2500" }, startHost);
const site = madeForAll(world, "site", "seen.example");

const declared = (slug: string, title: string, more: PropertyMap = {}): PropertyMap => ({
  ...HERO,
  content: {
    "hero.title": title,
    "hero.text": "What **{{brand}}** makes & sells",
    "hero.image.src": "https://cdn.example/a.png",
  },
  publish: { siteId: site.id, slug, verify: true },
  ...more,
});

async function told(text: RegExp | string): Promise<void> {
  await expect.poll(() => world.printed.join("\n")).toMatch(text);
}

test("seen, at the first publication and at every other; the second run plans nothing", async () => {
  const slug = unique("seen");
  const page = await applied(world, "page", slug, declared(slug, "First title"));
  await told(/note: publish: page .*: seen after \d/);
  world.printed.length = 0;
  expect(await page.apply(declared(slug, "Second <title> & more"))).toBe("updated");
  await told(/: seen after \d/);
  await refreshPlansNothing(page, declared(slug, "Second <title> & more"));
});

test("a cache that gives way in time is waited for; one that doesn't is told, and the page is published", async () => {
  const slug = unique("cached");
  const page = await applied(world, "page", slug, declared(slug, "First title"));
  world.printed.length = 0;
  world.emulator.notShown.publicLagMs = 300;
  await page.apply(declared(slug, "Second title"));
  await told(/: seen after/);
  expect(world.printed.join("\n")).not.toMatch(/warning/);

  world.printed.length = 0;
  world.emulator.notShown.publicLagMs = 60_000;
  await page.apply(declared(slug, "Third title"));
  await told(/warning: publish: .*published, still serves the old text of hero\.title after/);
  expect(page.outputs).toMatchObject({ status: "published", hasUnpublishedChanges: false });
});

test("what is no text to look for is not called seen", async () => {
  const slug = unique("image");
  const page = await applied(world, "page", slug, declared(slug, "First title"));
  world.printed.length = 0;
  const content = {
    ...(declared(slug, "First title")["content"] as PropertyMap),
    "hero.image.src": "https://cdn.example/b.png",
  };
  await page.apply(declared(slug, "First title", { content }));
  await told(/The change has no text to look for/);
});

test("to begin or to end looking changes nothing on the page", async () => {
  const slug = unique("asked");
  const page = await applied(
    world,
    "page",
    slug,
    declared(slug, "First title", { publish: { siteId: site.id, slug } }),
  );
  expect(await page.up(declared(slug, "First title"))).toBe("same");
  expect(world.printed.join("\n")).not.toContain("seen");
  expect(await page.apply(declared(slug, "Second title"))).toBe("updated");
  await told(/: seen after/);
  expect(await page.up(declared(slug, "Second title", { publish: { siteId: site.id, slug } }))).toBe("same");
  // An adopted page that is as declared is not published again for that.
  await nextRun(world, async (client) => {
    const adopted = new ResourceTest(world, "page", unique("adopted")).handTo(client);
    calls(world);
    const content = { "hero.title": "Second title" };
    await adopted.apply({ name: slug, adoptId: page.id, content, publish: { siteId: site.id, slug, verify: true } });
    expect(calls(world).filter((call) => !call.startsWith("GET"))).toEqual([]);
  });
});
