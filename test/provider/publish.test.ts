/** Publication: the reasons that stop it, its messages, and the page that replaces a published one. */
import { expect, test } from "vitest";
import type { PropertyMap } from "../../engine/index.ts";
import { calls, HERO, madeForAll, publications, ResourceTest, applied, worldOfAll } from "./harness.ts";
import { refreshPlansNothing, unique, writes } from "./table.ts";
import { editInApp } from "../suite/app.ts";

const world = worldOfAll();
const site = madeForAll(world, "site", "publish.example");

const hero = (slug: string, more: PropertyMap = {}): PropertyMap => ({
  ...HERO,
  publish: { siteId: site.id, slug },
  ...more,
});

test.each([true, false])("a page without sections stays a draft (service refuses: %s)", async (refuses) => {
  world.emulator.notShown.publishRefusesUnready = refuses;
  const page = new ResourceTest(world, "page", unique("blank"));
  await expect(page.up({ publish: { siteId: site.id, slug: page.urn.slice(-7) } })).rejects.toThrow(
    /^publish: page \S+ is not ready \(POST \/pages\/validate-before-publish\), so it stays a draft\. .*section.*\. Correct this and run again: the next run goes on from here\. See docs\/troubleshooting\.md#apply$/,
  );
  expect(publications(world)).toBe(0);
  expect(page.outputs["status"]).toBe("draft");
});

test("a published page that is not ready any more keeps its revision, and says so", async () => {
  const declared = hero(unique("kept"), { onForeignEdits: "include", content: { "hero.title": "Fine" } });
  const page = await applied(world, "page", unique("kept"), declared);
  await expect(page.up({ ...declared, content: { "hero.title": "{{missing}}" } })).rejects.toThrow(
    /its texts hold \{\{missing\}\} without a value \(in .*\), so that it can't be published\. Give it a value under variables/,
  );
  await editInApp(world, page.id, { "hero.text": "{{missing}}" });
  calls(world);
  const broken = { ...declared, content: { "hero.title": "Finer" } };
  await expect(page.up(broken)).rejects.toThrow(
    /so it keeps its last published revision\. Placeholders without a value: \{\{missing\}\} \(in hero\.text\)\. Give these a value under variables/,
  );
  expect(publications(world)).toBe(0);
  const mended = { ...broken, variables: { brand: "Acme", missing: "Here" } };
  expect(await page.apply(mended)).toBe("updated");
  expect(publications(world)).toBe(1);
  expect(page.outputs).toMatchObject({ status: "published", hasUnpublishedChanges: false });
  await refreshPlansNothing(page, mended);
});

test("a placeholder that an edit brought back is given its value before the page is published", async () => {
  const declared = hero(unique("brought-back"), { onForeignEdits: "include", content: { "hero.title": "One" } });
  const page = await applied(world, "page", unique("brought-back"), declared);
  await editInApp(world, page.id, { "hero.text": "By {{brand}}" });
  const changed = { ...declared, content: { "hero.title": "Two" } };
  expect(await page.apply(changed)).toBe("updated");
  expect(page.outputs).toMatchObject({ status: "published", hasUnpublishedChanges: false });
  await refreshPlansNothing(page, changed);
  // The service has shown its text by now.
  calls(world);
  await page.apply({ ...changed, variables: { brand: "Umbrella" } });
  expect(JSON.stringify(writes(world, page.id))).toContain("By Umbrella");
});

test("a publication that failed is made up for, though nothing else is left to do", async () => {
  const declared = hero(unique("redo"), { content: { "hero.title": "One" } });
  const page = await applied(world, "page", unique("redo"), declared);
  world.emulator.faults.add({ path: "/pages/publish", phase: "status", status: 403 });
  const changed = { ...declared, content: { "hero.title": "Two" } };
  await expect(page.up(changed)).rejects.toThrow(/pages:publish/);
  await page.refresh();
  calls(world);
  expect(await page.apply(changed)).toBe("updated");
  expect(writes(world, page.id)).toEqual([
    ["POST /pages/publish", { page_id: "ID", site_id: site.id, slug: (declared["publish"] as PropertyMap)["slug"] }],
  ]);
});

test("a revision that was not saved is a warning", async () => {
  world.emulator.notShown.revisionWarning = "The revision store is full.";
  const page = await applied(world, "page", unique("revision"), hero(unique("revision")));
  await expect
    .poll(() => world.printed.join("\n"))
    .toContain(`publish: page ${page.id} is published, but: The revision store is full.`);
});

test("a slug that a page of somebody else has: the service's refusal, and another slug goes on from there", async () => {
  const slug = unique("taken");
  await new ResourceTest(world, "page", unique("theirs")).upNext(hero(slug));
  const page = new ResourceTest(world, "page", unique("ours"));
  await expect(page.up(hero(slug))).rejects.toThrow(/POST \/pages\/publish.*409/);
  expect(page.id).not.toBe("");
  expect(await page.apply(hero(unique("free")))).toBe("updated");
  expect(page.outputs["status"]).toBe("published");
});
