/** Writes that the service answers with success and an explicit no: they were not done, and a later run does them. */
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { PropertyMap } from "../../engine/index.ts";
import type { Answered, Asked } from "../faults/between.ts";
import { calls, openBehind, ResourceTest, applied } from "./harness.ts";
import { refreshPlansNothing, unique } from "./table.ts";
import { forAllTests } from "../suite/opened.ts";

const world = forAllTests(() => openBehind());
let siteId: string;

/** Answers by METHOD and path in the service's place, so that it carries out nothing. */
const denials = new Map<string, Record<string, unknown>>();

function denialOf({ method, url, body }: Asked): Answered | undefined {
  const denial = denials.get(`${method} ${url.slice("/v1".length)}`);
  if (denial === undefined) return undefined;
  const { page_id: pageId, node_id: nodeId } = JSON.parse(body) as Record<string, unknown>;
  const echo = { id: pageId, page_id: pageId, ...(nodeId !== undefined && { node_id: nodeId }) };
  return { status: 200, text: JSON.stringify({ ...echo, ...denial }) };
}

beforeAll(async () => {
  world.between.instead = denialOf;
  const site = await applied(world, "site", "denied.example", {});
  siteId = site.id;
});
beforeEach(() => {
  denials.clear();
  calls(world);
});

const hero = (more: PropertyMap = {}): PropertyMap => ({
  templateId: "tpl-hero",
  variables: { brand: "Acme" },
  ...more,
});
const newPage = (): ResourceTest => new ResourceTest(world, "page", unique("denied"));
const publications = (): number => calls(world).filter((call) => call === "POST /pages/publish").length;

describe("a publication that was not done", () => {
  test("fails by name, leaves a draft, and the next run publishes it", async () => {
    const page = newPage();
    const declared = hero({ publish: { siteId, slug: unique("denied") } });
    denials.set("POST /pages/publish", { success: false, url: null, domain: null, slug: "" });
    await expect(page.up(declared)).rejects.toThrow(
      "POST /pages/publish: the service answered 200 with success: false, which says that it was not done. Run again: the next run goes on from here.",
    );
    expect(page.outputs["status"]).toBe("draft");
    denials.clear();
    expect(await page.apply(declared)).toBe("updated");
    expect([page.outputs["status"], publications()]).toEqual(["published", 1]);
    await refreshPlansNothing(page, declared);
  });

  test("and says nothing of it fails where the page stays a draft, and the next run publishes it", async () => {
    const page = newPage();
    const declared = hero({ publish: { siteId, slug: unique("mute") } });
    denials.set("POST /pages/publish", { url: null, domain: null, slug: "" });
    await expect(page.up(declared)).rejects.toThrow(/is still a draft 0 s after POST \/pages\/publish was answered/);
    expect(page.outputs["status"]).toBe("draft");
    denials.clear();
    expect(await page.apply(declared)).toBe("updated");
    expect([page.outputs["status"], publications()]).toEqual(["published", 1]);
    await refreshPlansNothing(page, declared);
  });
});
