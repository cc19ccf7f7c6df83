/** A person edits a page of a release after it went out and before it is taken back: to go back publishes no edit by itself. */
import { beforeEach, expect, test } from "vitest";
import { Between, type Asked } from "../faults/between.ts";
import type { Ran } from "../faults/stack.ts";
import { FIRST, programOf, Release, SECOND } from "./program.ts";
import { forEachTest } from "../suite/opened.ts";
import { sampledTable } from "../suite/parts.ts";

const HAND = "Half a thought of somebody";

const world = forEachTest(() => Release.open());
const between = forEachTest(() => new Between(world.emulator));
beforeEach(() => world.apply(FIRST));

/** The service refuses the page that goes out last. Before its answer comes, a person edits the public one. */
async function refusedRun(foreignEdits?: "include" | "hold"): Promise<Ran> {
  const isRefused = ({ path, body }: Asked) => path === "/pages/publish" && body.includes(world.idOf("offer"));
  between.turn = async (asked) => {
    if (!isRefused(asked)) return;
    // A person could not be faster: the dates of the next run must not be of the same moment.
    await new Promise((resolve) => setTimeout(resolve, 400));
    const updates = { "hero.note": HAND };
    await world.call("PATCH", "/pages/content", { page_id: world.idOf("thanks"), updates });
  };
  between.instead = (asked) =>
    isRefused(asked) ? { status: 400, text: JSON.stringify({ error: "invalid", message: "not today" }) } : undefined;
  const service = { baseUrl: await between.listen(), apiKey: world.emulator.apiKey };
  world.stack.foreignEdits = foreignEdits;
  return world.stack.up(service, programOf(world.siteId, SECOND));
}

const isHandPublic = async (): Promise<boolean> => (await world.visit("thanks"))?.includes(HAND) === true;

sampledTable(
  [undefined, "hold"] as const,
  1,
  (word) => `held (${word}): it stays as it went out, by name, and so does the edit`,
  async (word) => {
    // Between the last publication and this run's writes to the drafts: the publication of the other page says nothing about this one.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const failed = await refusedRun(word);
    expect(failed.error?.message).toMatch(
      /These pages stay public with the texts of this release: page \S+ \("thanks"\) \(its draft holds somebody's unpublished edits/,
    );
    expect(failed.warnings.join("\n")).toMatch(new RegExp(`held-back.*${HAND}`));
    expect(await isHandPublic()).toBe(false);
    expect(await world.shown(FIRST, SECOND)).toEqual({ offer: FIRST.offer, thanks: SECOND.thanks });
    expect((await world.up(SECOND)).warnings.join("\n")).toMatch(new RegExp(`held-back.*${HAND}`));
    expect(await isHandPublic()).toBe(false);
    await world.apply(SECOND, { foreignEdits: "include" });
    expect(await world.shown(FIRST, SECOND)).toEqual(SECOND);
    expect(await isHandPublic()).toBe(true);
  },
);

test("by word: it goes back, the edit with it, by name", async () => {
  const failed = await refusedRun("include");
  expect(failed.error?.message).toMatch(/These pages are back at their last published texts: page \S+ \("thanks"\)/);
  expect(failed.warnings.join("\n")).toMatch(new RegExp(`included.*${HAND}`));
  expect(await isHandPublic()).toBe(true);
  expect(await world.shown(FIRST, SECOND)).toEqual(FIRST);
  await world.apply(SECOND, { foreignEdits: "include" });
  expect(await world.shown(FIRST, SECOND)).toEqual(SECOND);
});

test("by word, and there before the run: it goes out with the page, and stays public as the page goes back, which is said", async () => {
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  await world.call("PATCH", "/pages/content", { page_id: world.idOf("thanks"), updates: { "hero.note": HAND } });
  world.emulator.faults.add({ method: "POST", path: "/pages/publish", phase: "status", status: 400, skip: 1 });
  const failed = await world.up(SECOND, { foreignEdits: "include" });
  expect(failed.error?.message).toMatch(
    new RegExp(`"thanks".*, the texts that this program last published .* stay public: hero.note "${HAND}"`),
  );
  expect(failed.error?.message).not.toContain("These pages are back at their last published texts");
  expect(await world.shown(FIRST, SECOND)).toEqual(FIRST);
  expect(await isHandPublic()).toBe(true);
  await world.apply(SECOND, { foreignEdits: "include" });
});

test("a link that the release put right is its own: the page goes back", async () => {
  const isOf = ({ path, body }: Asked, name: string) => path === "/pages/publish" && body.includes(world.idOf(name));
  let isFirst = true;
  between.change = (answered, asked) => {
    if (isOf(asked, "thanks"))
      return { ...answered, text: answered.text.replace(/"url":"[^"]*"/, '"url":"https://moved.example/thanks"') };
    if (!isOf(asked, "offer") || !isFirst) return answered;
    isFirst = false;
    return { status: 400, text: JSON.stringify({ error: "invalid", message: "went out all the same" }) };
  };
  const service = { baseUrl: await between.listen(), apiKey: world.emulator.apiKey };
  const failed = await world.stack.up(service, programOf(world.siteId, SECOND));
  const updates = between.asked.filter(({ path }) => path === "/pages/content").map(({ body }) => body);
  expect(updates.some((body) => body.includes("https://moved.example/thanks"))).toBe(true);
  expect(failed.error?.message).toMatch(
    /These pages are back at their last published texts: page \S+ \("offer"\), page \S+ \("thanks"\)/,
  );
  expect(failed.warnings.join("\n")).not.toContain("held-back");
  expect(await world.shown(FIRST, SECOND)).toEqual(FIRST);
});
