/** Writes that the service answers with success and with the old record. */
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { PropertyMap } from "../../engine/index.ts";
import type { Kind } from "../../provider/kinds/registry.ts";
import type { Answered, Asked } from "../faults/between.ts";
import { inTheApp } from "../suite/app.ts";
import { forAllTests } from "../suite/opened.ts";
import { applied, HERO, openBehind, PROJECT } from "./harness.ts";
import { refreshPlansNothing, unique } from "./table.ts";

describe("of a service", () => {
  const world = forAllTests(() => openBehind());
  /** The effect of PATCH: nothing at all, or everything with the old answer. */
  let patches: "done" | "not done" | "answered late" = "done";
  /** The last answer that shows the effect of a write to a page, by call and page. */
  const answers = new Map<string, string>();

  beforeAll(() => {
    world.between.instead = pass;
  });
  beforeEach(() => {
    patches = "done";
    world.emulator.notShown.contentMapShows = "draft";
  });

  async function pass({ method, path, body }: Asked): Promise<Answered | undefined> {
    const { page_id, product_id, funnel_id } = (body === "" ? {} : JSON.parse(body)) as Record<string, string>;
    const send = async () => JSON.stringify(await inTheApp<unknown>(world, method, path, JSON.parse(body)));
    const isLate = patches === "answered late";
    if (page_id !== undefined && /^\/pages\/(content|metadata|delay|publish)$/.test(path)) {
      const key = `${path} ${page_id}`;
      const former = patches === "done" ? undefined : answers.get(key);
      if (former === undefined || isLate) answers.set(key, await send());
      if (isLate) patches = "done";
      return { status: 200, text: former ?? answers.get(key) ?? "" };
    }
    if (method !== "PATCH" || patches === "done") return undefined;
    const id = product_id ?? funnel_id;
    const text = JSON.stringify(await inTheApp<unknown>(world, "GET", id === undefined ? path : `${path}/${id}`));
    if (isLate) await send();
    return { status: 200, text };
  }

  const STEPS = [
    { url: "https://one.example/", pageType: "presell" },
    { url: "https://two.example/", pageType: "sales" },
  ];
  const ITEMS = [{ product_id: "p1" }, { product_id: "p2" }];
  const BUNDLE = { type: "bundle", bundleItems: ITEMS.slice(0, 1) };
  const text = (title: string, brand = "Acme") => ({ ...HERO, variables: { brand }, content: { "hero.title": title } });
  test.each<[Kind, string, PropertyMap, PropertyMap, string]>([
    ["product", "PATCH /products", { price: 3 }, { price: 4 }, "price"],
    ["project", "PATCH /projects/", PROJECT, { ...PROJECT, name: "Other" }, "name"],
    ["funnel", "PATCH /funnels", {}, { name: "Other" }, "name"],
    ["funnel", "PATCH /funnels", { steps: STEPS.slice(0, 1) }, { steps: STEPS }, "steps"],
    ["funnel", "PATCH /funnels", { steps: STEPS }, { steps: STEPS.toReversed() }, "steps"],
    ["product", "PATCH /products", BUNDLE, { ...BUNDLE, bundleItems: ITEMS }, "bundleItems"],
    ["product", "PATCH /products", {}, { subscription: { enabled: true } }, "subscription"],
    ["page", "PATCH /pages/metadata", {}, { name: "Other" }, "name"],
    ["page", "PATCH /pages/content", text("Hello"), text("Bye"), "content.hero.title"],
    ["page", "PATCH /pages/content", text("Hello {{brand}}"), text("Bye {{brand}}"), "content.hero.title"],
    ["page", "PATCH /pages/content", text("By {{brand}}"), text("By {{brand}}", "Mugs"), "content.hero.title"],
  ])("%s: it fails by name, and the next run does it", async (kind, call, first, second, field) => {
    const one = await applied(world, kind, unique("unmoved"), first);
    patches = "not done";
    await expect(one.up(second)).rejects.toThrow(
      new RegExp(`the service answered ${call}\\S* with success, but did not change ${one.id}: ${field}\\.`),
    );
    patches = "done";
    expect(await one.apply(second)).toBe("updated");
    await refreshPlansNothing(one, second);
  });

  test("a funnel that keeps its steps is not retired", async () => {
    const page = await applied(world, "page", unique("step"), HERO);
    const funnel = await applied(world, "funnel", unique("kept"), {
      steps: [{ pageId: page.id, pageType: "presell" }],
    });
    patches = "not done";
    await expect(funnel.delete()).rejects.toThrow(/funnel \S+ still has its steps: it is not retired/);
    patches = "answered late";
    await funnel.delete();
  });

  describe("a page that is published", () => {
    let siteId: string;
    const publishedAt = (slug: string) => ({ ...HERO, publish: { siteId, slug } });
    beforeAll(async () => {
      siteId = (await applied(world, "site", "unmoved.example", {})).id;
    });

    test("at its former path after another one was sent: it fails, and the next run does it", async () => {
      const one = await applied(world, "page", unique("slug"), publishedAt("offer"));
      patches = "not done";
      await expect(one.up(publishedAt("offer-2"))).rejects.toThrow(
        `the service published page ${one.id} at /offer, not at /offer-2 of site ${siteId}`,
      );
      patches = "done";
      expect(await one.apply(publishedAt("offer-2"))).toBe("updated");
      expect(one.outputs["slug"]).toBe("offer-2");
      await refreshPlansNothing(one, publishedAt("offer-2"));
    });

    test.each(["draft", "live"] as const)("with the earlier text, if the map shows %s: so it is", async (shows) => {
      world.emulator.notShown.contentMapShows = shows;
      const saying = (title: string) => ({ ...text(title), ...publishedAt(`text-${shows}`) });
      const one = await applied(world, "page", unique("text"), saying("Hello"));
      patches = "not done";
      await expect(one.up(saying("Bye"))).rejects.toThrow(
        `the service answered PATCH /pages/content with success, but did not change ${one.id}: content.hero.title.`,
      );
      patches = "done";
      expect(await one.apply(saying("Bye"))).toBe("updated");
      expect(one.outputs["content"]).toMatchObject({ "hero.title": "Bye" });
      await refreshPlansNothing(one, saying("Bye"));
    });

    test("is believed where the answer alone lags behind", async () => {
      const one = await applied(world, "page", unique("slug"), publishedAt("late"));
      patches = "answered late";
      expect(await one.apply(publishedAt("later"))).toBe("updated");
      expect(one.outputs["slug"]).toBe("later");
      await refreshPlansNothing(one, publishedAt("later"));
    });
  });
});
