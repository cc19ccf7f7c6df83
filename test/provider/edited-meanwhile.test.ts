/** A person edits a text of the run between its write and its look: the run never takes the edit for the service's own spelling. */
import { expect, test } from "vitest";
import type { PropertyMap } from "../../engine/index.ts";
import { applied, openBehind, ResourceTest, titled as declared } from "./harness.ts";
import { refreshPlansNothing, unique } from "./table.ts";
import { forEachTest } from "../suite/opened.ts";
import { editInApp, textsInApp } from "../suite/app.ts";

const HAND = "Words of somebody else";

const world = forEachTest(() => openBehind());

async function newPage(): Promise<{ page: ResourceTest; publish: PropertyMap }> {
  const slug = unique("meanwhile");
  const site = await applied(world, "site", `${slug}.example`, {});
  return { page: new ResourceTest(world, "page", slug), publish: { publish: { siteId: site.id, slug } } };
}

/** Edits the title once, after the answer to the first write of this one. */
function editAfterWriteOf(title: string): void {
  let target: string | undefined;
  let edited = false;
  world.between.turn = async ({ path, body }) => {
    if (target !== undefined && !edited) {
      edited = true;
      const { page_id } = JSON.parse(target) as { page_id: string };
      await editInApp(world, page_id, { "hero.title": HAND });
    }
    if (path === "/pages/content" && body.includes(title)) target = body;
  };
}

const titleOf = async ({ id }: ResourceTest): Promise<unknown> => (await textsInApp(world, id))["hero.title"];

const told = (): string => world.printed.join("\n");

test.each(["draft", "live"] as const)("of a public page, the map shows %s: ours is, and it is told", async (shows) => {
  world.emulator.notShown.contentMapShows = shows;
  const { page, publish } = await newPage();
  await page.apply(declared("First title", publish));
  editAfterWriteOf("Second title");
  expect(await page.apply(declared("Second title", publish))).toBe("updated");
  expect(await titleOf(page)).toBe("Second title");
  expect(await page.visited()).toContain("Second title");
  expect(await page.visited()).not.toContain(HAND);
  expect(told()).toMatch(/somebody edited hero\.title of page \S+ while this run wrote it/);
  await refreshPlansNothing(page, declared("Second title", publish));
});

test("of a draft: ours is, and it is told", async () => {
  const { page } = await newPage();
  await page.apply(declared("First title"));
  editAfterWriteOf("Own title");
  await page.apply(declared("Own title"));
  expect(await titleOf(page)).toBe("Own title");
  expect(told()).toMatch(/somebody edited hero\.title/);
  await refreshPlansNothing(page, declared("Own title"));
});

test("where the publication is refused nothing more is written, and the edit is found later", async () => {
  const { page, publish } = await newPage();
  await page.apply(declared("First title", publish));
  editAfterWriteOf("Second title");
  world.emulator.faults.add({ method: "POST", path: "/pages/publish", phase: "status", status: 400 });
  await expect(page.up(declared("Second title", publish))).rejects.toThrow();
  expect(await titleOf(page)).toBe(HAND);
  const included = { ...publish, onForeignEdits: "include" };
  expect(await page.apply(declared("Second title", included))).toBe("updated");
  expect(await titleOf(page)).toBe("Second title");
  expect(await page.visited()).toContain("Second title");
});
