// @module-tag thorough
/** Ctrl-C between the two publications of a release: the next plan has the half that visitors get, and goes on or goes back. */
import { once } from "node:events";
import { beforeEach, expect, test } from "vitest";
import { Desk, outputOf } from "../cli/harness.ts";
import { whole } from "../suite/parts.ts";
import { forEachTest } from "../suite/opened.ts";

const PAGES = ["offer", "thanks"] as const;

const manifest = (title: string): string => `landform: 1
name: interrupted
sites: { main: { name: interrupted.example } }
pages:
${PAGES.map(
  (name) => `  ${name}:
    template: tpl-hero
    content: { hero.title: ${title} ${name} }
    variables: { brand: Acme }
    publish: { site: main, slug: ${name} }
`,
).join("")}releases: { launch: { pages: [offer, thanks] } }
funnels: { way: { name: "${title} way", steps: [{ page: offer, pageType: sales }, { page: thanks, pageType: thankyou }] } }
`;

const desk = forEachTest(() => Desk.open());
beforeEach(async () => {
  desk.write("landform.yaml", manifest("First"));
  await outputOf(0, desk.run(["up", "--yes"]));
  desk.write("landform.yaml", manifest("Second"));
});

async function visitors(): Promise<string[]> {
  const looks = PAGES.map(async (name) => {
    const response = await fetch(`${desk.emulator.url}/_sites/interrupted-example/${name}`);
    return /(First|Second) (offer|thanks)</.exec(await response.text())?.[1] ?? "";
  });
  return Promise.all(looks);
}

/** Sends the signals once the first page is public and its answer is still on the way. */
async function interrupted(times: 1 | 2): Promise<{ code: number; out: string; err: string }> {
  desk.emulator.requests.length = 0;
  desk.emulator.faults.add({ path: "/pages/publish", phase: "slow", delayMs: times === 1 ? 1_500 : 4_000, times: 1 });
  const child = desk.start(["up", "--yes"]);
  let [out, err] = ["", ""];
  child.stdout.on("data", (data) => (out += String(data)));
  child.stderr?.on("data", (data) => (err += String(data)));
  await expect.poll(async () => (await visitors()).includes("Second"), { timeout: 20_000 }).toBe(true);
  child.kill("SIGINT");
  if (times === 2) {
    await expect.poll(() => err.includes("Stopping:")).toBe(true);
    child.kill("SIGINT");
  }
  const [code] = (await once(child, "close")) as [number];
  desk.emulator.faults.clear();
  return { code, out, err };
}

test.skipIf(!whole)("once: the release that is under way ends, and the rest is for the next run", async () => {
  const { code, out, err } = await interrupted(1);
  expect(err).toContain("Stopping: nothing new is begun");
  expect(out).toContain("Stopped before its end");
  expect(code).toBe(1);
  expect(await visitors()).toEqual(["Second", "Second"]);
  await outputOf(0, desk.run(["up", "--yes"]));
  expect((await desk.run(["preview", "--detailed-exitcode"])).code).toBe(0);
});

test("twice: half is public, the next plan says so, and the next run brings all of it", async () => {
  const { code, err } = await interrupted(2);
  expect(err).toContain("Stopping at once");
  expect(code).toBe(1);
  expect((await visitors()).sort()).toEqual(["First", "Second"]);
  const plan = await outputOf(2, desk.run(["preview", "--detailed-exitcode"]));
  expect(plan).toMatch(/Release launch/);
  for (const name of PAGES) expect(plan).toMatch(new RegExp(`/${name} \\(${name}\\)`));
  await outputOf(0, desk.run(["up", "--yes"]));
  expect(await visitors()).toEqual(["Second", "Second"]);
  expect((await desk.run(["preview", "--detailed-exitcode"])).code).toBe(0);
});
