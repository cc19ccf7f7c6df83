/** A release: all its pages or none, link targets first, back if one fails, and no edits of others with it. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Stack } from "../faults/stack.ts";
import type { Json, JsonMap } from "../../provider/values/json.ts";
import { FIRST, programOf, Release, SECOND, type Text } from "./program.ts";
import { inTest } from "../suite/opened.ts";
import { textsInApp } from "../suite/app.ts";

vi.mock("node:timers/promises", async () => ({ setTimeout: (await import("../faults/clock.ts")).sleep }));

const THIRD: Text = { offer: "Third offer", thanks: "Third thanks" };

let world: Release;
afterEach(() => world.close());

const refusesPublication = (more: { path?: string; status?: number; skip?: number; times?: number }): void =>
  world.emulator.faults.add({ method: "POST", path: "/pages/publish", phase: "status", status: 400, ...more });

test("an edit right after a publication that moves dates by itself is somebody's, once a refresh has told of the release", async () => {
  world = await Release.open({ publishMovesUpdatedAtMs: 400 });
  await world.apply(FIRST);
  await world.apply(SECOND);
  expect((await world.stack.refresh(world.service)).error).toBeUndefined();
  const updates = { "hero.note": "Half a thought" };
  await world.call("PATCH", "/pages/content", { page_id: world.idOf("thanks"), updates });
  expect((await world.up(THIRD)).warnings.join("\n")).toMatch(/held-back.*Half a thought/);
  expect(await world.shown(SECOND, THIRD)).toEqual(SECOND);
  await world.apply(THIRD, { foreignEdits: "include" });
  expect(await world.shown(SECOND, THIRD)).toEqual(THIRD);
});

describe("pages that swap their paths in a release", () => {
  const swapped = () => ({
    offer: { publish: { siteId: world.siteId, slug: "thanks", release: "spring" } },
    thanks: { publish: { siteId: world.siteId, slug: "offer", release: "spring" } },
  });
  const SWAPPED = { offer: SECOND.thanks, thanks: SECOND.offer };

  beforeEach(async () => {
    world = await Release.open();
    await world.apply(FIRST);
  });

  test.each([1, 2])("are back where a publication fails (%i before it), and the next run swaps them", async (skip) => {
    refusesPublication({ skip });
    const failed = await world.up(SECOND, {}, swapped());
    expect(failed.error?.message).toContain("of this release could not be published");
    expect(failed.error?.message).not.toContain("No page of this release was published");
    expect(await world.shown(FIRST, SECOND)).toEqual(FIRST);
    await world.apply(SECOND, {}, swapped());
    expect(await world.shown(FIRST, SWAPPED)).toEqual(SWAPPED);
  });

  test("are swapped by the run after one that never came to them", async () => {
    refusesPublication({ path: "/pages/validate-before-publish", skip: 2 });
    expect((await world.up(SECOND, {}, swapped())).error).toBeDefined();
    expect((await world.apply(SECOND, {}, swapped())).steps).toEqual(["update release spring"]);
    expect(await world.shown(FIRST, SWAPPED)).toEqual(SWAPPED);
  });
});

test.each([
  ["numbers", [13, 15, 16], {}],
  ["short texts", ["Hi", "Ho", "Ha"], {}],
  ["texts, and nothing has a date", ["First line", "Second line", "Third line"], { nullDates: true }],
] as const)(
  "where the content map shows what is live, what a release brought out is no edit: %s",
  async (_, titles, how) => {
    world = await Release.open({ contentMapShows: "live", ...how });
    const page = (title: Json, more: JsonMap): Parameters<Release["up"]>[2] => ({
      thanks: { content: { "hero.title": title }, publish: { siteId: world.siteId, slug: "thanks", ...more } },
    });
    const [first, ...later] = titles;
    await world.apply(FIRST, {}, page(first, {}));
    for (const title of later) {
      expect((await world.apply(FIRST, {}, page(title, { release: "spring" }))).warnings).toEqual([]);
      expect(await world.visit("thanks")).toContain(`${title}`);
    }
  },
);

test("values with marks go out, and change, where the builder shows texts as HTML", async () => {
  world = await Release.open({ builderTexts: "html" });
  const branded = (brand: string) => ({ offer: { variables: { brand } }, thanks: { variables: { brand } } });
  for (const brand of ["Cup & Co", `"Cup" <& Co's>`]) {
    await world.apply(FIRST, {}, branded(brand));
    expect(world.published()).toEqual(["thanks", "offer"]);
  }
});

describe.each(["draft", "live"] as const)("the content map shows %s", (contentMapShows) => {
  beforeEach(async () => {
    world = await Release.open({ contentMapShows });
  });

  test("is published once all is written, link targets first; the second run plans nothing, nor does one after a refresh", async () => {
    await world.apply(FIRST);
    expect(world.published()).toEqual(["thanks", "offer"]);
    expect(await world.shown(FIRST)).toEqual(FIRST);
    // The address was known before anything was public there, or was corrected.
    const url = (world.stack.outputs("release spring")["urls"] as Record<string, string>)[world.idOf("thanks")];
    expect(await world.visit("offer")).toContain(url);
    await world.apply(SECOND);
    expect(world.published()).toEqual(["thanks", "offer"]);
    expect(await world.shown(FIRST, SECOND)).toEqual(SECOND);
    expect((await world.stack.refresh(world.service)).error).toBeUndefined();
    await world.apply(SECOND);
    expect(world.published()).toEqual([]);
    expect(world.stack.outputs("page offer")).toMatchObject({ status: "published", hasUnpublishedChanges: false });
    // One page alone.
    await world.apply({ ...SECOND, offer: THIRD.offer });
    expect(world.published()).toEqual(["offer"]);
    await world.apply({ ...SECOND, offer: THIRD.offer });
  });

  test("one that is not ready keeps all back, and the next run publishes all", async () => {
    await world.apply(FIRST);
    world.published();
    const unready = await world.up({ ...SECOND, offer: "Second offer {{price}}" });
    expect(unready.error?.message).toContain("{{price}}");
    expect(world.published()).toEqual([]);
    expect(await world.shown(FIRST, SECOND)).toEqual(FIRST);
    await world.apply(SECOND);
    expect(await world.shown(SECOND)).toEqual(SECOND);
  });

  test("what went out before a failure goes back, its draft stays ours, and the next run publishes all", async () => {
    await world.apply(FIRST);
    world.published();
    refusesPublication({ skip: 1 });
    expect((await world.up(SECOND)).error?.message).toMatch(
      /\("offer"\) of this release could not be published: .* These pages are back at their last published texts: page \S+ \("thanks"\)/,
    );
    expect(world.published()).toEqual(["thanks", "", "thanks"]);
    expect(await world.shown(FIRST, SECOND)).toEqual(FIRST);
    expect((await world.apply(SECOND)).steps).toEqual(["update release spring"]);
    expect(await world.shown(FIRST, SECOND)).toEqual(SECOND);
    await world.apply(THIRD);
    expect(await world.shown(THIRD)).toEqual(THIRD);
  });

  test("pages that were never public can't go back, and that is told", async () => {
    refusesPublication({ skip: 1 });
    expect((await world.up(FIRST)).error?.message).toMatch(
      /These pages stay public with the texts of this release: page \S+ \("thanks"\) \(it is public for the first time/,
    );
    expect(await world.shown(FIRST)).toEqual({ thanks: FIRST.thanks });
    await world.apply(FIRST);
    expect(await world.shown(FIRST)).toEqual(FIRST);
  });

  test("an edit of somebody else holds all back; undone, or included by word, all go out", async () => {
    await world.apply(FIRST);
    world.published();
    const note = (text: string) =>
      world.call("PATCH", "/pages/content", { page_id: world.idOf("thanks"), updates: { "hero.note": text } });
    const before = (await textsInApp(world, world.idOf("thanks")))["hero.note"] ?? "";
    await note("Half a thought");
    const held = await world.up(SECOND);
    expect(held.error).toBeUndefined();
    expect(held.warnings.join("\n")).toMatch(/held-back.*Half a thought/);
    expect(held.warnings.join("\n")).toMatch(
      /"name":"offer",?.*"outcome":"held-back","edits":\[\],"heldBy":\["thanks"\]/,
    );
    expect(world.published()).toEqual([]);
    expect(await world.shown(FIRST, SECOND)).toEqual(FIRST);
    // The next run still looks.
    expect((await world.up(SECOND)).steps).toEqual(["update release spring"]);
    expect(world.published()).toEqual([]);
    await note(before);
    await world.apply(SECOND);
    expect(await world.shown(SECOND)).toEqual(SECOND);
    await note("A whole thought");
    const included = await world.apply(THIRD, { foreignEdits: "include" });
    expect(included.warnings.join("\n")).toMatch(/included.*A whole thought/);
    expect(await world.visit("thanks")).toMatch(/Third thanks[^]*A whole thought/);
    // A public edit holds nothing back any more.
    await world.apply(SECOND);
    expect(await world.shown(SECOND)).toEqual(SECOND);
  });

  test("an edit that the code took over goes out with all, and goes back to what was public", async () => {
    await world.apply(FIRST);
    await world.stack.refresh(world.service);
    const edit = { "hero.title": SECOND.thanks };
    await world.call("PATCH", "/pages/content", { page_id: world.idOf("thanks"), updates: edit });
    await world.stack.refresh(world.service);
    refusesPublication({ skip: 1 });
    const failed = await world.up(SECOND);
    expect(failed.error?.message).toMatch(/These pages are back at their last published texts: page \S+ \("thanks"\)/);
    expect(await world.shown(FIRST, SECOND)).toEqual(FIRST);
    await world.apply(SECOND);
    expect(await world.shown(FIRST, SECOND)).toEqual(SECOND);
  });

  test("a page comes into a release and leaves it as it is", async () => {
    const alone = { publish: { siteId: world.siteId, slug: "offer" } };
    await world.apply(FIRST, {}, { offer: alone });
    world.published();
    await world.apply(FIRST);
    expect(world.published()).toEqual([]);
    await world.apply(SECOND);
    expect(world.published()).toEqual(["thanks", "offer"]);
    await world.apply(THIRD, {}, { offer: alone });
    expect(await world.shown(THIRD)).toEqual(THIRD);
  });
});

describe("what went out and is not told so", () => {
  test("is taken back where nobody can tell, since the service shows no dates", async () => {
    world = await Release.open({ nullDates: true });
    await world.apply(FIRST);
    const lost = { method: "POST", path: "/pages/publish", phase: "after", times: Infinity } as const;
    world.emulator.faults.add({ ...lost, skip: 1 });
    const failed = await world.up(SECOND);
    // The service gives no answer to that call, either.
    expect(failed.error?.message).toMatch(
      /These pages stay public with the texts of this release: page \S+ \("offer"\) \(.*\), page \S+ \("thanks"\) \(/,
    );
    world.emulator.faults.clear();
    await world.apply(SECOND);
    expect(await world.shown(SECOND)).toEqual(SECOND);
  });

  test("a taking back that broke off leaves neither texts nor nodes as they were before", async () => {
    world = await Release.open();
    await world.apply(FIRST);
    const tree = JSON.stringify(await world.call("GET", `/pages/builder?page_id=${world.idOf("thanks")}`));
    const [, nodeId = ""] = /"id":"([^"]+)","type":"[^"]+","misc":\{"name":"hero.note"/.exec(tree) ?? [];
    const more = (content: string) => ({ thanks: { nodes: { [nodeId]: { style: { content } } } } });
    await world.apply(FIRST, {}, more("First note"));
    expect(await world.visit("thanks")).toContain("First note");
    // The service refuses the second page, and the call that would take the first one back.
    refusesPublication({ skip: 1, times: Infinity });
    expect((await world.up(SECOND, {}, more("Second note"))).error?.message).toMatch(
      /These pages stay public with the texts of this release: page \S+ \("thanks"\)/,
    );
    world.emulator.faults.clear();
    await world.apply(SECOND, {}, more("Second note"));
    expect(await world.shown(SECOND)).toEqual(SECOND);
    expect(await world.visit("thanks")).toContain("Second note");
  });
});

describe("between two runs", () => {
  beforeEach(async () => {
    world = await Release.open();
    await world.apply(FIRST);
    world.published();
  });

  test("a page that somebody deleted keeps all back, and is named; after a look it is made anew, and all go out", async () => {
    await world.call("DELETE", `/pages/${world.idOf("thanks")}`);
    expect((await world.up(SECOND)).error?.message).toMatch(/was deleted/);
    expect(world.published()).toEqual([]);
    expect((await world.shown(FIRST)).offer).toBe(FIRST.offer);
    expect((await world.stack.refresh(world.service)).error).toBeUndefined();
    await world.apply(SECOND);
    expect(await world.shown(SECOND)).toEqual(SECOND);
  });

  test("a deleted page that the run doesn't write keeps back the others, too", async () => {
    await world.call("DELETE", `/pages/${world.idOf("thanks")}`);
    const failed = await world.up({ ...FIRST, offer: SECOND.offer });
    expect(failed.error?.message).toMatch(/was deleted by somebody else, so no page of it was published/);
    expect(world.published()).toEqual([]);
  });

  test("a page that somebody renamed and put elsewhere stays there, as a page alone does, until the code moves it", async () => {
    const id = world.idOf("thanks");
    await world.call("PATCH", "/pages/metadata", { page_id: id, name: "Theirs" });
    await world.call("POST", "/pages/publish", { page_id: id, site_id: world.siteId, slug: "elsewhere" });
    expect((await world.apply(SECOND)).warnings.join("\n")).toMatch(/somebody moved it in the app, and stays there/);
    expect(await world.visit("elsewhere")).toContain(SECOND.thanks);
    const moved = { thanks: { publish: { siteId: world.siteId, slug: "danke", release: "spring" } } };
    expect((await world.up(THIRD, {}, moved)).warnings.join("\n")).toMatch(/held-back.*elsewhere/);
    expect(await world.visit("elsewhere")).toContain(SECOND.thanks);
    await world.apply(THIRD, { foreignEdits: "include" }, moved);
    expect(await world.visit("danke")).toContain(THIRD.thanks);
    expect(await world.visit("elsewhere")).toBeUndefined();
  });

  test("a page that somebody puts elsewhere while its release is held stays there until a word", async () => {
    const says = (text: string): Promise<unknown> =>
      world.call("PATCH", "/pages/content", { page_id: world.idOf("thanks"), updates: { "hero.title": text } });
    await says("Half a thought");
    expect((await world.up(SECOND)).warnings.join("\n")).toMatch(/held-back.*Half a thought/);
    expect(await world.shown(FIRST, SECOND)).toEqual({ offer: FIRST.offer, thanks: FIRST.thanks });
    await says(FIRST.thanks);
    const moved = { page_id: world.idOf("offer"), site_id: world.siteId, slug: "elsewhere" };
    await world.call("POST", "/pages/publish", moved);
    expect((await world.up(SECOND)).warnings.join("\n")).toMatch(/held-back.*elsewhere/);
    expect(await world.visit("offer")).toBeUndefined();
    await world.apply(SECOND, { foreignEdits: "include" });
    expect(await world.shown(SECOND)).toEqual(SECOND);
  });

  test("another stack with the same page: what it left in the draft holds the release, by name", async () => {
    const id = world.idOf("thanks");
    const other = await inTest(new Stack("other"));
    const content = { "hero.title": FIRST.thanks, "hero.note": "Of the other stack" };
    const theirs = { adoptId: id, name: "thanks", content, publish: { siteId: world.siteId, slug: "thanks" } };
    // The run wrote, and could not publish.
    refusesPublication({ status: 403 });
    expect((await other.up(world.service, [{ kind: "page", name: "thanks", inputs: theirs }])).error).toBeDefined();
    world.emulator.faults.clear();
    world.published();
    expect((await world.up(SECOND)).warnings.join("\n")).toMatch(/held-back.*hero\.note.*Of the other stack/);
    expect(world.published()).toEqual([]);
    expect(await world.shown(FIRST, SECOND)).toEqual(FIRST);
  });
});

test("a page in two releases is refused before anything is sent", async () => {
  world = await Release.open();
  await world.apply(FIRST);
  world.emulator.requests.length = 0;
  const [, , release] = programOf(world.siteId, SECOND);
  if (!release) throw new Error("the program has three parts");
  const ran = await world.stack.up(world.service, [release, { ...release, name: "summer" }]);
  expect(ran.error?.message).toMatch(/pages\[0\]\.pageId: .*"spring"/);
  expect(world.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
});
