/** Writes that the service answers with success and an explicit no: they were not done, and a later run does them. */
import { expect, test } from "vitest";
import { applied, HERO, openBehind, publications, ResourceTest } from "./harness.ts";
import { refreshPlansNothing, unique } from "./table.ts";
import { forAllTests } from "../suite/opened.ts";

const world = forAllTests(() => openBehind());

test.each([
  [
    "says so: it fails by name",
    { success: false },
    "POST /pages/publish: the service answered 200 with success: false, which says that it was not done. Run again: the next run goes on from here.",
  ],
  ["says nothing of it: it fails", {}, /is still a draft 0 s after POST \/pages\/publish was answered/],
])("a publication that was not done, whose answer %s, and the next run publishes it", async (_, denial, message) => {
  const slug = unique("denied");
  const site = await applied(world, "site", `${slug}.example`, {});
  const page = new ResourceTest(world, "page", slug);
  const declared = { ...HERO, publish: { siteId: site.id, slug } };
  world.between.instead = ({ path, body }) => {
    if (path !== "/pages/publish") return undefined;
    const { page_id: id } = JSON.parse(body) as Record<string, unknown>;
    return { status: 200, text: JSON.stringify({ id, page_id: id, url: null, domain: null, slug: "", ...denial }) };
  };
  await expect(page.up(declared)).rejects.toThrow(message);
  expect(page.outputs["status"]).toBe("draft");
  world.between.instead = () => undefined;
  publications(world);
  expect(await page.apply(declared)).toBe("updated");
  expect([page.outputs["status"], publications(world)]).toEqual(["published", 1]);
  await refreshPlansNothing(page, declared);
});
