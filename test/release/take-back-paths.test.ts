/** Pages of a release that move, and a release that fails on the way: each page goes back to its old path, or the report names its place. */
import { beforeEach, expect, test, vi } from "vitest";
import { Between } from "../faults/between.ts";
import { Release, type Text } from "./program.ts";
import { forEachTest } from "../suite/opened.ts";

vi.mock("node:timers/promises", async () => ({ setTimeout: (await import("../faults/clock.ts")).sleep }));

const FIRST: Text = { offer: "First offer", thanks: "First thanks" };
const SECOND: Text = { offer: "Second offer", thanks: "Second thanks" };

const world = forEachTest(() => Release.open());
const between = forEachTest(() => new Between(world.emulator));
beforeEach(async () => {
  world.service = { ...world.service, baseUrl: await between.listen() };
  await world.apply(FIRST);
});

const slugs = (): Record<string, unknown> =>
  Object.fromEntries(
    ((world.emulator.records()["pages"] ?? []) as Record<string, unknown>[]).map((page) => [
      String(page["pageName"]),
      page["slug"],
    ]),
  );

const at = (slug: string): { publish: Record<string, string> } => ({
  publish: { siteId: world.siteId, slug, release: "spring" },
});

/** Refuses the publication of this page at this path. Before the first refusal, `meanwhile` runs. */
function refuse(name: string, slug: string, meanwhile: () => Promise<unknown> = () => Promise.resolve()): void {
  let isDone = false;
  const isIt = ({ method, path, body }: { method: string; path: string; body: string }): boolean =>
    method === "POST" &&
    path === "/pages/publish" &&
    body.includes(world.idOf(name)) &&
    body.includes(`"slug":"${slug}"`);
  between.turn = async (asked) => {
    if (isIt(asked) && !isDone) await meanwhile();
    isDone ||= isIt(asked);
  };
  between.instead = (asked) => {
    if (!isIt(asked)) return undefined;
    return { status: 422, text: JSON.stringify({ error: "invalid_request", message: "no" }) };
  };
}

test("a page whose path somebody took meanwhile is told with where it is", async () => {
  world.emulator.notShown.duplicateSlug = "suffix";
  const site = world.siteId;
  refuse("offer", "offer", async () => {
    const made = (await world.call("POST", "/pages/from-template", { template_id: "tpl-hero", name: "Theirs" })) as {
      id: string;
    };
    await world.call("POST", "/pages/publish", { page_id: made.id, site_id: site, slug: "thanks" });
  });
  const moved = { thanks: at("thank-you") };
  const { error } = await world.up(SECOND, {}, moved);
  expect(error?.message).toMatch(
    /could not be published: .* These pages are back at their last published texts: page \S+ \("thanks"\)\. But the service published page \S+ at \/thanks-2, not at \/thanks of site \S+\. Run again/,
  );
  expect(slugs()).toMatchObject({ thanks: "thanks-2", offer: "offer", Theirs: "thanks" });
  between.instead = () => undefined;
  await world.apply(SECOND, {}, moved);
  expect(slugs()).toMatchObject({ thanks: "thank-you", offer: "offer", Theirs: "thanks" });
});
