/** A job that runs again after somebody has changed or taken back its result: it publishes nothing of it again. */
import { expect, test } from "vitest";
import { overtaking } from "../../stack/review/overtaken.ts";
import { SYSTEM_PATH, type Ended, outputOf } from "../cli/harness.ts";
import { NearDesk } from "../cli/near-desk.ts";
import { onBothEngines, thorough } from "../suite/parts.ts";
import { CodeHost } from "./code-host.ts";
import { forEachTest } from "../suite/opened.ts";

const desk = forEachTest(() => NearDesk.open("quickstart-yaml"));
const host = forEachTest(() => CodeHost.open());

const commitOf = (number: number, digit: string): string => digit.repeat(36) + String(number).padStart(4, "0");

onBothEngines((engine, path) => {
  /** `machine`: the name of a machine with histories of its own, as if none could be kept beside the state. */
  const ci = (args: readonly string[], event: object, commit: string, machine?: string): Promise<Ended> => {
    desk.write("event.json", JSON.stringify(event));
    const env = {
      PATH: path(SYSTEM_PATH),
      GITHUB_ACTIONS: "true",
      PULUMI_BACKEND_URL: `file://${desk.folder}`,
      GITHUB_API_URL: host.url,
      GITHUB_REPOSITORY: "acme/funnels",
      GITHUB_EVENT_PATH: desk.path("event.json"),
      GITHUB_SHA: commit,
      GITHUB_TOKEN: "job-token",
      LANDFORM_VERIFY: "false",
      ...(machine !== undefined && { LANDFORM_HISTORY: desk.path(machine) }),
    };
    return desk.run(["ci", ...args, "--plans", "plans", "--engine", engine], { env });
  };
  const reviewed = async (number: number, from: string, to: string): Promise<void> => {
    desk.edit("landform.yaml", from, to);
    const head = commitOf(number, "a");
    const pull_request = { number, head: { sha: head, repo: { full_name: "acme/funnels" } } };
    await outputOf(0, ci(["plan"], { pull_request }, "f".repeat(40)));
    const merge = commitOf(number, "b");
    host.pulls.push({ number, head, merged: true, mergeCommit: merge, commits: [merge] });
  };
  const applied = (number: number, machine?: string): Promise<Ended> =>
    ci(["apply"], {}, commitOf(number, "b"), machine);
  const done = async (number: number, machine?: string): Promise<void> => {
    await outputOf(0, applied(number, machine));
  };
  const nothingIsPlanned = async (): Promise<void> => {
    const env = { PATH: path(SYSTEM_PATH), PULUMI_BACKEND_URL: `file://${desk.folder}` };
    expect(await outputOf(0, desk.run(["preview", "--detailed-exitcode", "--engine", engine], { env }))).toContain(
      "no changes",
    );
  };
  const [before, after] = ["hero.title: A mug", "hero.title: Half price, a mug"];

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
    desk.edit("landform.yaml", before, after);
    const again = await applied(2);
    expect([again.code, desk.writes()], again.stdout + again.stderr).toEqual([3, []]);
    expect(again.stderr).toMatch(
      /the plan of pull request #2 has been applied already, and .* came after it, at .*Nothing was sent\. Run the latest job again/,
    );
    expect(host.ours(2)[0]?.body).toContain("has been applied already");
    desk.edit("landform.yaml", after, before);
    await done(3);
    expect(desk.writes()).toEqual([]);
    await nothingIsPlanned();
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
