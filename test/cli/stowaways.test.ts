// @module-tag thorough
/** Other people's edits in a draft: the plan names them, a run holds or includes them, the report lists them, and only those of declared texts are drift. */
import { expect, test } from "vitest";
import { leftToSoak, onBothEngines, whole } from "../suite/parts.ts";
import { hero, sited } from "./manifests.ts";
import { NearDesk } from "./near-desk.ts";

const manifest = (title: string): string => sited([hero("offer", { title }), hero("other", { title: `${title} too` })]);

const program = (title: string): string => `
const main = new landform.Site("sited.example");
const page = (name: string, title: string) =>
  new landform.Page(name, { templateId: "tpl-hero", variables: { brand: "Acme" }, content: { "hero.title": title }, publish: { siteId: main.id, slug: name } });
page("offer", ${JSON.stringify(title)});
page("other", ${JSON.stringify(`${title} too`)});
`;

const ways: (readonly [string, (desk: NearDesk, title: string) => void])[] = [
  ["landform.yaml", (desk, title) => desk.declare(manifest(title))],
  // The same in a program, which takes as many processes again.
  ...(whole ? [["a program", (desk: NearDesk, title: string) => desk.program(program(title))] as const] : []),
];

const INCLUDE = ["--foreign-edits", "include"];

onBothEngines((engine, path) => {
  const mine = ways.map(([way, write]) => ({ way, write, left: way === "a program" && leftToSoak(engine) }));
  for (const { way, write, left } of mine)
    test.skipIf(left)(way, async () => {
      const desk = await NearDesk.own(engine, path);
      write(desk, "First title");
      await desk.up();
      await desk.edits("offer", { "hero.note": "Half a thought" });

      const drift = await desk.says(0, "drift", "--detailed-exitcode", "--json", "drift.json");
      expect(drift).toContain("no drift");
      expect(drift).toContain('hero.note "Half a thought"');
      expect(desk.report("drift.json")).toMatchObject({ drift: [], drafts: [{ name: "offer" }] });

      write(desk, "Second title");
      const preview = await desk.sendsNothing(0, "preview", "--json", "plan.json", "--markdown", "plan.md");
      expect(preview).toMatch(/holds back Page offer.*unpublished edits in its draft.*\n.*hero\.note "Half a thought"/);
      expect(preview).not.toMatch(/Page other back/);
      expect(desk.read("plan.md")).toContain("Half a thought");
      const edits = [{ at: ["content", "hero.note"], now: "Half a thought" }];
      const alsoLive = [{ name: "offer", policy: "hold", edits }];
      expect(desk.report("plan.json")).toMatchObject({ impact: { alsoLive } });

      expect(await desk.says(1, "up", "--yes", "--json", "up.json")).toContain("Done, but 1 page is not published:");
      expect(desk.report("up.json")).toMatchObject({ result: "succeeded", held: [{ name: "offer" }] });
      expect(await desk.visited("sited-example/offer")).toContain("First title");
      expect(await desk.visited("sited-example/other")).toContain("Second title too");

      expect(await desk.up(...INCLUDE)).toContain("somebody's unpublished edits go live");
      expect(await desk.visited("sited-example/offer")).toMatch(/Second title[^]*Half a thought/);
      expect(await desk.sendsNothing(0, "up", "--yes")).toContain("no changes");
    });
});

const desk = NearDesk.each();

test("a plan that can't look says so, and is made all the same", async () => {
  await desk.declare(manifest("First title")).up();
  desk.declare(manifest("Second title"));
  desk.emulator.faults.add({ path: "/pages/builder", phase: "status", status: 403, times: Infinity });
  expect(await desk.plan()).toMatch(/warning: [^]*because the key may not read the builder/);
  desk.emulator.faults.clear();
  await desk.up();
});

test("the stack's word, and a wrong one", async () => {
  await desk.declare(manifest("First title")).up();
  await desk.edits("offer", { "hero.note": "A whole thought" });
  desk.declare(manifest("Third title"));
  const wrong = await desk.run(["up", "--yes"], { env: { LANDFORM_FOREIGN_EDITS: "maybe" } });
  expect(wrong.code).not.toBe(0);
  expect(wrong.stdout + wrong.stderr).toMatch(/LANDFORM_FOREIGN_EDITS.* is neither hold nor include/);
  await desk.says(0, "config", "set", "landform:foreignEdits", "include");
  await desk.up();
  expect(await desk.visited("sited-example/offer")).toMatch(/Third title[^]*A whole thought/);
});

const declareOwn = (title: string) =>
  desk.declare(
    sited([hero("p", { title, text: "A note for all", brand: "Mist" })]).replace(
      "hero.text",
      "hero.cta.text: Buy one today, hero.text",
    ),
  );

/** A text is ours at its own place only: an edit that says what another text of the page says is somebody's all the same. */
const inBoth = <Row extends readonly string[]>(rows: readonly Row[]) =>
  (["draft", "live"] as const).flatMap((shows) => rows.map((row) => [shows, ...row] as const));

test.each(
  inBoth([
    ["an undeclared key says a declared text", "top.cta.text", "Buy one today"],
    ["an undeclared key says the new title", "hero.note", "A second title"],
    ["another declared key says the old title", "hero.text", "A first title"],
    ["the key that the code changes says another text", "hero.title", "A note for all"],
    ["a text is emptied", "hero.note", ""],
  ]),
)("the map shows %s: %s", async (shows, _, key, text) => {
  desk.emulator.notShown.contentMapShows = shows;
  await declareOwn("A first title").applies();
  const before = await desk.visited("sited-example/p");
  await desk.edits("p", { [key]: text });
  expect(await declareOwn("A second title").plan()).toMatch(/holds back Page p/);
  expect(await desk.says(1, "up", "--yes")).toMatch(/1 held back/);
  expect(await desk.visited("sited-example/p")).toBe(before);
  await desk.applies("--foreign-edits", "include");
});

test("a text that somebody has emptied and the code takes over goes public by itself", async () => {
  await declareOwn("A first title").applies();
  await desk.edits("p", { "hero.text": "" });
  expect(await desk.says(0, "drift", "--write")).not.toContain("node_");
  expect(await desk.plan("--refresh")).not.toContain("held back");
  expect(await desk.applies("--refresh")).toContain("1 updated");
  expect(await desk.visited("sited-example/p")).not.toContain("A note for all");
});

/** Secrets are compared like other values: an edit of one is drift, and a different value in the code is a change. */
const HIDDEN = `landform: 1
name: hidden
sites: { s: { name: hidden.example } }
pages:
  pg: { template: tpl-hero, content: { hero.title: { env: TITLE, secret: true } }, variables: { brand: Mugs }, publish: { site: s, slug: x } }
funnels: { fu: { name: { env: NAME, secret: true } } }
`;

const VALUES = { TITLE: "A title to hide", NAME: "A funnel to hide" };

onBothEngines((engine, path) => {
  async function run(expected: number, args: string[], values: Record<string, string> = {}): Promise<string> {
    const { code, stdout, stderr } = await desk.run(args, { env: { ...VALUES, ...values } });
    expect([code, code === expected ? "" : stdout + stderr]).toEqual([expected, ""]);
    expect(stdout).not.toMatch(/to hide|carries on|left unfinished|has this value already/);
    return stdout;
  }

  test("hand edits of secrets are drift, told as edits, and put back", async () => {
    desk.on(engine, path).declare(HIDDEN);
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
