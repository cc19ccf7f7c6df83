/** A service that copies the name at creation: no visitor sees a marker, neither on new pages nor on those of older versions. */
import { expect, test } from "vitest";
import { markerIn } from "../../provider/ledger/identity.ts";
import { applied, byHand, madeForAll, ResourceTest, worldOfAll } from "./harness.ts";
import { writes } from "./table.ts";

const world = worldOfAll({ notShown: { copiesOfName: ["page.title", "slug", "handle"] } });
const site = madeForAll(world, "site", "copies.example");

const contentOf = async (id: string): Promise<string> =>
  JSON.stringify(await byHand(world, "GET", `/search/page-content-map?page_id=${id}`));
const treeOf = async ({ id }: ResourceTest): Promise<string> =>
  JSON.stringify(await byHand(world, "GET", `/pages/builder?page_id=${id}`));

test.each(["page", "quiz"] as const)("a %s made from nothing shows its name, and no marker", async (kind) => {
  const draft = await applied(world, kind, `copied-${kind}.`, {});
  expect(markerIn(await contentOf(draft.id))).toBeUndefined();
  writes(world);
  const publish = { siteId: site.id, slug: `copied-${kind}` };
  const published = await applied(world, kind, `copied-${kind}-published.`, { publish });
  expect(writes(world).at(-1)?.[0]).toBe("POST /pages/publish");
  expect(markerIn(await contentOf(published.id))).toBeUndefined();
  expect(await contentOf(published.id)).toContain(`copied-${kind}-published.`);
  expect(markerIn(JSON.stringify(published.outputs["slug"]))).toBeUndefined();
});

test("the builder shows the name where the content map shows no values", async () => {
  world.emulator.notShown.contentShape = "no-values";
  const publish = { siteId: site.id, slug: "hidden" };
  const page = await applied(world, "page", "hidden.", { publish });
  expect(await treeOf(page)).toContain("hidden.");
  expect(markerIn((await treeOf(page)) + page.live)).toBeUndefined();
  expect(await page.apply({ publish, tags: ["a"] })).toBe("updated");
  expect(world.printed.join("\n")).not.toMatch(/held back|while it was being/);
});

test("a copy in a builder node goes before visitors can see it, and from a draft at the end of its creation", async () => {
  world.emulator.notShown.copiesOfName = ["page.title", "node"];
  for (const [name, inputs] of [
    ["in-a-draft.", {}],
    ["in-a-page.", { publish: { siteId: site.id, slug: "in-a-node" } }],
  ] as const) {
    const page = await applied(world, "page", name, inputs);
    expect(await treeOf(page)).toContain(`"heading":"${name}"`);
    expect(markerIn((await treeOf(page)) + page.live)).toBeUndefined();
  }
});

test("a text that is declared is left as declared, and another's marker as it is", async () => {
  const title = "Our [lf-00000000-1111111111-2222] title";
  const inputs = { publish: { siteId: site.id, slug: "declared" }, content: { "page.title": title } };
  const page = await applied(world, "page", "declared.", inputs);
  expect(await contentOf(page.id)).toContain(title);
  expect(await page.refresh()).toBe(true);
  expect(await page.apply(inputs)).toBe("same");
});

test("a creation that fails before the copies are cleaned is put right by the next run", async () => {
  const page = new ResourceTest(world, "page", "failed.");
  world.emulator.faults.add({ method: "PATCH", path: "/pages/content", phase: "status", status: 403 });
  await expect(page.up({})).rejects.toThrow(/PATCH \/pages\/content/);
  expect(markerIn(await contentOf(page.id))).toBeDefined();
  expect(await page.apply({})).toBe("updated");
  expect(markerIn(await contentOf(page.id))).toBeUndefined();
});
