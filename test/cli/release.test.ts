// @module-tag thorough
/** A release in landform.yaml, on both engines: published together, planned once, and held back together. */
import { expect, test } from "vitest";
import { onBothEngines, rounds } from "../suite/parts.ts";
import { editInApp } from "../suite/app.ts";
import { NearDesk } from "./near-desk.ts";

const manifest = (title: string): string => `landform: 1
name: releases
projects:
  spring:
    description: A project that holds what is published together, so that it is clear what belongs.
    context: >-
      A brief about the brand, its customers and what it offers them, word by word, long enough for the service to take it:
      mugs, boxes of mugs, and the people who drink from them in the morning, at noon and at night, all year round.
sites: { main: { name: releases.example, project: spring } }
pages:
  offer:
    project: spring
    template: tpl-hero
    content: { hero.title: ${title} offer, hero.cta.url: { ref: pages.thanks.url } }
    variables: { brand: Acme }
    publish: { site: main, slug: offer }
  thanks:
    project: spring
    template: tpl-hero
    content: { hero.title: ${title} thanks }
    variables: { brand: Acme }
    publish: { site: main, slug: thanks }
releases: { launch: { pages: [offer, thanks] } }
funnels: { way: { project: spring, steps: [{ page: offer, pageType: sales }, { page: thanks, pageType: thankyou }] } }
`;

onBothEngines((engine, path) => {
  test("all go public together, and nothing is planned afterwards", async () => {
    const desk = await NearDesk.own(engine, path);

    const order = () => desk.writes().filter((call) => /publish|funnels/.test(call));
    desk.declare(manifest("First"));
    await desk.up("--json", "up.json");
    const made = order();
    const pages = made.filter((call) => call.endsWith("/pages/publish"));
    expect(pages.length).toBe(2);
    // The run proves the key's scopes before everything else.
    expect(made.findLastIndex((call) => call.includes("/funnels"))).toBeGreaterThan(made.lastIndexOf(pages[1] ?? ""));
    expect(made.filter((call) => call === "POST /funnels").length).toBe(1);
    expect(made.indexOf("POST /funnels")).toBeGreaterThan(made.lastIndexOf(pages[1] ?? ""));
    const { urls } = desk.report<{ urls: string[] }>("up.json");
    expect(urls.map((url) => new URL(url).pathname).sort()).toEqual(["/offer", "/thanks"]);
    const [recorded] = JSON.parse((await desk.run(["history", "--json"])).stdout) as { urls: string[] }[];
    expect(recorded?.urls.map((url) => new URL(url).pathname).sort()).toEqual(["/offer", "/thanks"]);
    expect((await desk.run(["up", "--yes", "--refresh"])).stdout).toContain("no changes");
    expect(desk.writes()).toEqual([]);

    desk.declare(manifest("Second"));
    const planned = await desk.says(0, "preview", "--save", "plan.json");
    expect(planned).toContain("publishes the changed pages together, or none of them");
    expect(planned).not.toContain("[secret]");
    await desk.says(0, "up", "--plan", "plan.json");
    expect(order()).toEqual(pages);
    const visit = async (slug: string) =>
      (await fetch(`${new URL(desk.emulator.baseUrl).origin}/_sites/releases-example/${slug}`)).text();
    expect([await visit("offer"), await visit("thanks")]).toEqual([
      expect.stringContaining("Second offer"),
      expect.stringContaining("Second thanks"),
    ]);
    await desk.plansNothing();

    // The undo of a release is a release, too. An undo of one page doesn't conflict with a later release of another run.
    await desk.says(0, "undo", "--save", "undo.json");
    await desk.says(0, "undo", "--plan", "undo.json");
    expect(order()).toEqual(pages);
    expect([await visit("offer"), await visit("thanks")]).toEqual([
      expect.stringContaining("First offer"),
      expect.stringContaining("First thanks"),
    ]);
    desk.declare(manifest("First"));
    await desk.plansNothing();
    if (engine === "pulumi") return;

    // The reason for the hold is in the next plan, too, although none of its pages changes.
    const listed = await desk.app<{ id: string; url: string | null }[]>("GET", "/pages?limit=100");
    const page_id = listed.find(({ url }) => /releases-example.*\/offer$/.test(url ?? ""))?.id;
    expect(page_id).toBeDefined();
    await editInApp(desk, page_id, { "hero.note": "Half a thought" });
    desk.declare(manifest("Third"));
    expect(await desk.says(1, "up", "--yes")).toMatch(
      /Page (offer|thanks) is not published[^]*Done, but 2 pages are not published:/,
    );
    const held = await desk.run(["preview", "--json", "held.json"]);
    expect(held.stdout).toMatch(/holds back Page offer and its whole release.*\n.*hero\.note "Half a thought"/);
    // Visitors see no change of any page of the release.
    expect(desk.report("held.json")).toMatchObject({ impact: { urls: [] } });
    await desk.up("--foreign-edits", "include");
    expect([await visit("offer"), await visit("thanks")]).toEqual([
      expect.stringContaining("Half a thought"),
      expect.stringContaining("Third thanks"),
    ]);
    await desk.plansNothing();

    // That run only published the texts. The undo of the run that wrote them takes them back.
    const runs = JSON.parse((await desk.run(["history", "--json"])).stdout) as { id: string; command: string }[];
    const [, writer] = runs.map(({ id }) => id);
    const other = await desk.says(4, "undo", "--yes");
    expect(other).toMatch(/only published Page offer, Page thanks/);
    expect(other).toContain(`npx landform undo --engine ${engine} ${writer ?? ""}`);
    await desk.says(0, "undo", writer ?? "", "--yes");
    expect([await visit("offer"), await visit("thanks")]).toEqual([
      expect.stringContaining("First offer"),
      expect.stringContaining("First thanks"),
    ]);
    if (rounds({ quick: 0, all: 0, soak: 1 }) === 0) return;

    // The same happens if the release failed for another reason than an edit.
    desk.emulator.faults.add({ method: "POST", path: "/pages/publish", phase: "status", status: 400, skip: 1 });
    desk.declare(manifest("Fourth"));
    await desk.says(1, "up", "--yes");
    await desk.up();
    expect(await desk.says(4, "undo", "--yes")).toMatch(/of Page offer, Page thanks, which an/);
  });
});

test("the plan after a release that failed and went back shows each text that goes public, and each address once", async () => {
  const desk = await NearDesk.own();
  desk.declare(manifest("First"));
  await desk.up();
  desk.declare(manifest("Second"));
  desk.emulator.faults.add({ method: "POST", path: "/pages/publish", phase: "status", status: 400, skip: 1, times: 1 });
  await desk.says(1, "up", "--yes");
  const plan = await desk.says(0, "preview", "--json", "plan.json", "--markdown", "plan.md");
  expect(plan).toMatch(/Release launch[^]*pages\.offer\.content\["hero\.title"\] +"First offer" → "Second offer"/);
  expect(plan).toMatch(/pages\.thanks\.content\["hero\.title"\] +"First thanks" → "Second thanks"/);
  expect(desk.read("plan.md")).toMatch(/\*\*Texts\*\*[^]*First offer[^]*First thanks/);
  const { impact } = desk.report<{ impact: { urls: { page: string }[] } }>("plan.json");
  expect(impact.urls.map(({ page }) => page).sort()).toEqual(["offer", "thanks"]);
  await desk.applies();
}, 60_000);
