// @module-tag thorough
/** A release in landform.yaml, on both engines: published together, planned once, and held back together. */
import { expect, test } from "vitest";
import { onBothEngines, rounds } from "../suite/parts.ts";
import { hero, sited } from "./manifests.ts";
import { NearDesk } from "./near-desk.ts";
import { textsOf } from "../reports/texts.ts";

const manifest = (title: string): string =>
  sited(
    [
      hero("offer", { title: `${title} offer` }).replace("content: { ", "$&hero.cta.url: { ref: pages.thanks.url }, "),
      hero("thanks", { title: `${title} thanks` }),
    ],
    `releases: { launch: { pages: [offer, thanks] } }
funnels: { way: { steps: [{ page: offer, pageType: sales }, { page: thanks, pageType: thankyou }] } }
`,
  );

const unpublished = { method: "POST", path: "/pages/publish", phase: "status", status: 400, skip: 1 } as const;
const paths = (urls: readonly string[] | undefined): unknown => urls?.map((url) => new URL(url).pathname).sort();

onBothEngines((engine, path) => {
  test("all go public together, and nothing is planned afterwards", async () => {
    const desk = await NearDesk.own(engine, path);
    const shows = async (offer: string, thanks: string): Promise<void> => {
      expect(await desk.visited("sited-example/offer")).toContain(offer);
      expect(await desk.visited("sited-example/thanks")).toContain(thanks);
    };
    const order = () => desk.writes().filter((call) => /publish|funnels/.test(call));
    await desk.declare(manifest("First")).up("--json", "up.json");
    const made = order();
    const pages = made.filter((call) => call.endsWith("/pages/publish"));
    expect(pages.length).toBe(2);
    // The run proves the key's scopes before everything else.
    expect(made.findLastIndex((call) => call.includes("/funnels"))).toBeGreaterThan(made.lastIndexOf(pages[1] ?? ""));
    expect(made.filter((call) => call === "POST /funnels").length).toBe(1);
    expect(made.indexOf("POST /funnels")).toBeGreaterThan(made.lastIndexOf(pages[1] ?? ""));
    const [recorded] = await desk.json<{ urls: string[] }[]>("history");
    for (const told of [desk.report("up.json"), recorded]) expect(paths(told?.urls)).toEqual(["/offer", "/thanks"]);
    expect(await desk.sendsNothing(0, "up", "--yes", "--refresh")).toContain("no changes");

    const planned = await desk.declare(manifest("Second")).plan("--save", "plan.json");
    expect(planned).toContain("publishes the changed pages together, or none of them");
    expect(planned).not.toContain("[secret]");
    await desk.says(0, "up", "--plan", "plan.json");
    expect(order()).toEqual(pages);
    await shows("Second offer", "Second thanks");
    await desk.plansNothing();

    // The undo of a release is a release, too. An undo of one page doesn't conflict with a later release of another run.
    await desk.says(0, "undo", "--save", "undo.json");
    await desk.says(0, "undo", "--plan", "undo.json");
    expect(order()).toEqual(pages);
    await shows("First offer", "First thanks");
    await desk.declare(manifest("First")).plansNothing();
    if (engine === "pulumi") return;

    // The reason for the hold is in the next plan, too, although none of its pages changes.
    await desk.edits("offer", { "hero.note": "Half a thought" });
    expect(await desk.declare(manifest("Third")).says(1, "up", "--yes")).toMatch(
      /Page (offer|thanks) is not published[^]*Done, but 2 pages are not published:/,
    );
    expect(await desk.plan("--json", "held.json")).toMatch(
      /holds back Page offer and its whole release.*\n.*hero\.note "Half a thought"/,
    );
    // Visitors see no change of any page of the release.
    expect(desk.report("held.json")).toMatchObject({ impact: { urls: [] } });
    await desk.up("--foreign-edits", "include");
    await shows("Half a thought", "Third thanks");
    await desk.plansNothing();

    // That run only published the texts. The undo of the run that wrote them takes them back.
    const [, { id: writer } = { id: "" }] = await desk.json<{ id: string }[]>("history");
    const other = await desk.says(4, "undo", "--yes");
    expect(other).toMatch(/only published Page offer, Page thanks/);
    expect(other).toContain(`npx landform undo --engine ${engine} ${writer}`);
    await desk.says(0, "undo", writer, "--yes");
    await shows("First offer", "First thanks");
    if (rounds({ quick: 0, all: 0, soak: 1 }) === 0) return;

    // The same happens if the release failed for another reason than an edit.
    desk.emulator.faults.add(unpublished);
    await desk.declare(manifest("Fourth")).says(1, "up", "--yes");
    await desk.up();
    expect(await desk.says(4, "undo", "--yes")).toMatch(/of Page offer, Page thanks, which an/);
  });
});

test("a plan that changes one page of a release is refused while another is deleted, and makes it anew after a look", async () => {
  const desk = await NearDesk.own();
  await desk.declare(manifest("First")).up();
  await desk.app("DELETE", `/pages/${desk.page("thanks")}`);
  desk.declare(manifest("First").replace("First offer", "Second offer"));
  expect(await desk.sendsNothing(3, "up", "--yes")).toMatch(/Page thanks: somebody deleted page page_\w+/);
  await desk.applies("--refresh");
  expect(await desk.visited("sited-example/offer")).toContain("Second offer");
  expect(await desk.visited("sited-example/thanks")).toContain("First thanks");
}, 60_000);

test("the plan after a release that failed and went back shows each text that goes public, and each address once", async () => {
  const desk = await NearDesk.own();
  await desk.declare(manifest("First")).up();
  desk.declare(manifest("Second"));
  desk.emulator.faults.add({ ...unpublished, times: 1 });
  await desk.says(1, "up", "--yes");
  const plan = await desk.plan("--json", "plan.json", "--markdown", "plan.md");
  expect(plan).toMatch(/Release launch[^]*pages\.offer\.content\["hero\.title"\] +"First offer" → "Second offer"/);
  expect(plan).toMatch(/pages\.thanks\.content\["hero\.title"\] +"First thanks" → "Second thanks"/);
  expect(desk.read("plan.md")).toMatch(/\*\*Texts\*\*[^]*First offer[^]*First thanks/);
  const { impact } = desk.report("plan.json");
  expect(impact?.urls.map(({ page }) => page).sort()).toEqual(["offer", "thanks"]);
  await desk.applies();
}, 60_000);

test("with targets, each page that waits for a release that is none of them is named, and no other", async () => {
  const desk = await NearDesk.own();
  const up = async (title: string, ...targets: string[]): Promise<readonly string[]> => {
    const pages = [hero("g1", { title }), hero("g2", { title: "Same" }), hero("alone", { title })];
    desk.declare(sited(pages, "releases: { launch: { pages: [g1, g2] } }\n"));
    const said = await desk.up(...targets.flatMap((target) => ["--target", target]), "--json", "up.json");
    const warnings = textsOf(desk.report("up.json"), "warn");
    for (const warning of warnings) expect(said).toContain(warning);
    return warnings;
  };
  expect(await up("First")).toEqual([]);
  const waits = "Page g1 is written, and not public: Release launch publishes it, and is not among the targets.";
  expect(await up("Second", "Page/g1", "Page/alone")).toEqual([expect.stringContaining(waits)]);
  expect(await up("Second", "Release/launch")).toEqual([]);
  expect(await up("Third", "Page/g1", "Release/launch")).toEqual([]);
});
