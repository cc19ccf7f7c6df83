// @module-tag thorough
/** Jobs of previews that come together, are cut off, or come again. */
import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { cleanOutputOf } from "../cli/harness.ts";
import { forAllTests } from "../suite/opened.ts";
import { rounds } from "../suite/parts.ts";
import { killTree } from "../suite/processes.ts";
import type { Pull } from "./code-host.ts";
import { OBJECTS, PreviewDesk } from "./preview-desk.ts";

const all = rounds({ quick: 0, all: 1, soak: 1 }) === 1;

describe.skipIf(!all)("jobs", { timeout: 240_000 }, () => {
  const previews = forAllTests(() => PreviewDesk.open());

  test("of two requests at once: each has its own preview, comment and end", async () => {
    const both = [previews.pull(16), previews.pull(17)];
    await Promise.all(both.map((one) => previews.job(one, "opened")));
    for (const { number } of both) {
      expect(previews.previewed(`pr-${number}-`)).toHaveLength(OBJECTS);
      expect(previews.told(number)).toContain(`/pr-${number}-`);
    }
    // One request is closed while the other gets a push.
    for (const one of both) one.closed = one.number === 16;
    await Promise.all(both.map((one) => previews.job(one, one.number === 16 ? "closed" : "synchronize")));
    expect(previews.previewed("pr-16-")).toEqual([]);
    expect(previews.previewed("pr-17-")).toHaveLength(OBJECTS);
  });

  test("killed between the deployment and the comment: the next job changes nothing, and tells it", async () => {
    const { desk, host } = previews;
    const env = previews.event(previews.pull(18), "opened");
    const child = desk.start(["ci", "preview", "--stack", "prod", "--all"], { env });
    child.stdout.resume();
    const ended = once(child, "exit");
    // The job asks once more if the request is open, as soon as the preview is made.
    const asked = (): number => host.calls.filter(({ path }) => path.endsWith("/pulls/18")).length;
    while (child.exitCode === null && asked() < 2) await new Promise((resolve) => setImmediate(resolve));
    killTree(child.pid ?? 0);
    await ended;
    expect(previews.previewed("pr-18-")).toHaveLength(OBJECTS);
    expect(host.ours(18)).toEqual([]);
    desk.writes();
    await cleanOutputOf(previews.preview(env));
    expect(desk.writes()).toEqual([]);
    expect(host.ours(18)).toHaveLength(1);
    expect(previews.told(18)).toMatch(/\/pr-18-\w{10}\/offer/);
  });

  test("of another repository with one backend and one project name: nothing of it is touched", async () => {
    const { desk } = previews;
    const seventeen = { ...(previews.host.pulls[1] as Pull), fork: "acme/shop" };
    const shop = { ...previews.event(seventeen, "closed"), GITHUB_REPOSITORY: "acme/shop" };
    desk.writes();
    for (const args of [
      ["ci", "preview", "--base", "prod", "--all"],
      ["env", "up", "--pr", "17", "--yes"],
    ])
      expect(await desk.saysWith(shop, 3, ...args)).toContain(
        "pr-17 is a preview of github.com/acme/funnels, and this is github.com/acme/shop",
      );
    const nightly = { ...shop, GITHUB_EVENT_NAME: "schedule", GITHUB_EVENT_PATH: "" };
    expect(await desk.saysWith(nightly, 0, "env", "gc", "--yes")).toContain(
      "kept       pr-17, of another repository: github.com/acme/funnels",
    );
    expect(desk.writes()).toEqual([]);
  });
});
