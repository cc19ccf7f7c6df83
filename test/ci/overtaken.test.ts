/** A job that runs again after somebody has changed or taken back its result: it publishes nothing of it again. */
import { expect, test } from "vitest";
import { overtaking } from "../../stack/review/saved-plan.ts";
import { SYSTEM_PATH, type Ended, outputOf } from "../cli/harness.ts";
import { NearDesk } from "../cli/near-desk.ts";
import { onBothEngines, thorough } from "../suite/parts.ts";
import { forEachTest } from "../suite/opened.ts";
import { CodeHost } from "./code-host.ts";
import { aboutPull, eventIn, githubJob } from "./jobs.ts";

const desk = forEachTest(() => NearDesk.open("quickstart-yaml"));
const host = forEachTest(() => CodeHost.open());

const commitOf = (number: number, digit: string): string => digit.repeat(36) + String(number).padStart(4, "0");

onBothEngines((engine, path) => {
  const ci = (args: readonly string[], event: object, commit: string): Promise<Ended> => {
    const env = githubJob(host, {
      ...eventIn(desk, event),
      PATH: path(SYSTEM_PATH),
      PULUMI_BACKEND_URL: `file://${desk.folder}`,
      GITHUB_SHA: commit,
      GITHUB_REF: "refs/heads/main",
      LANDFORM_VERIFY: "false",
    });
    return desk.run(["ci", ...args, "--plans", "plans", "--engine", engine], { env });
  };
  const reviewed = async (number: number, from: string, to: string): Promise<void> => {
    desk.code(from, to);
    const head = commitOf(number, "a");
    await outputOf(0, ci(["plan"], aboutPull(number, head), "f".repeat(40)));
    host.merged(number, head, commitOf(number, "b"));
  };
  const applied = (number: number): Promise<Ended> => ci(["apply"], {}, commitOf(number, "b"));
  const done = (number: number): Promise<string> => outputOf(0, applied(number));
  const [before, after] = ["hero.title: A mug", "hero.title: Half price, a mug"];

  test("an old job that runs again after a later merge: its code takes nothing back, and no advice would", async () => {
    await reviewed(1, "slug: thanks", "slug: thank-you");
    await done(1);
    await reviewed(2, before, after);
    await done(2);
    host.newest = commitOf(2, "b");
    desk.code(after, before);
    desk.writes();
    const again = await applied(1);
    expect([again.code, desk.writes()], again.stdout + again.stderr).toEqual([3, []]);
    const said = again.stdout + again.stderr;
    expect(said).toMatch(
      /bbbbbbbbbbbb is not the newest commit of main, which is .*Run the newest job of main instead/s,
    );
    expect(said).not.toMatch(/--replan|drift --write|new request|[Pp]review again/);
    expect(host.ours(1)[0]?.body).toMatch(/Done: .*created.*thank-you.*Refused: .*is not the newest commit/s);
    expect(await outputOf(3, applied(7))).toMatch(/came from no merged request.*is not the newest commit of main/);
    desk.code(before, after);
    await done(2);
    expect(desk.writes()).toEqual([]);
    expect(host.ours(2)[0]?.body).toMatch(/Done: .*Half price, a mug.*No changes/s);
  });

  thorough("the one whose request was taken back: 3, and the latest finds nothing left to do", async () => {
    await reviewed(1, "slug: thanks", "slug: thank-you");
    await done(1);
    await reviewed(2, before, after);
    await done(2);
    desk.writes();
    // No other run came after it.
    await done(2);
    await reviewed(3, after, before);
    await done(3);
    expect(desk.writes()).not.toEqual([]);
    desk.code(before, after);
    const again = await applied(2);
    expect([again.code, desk.writes()], again.stdout + again.stderr).toEqual([3, []]);
    expect(again.stderr).toMatch(
      /the plan of pull request #2 has been applied already, and .* came after it, at .*Nothing was sent\. Run the latest job again/,
    );
    expect(host.ours(2)[0]?.body).toContain("has been applied already");
    desk.code(after, before);
    await done(3);
    expect(desk.writes()).toEqual([]);
    const env = { PATH: path(SYSTEM_PATH), PULUMI_BACKEND_URL: `file://${desk.folder}` };
    const plan = ["preview", "--detailed-exitcode", "--engine", engine];
    expect(await desk.saysWith(env, 0, ...plan)).toContain("no changes");
  });
});

test("what came after the last apply of a plan has overtaken it, in whatever order it is told", () => {
  const at = (minute: number, reviewed?: string) => ({
    at: new Date(Date.UTC(2026, 10, 1, 12, minute)).toISOString(),
    name: `the run ${minute}`,
    ...(reviewed !== undefined && { reviewed }),
  });
  const told = [at(3, "one"), at(9), at(1), at(5, "one"), at(7, "two")];
  expect(overtaking(told, "one")?.name).toBe("the run 9");
  expect(overtaking(told, "two")?.name).toBe("the run 9");
  expect(overtaking(told, "three")).toBeUndefined();
  expect(overtaking([at(3, "one"), at(1), at(5, "one")], "one")).toBeUndefined();
});
