/**
 * A release that fails on the way: its pages that move go back to their old paths, or the report names their place, and a page that stayed a draft
 * takes nobody's words along. A publication counts as failed, too, if the service answers it with success and shows a draft.
 */
import { beforeEach, expect, test, vi } from "vitest";
import { Between, type Asked } from "../faults/between.ts";
import { editInApp } from "../suite/app.ts";
import { FIRST, Release, SECOND } from "./program.ts";
import { forEachTest } from "../suite/opened.ts";

vi.mock("node:timers/promises", async () => ({ setTimeout: (await import("../faults/clock.ts")).sleep }));

const world = forEachTest(() => Release.open());
const between = forEachTest(() => new Between(world.emulator));
beforeEach(async () => {
  world.service = { ...world.service, baseUrl: await between.listen() };
});

const slugs = (): Record<string, unknown> => {
  const pages = world.emulator.records()["pages"] as unknown as { pageName: string; slug: string | null }[];
  return Object.fromEntries(pages.map(({ pageName, slug }) => [pageName, slug]));
};

const REFUSED = { status: 422, text: JSON.stringify({ error: "invalid_request", message: "no" }) };
const isOf = ({ path, body }: Asked, name: string): boolean =>
  path === "/pages/publish" && body.includes(world.idOf(name));

test("a page whose path somebody took meanwhile is told with where it is", async () => {
  await world.apply(FIRST);
  world.emulator.notShown.duplicateSlug = "suffix";
  const isRefused = (asked: Asked): boolean => isOf(asked, "offer") && asked.body.includes('"slug":"offer"');
  let isTaken = false;
  between.turn = async (asked) => {
    if (!isRefused(asked) || isTaken) return;
    isTaken = true;
    const theirs = { template_id: "tpl-hero", name: "Theirs" };
    const { id } = (await world.call("POST", "/pages/from-template", theirs)) as { id: string };
    await world.call("POST", "/pages/publish", { page_id: id, site_id: world.siteId, slug: "thanks" });
  };
  between.instead = (asked) => (isRefused(asked) ? REFUSED : undefined);
  const moved = { thanks: { publish: { siteId: world.siteId, slug: "thank-you", release: "spring" } } };
  const { error } = await world.up(SECOND, {}, moved);
  expect(error?.message).toMatch(
    /could not be published: .* These pages are back at their last published texts: page \S+ \("thanks"\)\. But the service published page \S+ at \/thanks-2, not at \/thanks of site \S+\. Run again/,
  );
  expect(slugs()).toMatchObject({ thanks: "thanks-2", offer: "offer", Theirs: "thanks" });
  between.instead = () => undefined;
  await world.apply(SECOND, {}, moved);
  expect(slugs()).toMatchObject({ thanks: "thank-you", offer: "offer", Theirs: "thanks" });
});

test.each(["at once", "after a refresh"])(
  "a person's words in a page that a failed release has left a draft hold it, by name: %s",
  async (when) => {
    between.instead = (asked) => (isOf(asked, "offer") ? REFUSED : undefined);
    expect((await world.up(FIRST)).error?.message).toContain("could not be published");
    between.instead = () => undefined;
    await editInApp(world, world.idOf("offer"), { "hero.note": "Half a thought" });
    if (when === "after a refresh") await world.stack.refresh(world.service);
    const held = await world.up(FIRST);
    expect(held.error).toBeUndefined();
    expect(held.warnings.join("\n")).toMatch(/"name":"offer","outcome":"held-back".*Half a thought/);
    expect(await world.visit("offer")).toBeUndefined();
    await world.apply(FIRST, { foreignEdits: "include" });
    expect(await world.visit("offer")).toContain("Half a thought");
  },
);

test("one that stays a draft fails, nothing that links to it goes out, and the next run publishes all", async () => {
  const asDraft = { status: "draft", site_id: null, slug: null, url: null, domain: null, published_at: null };
  type Shown = Readonly<{ page_name?: string; status?: string }>;
  const shown = (one: Shown) => (one.status && one.page_name === "thanks" ? { ...one, ...asDraft } : one);
  between.change = (answered) => {
    const told = JSON.parse(answered.text) as Shown | Shown[];
    return { ...answered, text: JSON.stringify(Array.isArray(told) ? told.map(shown) : shown(told)) };
  };
  expect((await world.up(FIRST)).error?.message).toMatch(
    /"thanks"\) of this release could not be published: .*is still a draft .*No page/,
  );
  expect(world.published()).toEqual(["thanks"]);
  between.change = (answered) => answered;
  await world.apply(FIRST);
  expect(world.published()).toEqual(["thanks", "offer"]);
  expect(await world.shown(FIRST)).toEqual(FIRST);
});
