// @module-tag thorough
/** Secrets are compared like other values: somebody's edit is drift, and a different value in the code is a change. */
import { beforeEach, expect, test } from "vitest";
import { onBothEngines } from "../suite/parts.ts";
import { NearDesk } from "./near-desk.ts";

const MANIFEST = `landform: 1
name: hidden
sites: { s: { name: hidden.example } }
pages:
  pg: { template: tpl-hero, content: { hero.title: { env: TITLE, secret: true } }, variables: { brand: Mugs }, publish: { site: s, slug: x } }
funnels: { fu: { name: { env: NAME, secret: true } } }
`;

const VALUES = { TITLE: "A title to hide", NAME: "A funnel to hide" };

onBothEngines((engine, path) => {
  const desk = NearDesk.each();
  beforeEach(() => desk.declare(MANIFEST));

  async function run(expected: number, args: string[], values: Record<string, string> = {}): Promise<string> {
    const { code, stdout, stderr } = await desk.on(engine, path).run(args, { env: { ...VALUES, ...values } });
    expect([code, code === expected ? "" : stdout + stderr]).toEqual([expected, ""]);
    expect(stdout).not.toMatch(/to hide|carries on|left unfinished|has this value already/);
    return stdout;
  }

  test("hand edits of secrets are drift, told as edits, and put back", async () => {
    await run(0, ["up", "--yes"]);
    await desk.edits("pg", { "hero.title": "By hand" });
    await desk.app("PATCH", "/funnels", { funnel_id: desk.rows("funnels")[0]?.id, name: "Named by hand" });
    const told = await run(2, ["drift", "--detailed-exitcode"]);
    expect(told).toMatch(/Page pg .*changed in the app\n +content\["hero.title"\] +edited in the app \(in a draft/);
    expect(told).toMatch(/Funnel fu .*changed in the app\n +name +edited in the app\n/);
    expect(told).toMatch(/last run +\[secret\]\n +(?:draft|in the app) +another \[secret\]\n +code +\[secret\]\n/);
    expect(told).not.toContain("has unpublished edits by somebody else");
    await run(0, ["refresh"]);
    const plan = await run(2, ["preview", "--detailed-exitcode"]);
    expect(plan).toMatch(/content\["hero.title"\] +\[secret\] → another \[secret\]/);
    expect(plan).toMatch(/name +\[secret\] → another \[secret\]/);
    await run(0, ["up", "--yes"]);
    expect(await desk.visited("hidden-example/x")).toContain("A title to hide");
    await run(0, ["preview", "--detailed-exitcode"]);
    expect(await run(0, ["drift", "--detailed-exitcode"])).toContain("no drift");
  });
});
