// @module-tag thorough
/** `landform history` and `landform undo` as a user runs them, on both engines. */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { leftToSoak, onBothEngines } from "../suite/parts.ts";
import { editInApp } from "../suite/app.ts";
import { NearDesk } from "./near-desk.ts";
import { outputOf } from "./harness.ts";

const manifest = (title: string, more = ""): string => `landform: 1
name: undone
sites: { main: { name: undone.example } }
pages:
  offer:
    name: Offer
    template: tpl-hero
    content: { hero.title: ${title} }
    variables: { brand: Acme }
    publish: { site: main, slug: offer }
hooks: { leads: { eventType: form_lead.created, targetUrl: "https://hooks.example/s3cret-token" } }
${more}`;

const FUNNEL = "funnels: { f: { steps: [ { page: offer, pageType: presell } ] } }\n";
const WITHOUT_PAGE = `landform: 1
name: undone
sites: { main: { name: undone.example } }
funnels: { f: { steps: [ { url: "https://pay.example", pageType: thankyou } ] } }
`;

interface Row {
  id: string;
  slug: string;
  steps: { pageId: string }[];
}

const get = (desk: NearDesk, path: string): Promise<Row[]> => desk.app<Row[]>("GET", path);

async function visitors(desk: NearDesk): Promise<string> {
  return (await fetch(`${new URL(desk.emulator.baseUrl).origin}/_sites/undone-example/offer`)).text();
}

/** Reads every file of the history, wherever the stack keeps it. */
function historyOf(desk: NearDesk): string {
  const folder = join(desk.folder, ".pulumi/landform/history");
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".jsonl"));
  return names.map((name) => readFileSync(join(folder, name), "utf8")).join("");
}

onBothEngines((engine, path) => {
  test.skipIf(leftToSoak(engine)).each([
    ["what the code still declares", "Title", 0],
    ["what the code changed as well", "Another title", 1],
  ])("a run that made anew what somebody had deleted, %s, is undone with the ids of now", async (_, title, updates) => {
    const desk = await NearDesk.own();
    const run = async (...args: string[]): Promise<void> => {
      const env = { PATH: path("/usr/bin:/bin") };
      await desk.saysWith(env, 0, ...args, "--engine", engine);
    };
    desk.declare(manifest("Title", FUNNEL));
    await run("up", "--yes");
    const [page] = await get(desk, "/pages?limit=10");
    await desk.app("DELETE", `/pages/${page?.id ?? ""}`);
    desk.declare(manifest(title, FUNNEL));
    await run("up", "--yes", "--refresh");
    desk.writes();
    await run("undo", "--yes");
    expect(desk.writes().filter((call) => call === "PATCH /pages/content")).toHaveLength(updates);
    const [again] = await get(desk, "/pages?limit=10");
    const funnels = await get(desk, "/funnels?limit=10");
    expect(funnels.map(({ steps }) => steps.map(({ pageId }) => pageId))).toEqual([[again?.id]]);
    desk.declare(manifest("Title", FUNNEL));
    await run("preview", "--detailed-exitcode");
  });

  test("a run is listed, shown and undone; the undo is, too", async () => {
    const desk = await NearDesk.own();
    const env = { PATH: path("/usr/bin:/bin"), GITHUB_ACTIONS: "true", GITHUB_ACTOR: "anna", GITHUB_SHA: "c0ffee" };
    const run = (...args: string[]) => desk.run([...args, "--engine", engine], { env });
    desk.declare(manifest("First title", FUNNEL));
    expect((await run("up", "--yes")).code).toBe(0);
    desk.declare(WITHOUT_PAGE);
    expect((await run("up", "--yes")).code).toBe(0);

    const listed = JSON.parse((await run("history", "--json")).stdout) as Record<string, unknown>[];
    expect(listed).toMatchObject([
      {
        command: "up",
        result: "succeeded",
        by: { name: "anna", commit: "c0ffee" },
        counts: { delete: 2, update: 1 },
      },
      { command: "up", result: "succeeded", counts: { create: 4 } },
    ]);
    const [last] = listed;
    const shown = await run("history", String(last?.["id"]));
    expect(shown.stdout).toContain("- Page offer");
    expect(historyOf(desk)).not.toMatch(/First title|s3cret-token/);

    desk.writes();
    const preview = await run("undo", "--preview", "--detailed-exitcode", "--json", "plan.json");
    expect(preview.code).toBe(2);
    expect(desk.writes()).toEqual([]);
    expect(preview.stdout).toMatch(/\+ Page offer/);
    expect(preview.stdout).not.toContain("s3cret-token");
    expect(desk.report("plan.json")).toMatchObject({ command: "undo", undone: { id: last?.["id"] } });

    expect(await outputOf(0, run("undo", "--yes"))).toContain(
      "The code says something else. Write these values into it",
    );
    expect(await visitors(desk)).toContain("First title");
    const [page] = await get(desk, "/pages");
    expect((await get(desk, "/funnels"))[0]?.steps[0]?.pageId).toBe(page?.id);
    desk.declare(manifest("First title", FUNNEL));
    const same = await run("preview");
    expect(same.stdout).toContain("no changes");

    expect((await run("undo", "--yes")).code).toBe(0);
    expect(await get(desk, "/pages")).toEqual([]);
    desk.declare(WITHOUT_PAGE);
    expect((await run("preview")).stdout).toContain("no changes");
  });
});

test("a conflict is named and nothing is sent; an unknown run names those that there are; another account is refused", async () => {
  const desk = await NearDesk.own();
  const run = (...args: string[]) => desk.run([...args, "--engine", "embedded"]);
  expect((await run("undo", "--yes")).code).toBe(4);
  desk.declare(manifest("First title"));
  await run("up", "--yes");
  desk.declare(manifest("Second title"));
  await run("up", "--yes");
  const [page] = await get(desk, "/pages");
  const updates = { "hero.title": "A colleague's" };
  await editInApp(desk, page?.id, updates);
  desk.writes();
  expect(await outputOf(3, run("undo", "--yes"))).toMatch(
    /Page offer: content\["hero\.title"\] was changed by hand \("A colleague's"\)/,
  );
  expect(await outputOf(4, run("undo", "nonsense", "--yes"))).toMatch(
    /no run "nonsense"\. It has \d{8}-\d{6}\.\d{3}-\w{4}, /,
  );
  const other = await NearDesk.open();
  const elsewhere = { LANDFORM_BASE_URL: other.emulator.baseUrl, LANDFORM_API_KEY: other.emulator.apiKey };
  const foreign = await desk.run(["undo", "--yes", "--engine", "embedded"], { env: elsewhere });
  expect(foreign.code).not.toBe(0);
  expect(foreign.stdout + foreign.stderr).toMatch(/belongs to account/);
  expect(other.writes()).toEqual([]);
  await other.close();
  expect(desk.writes()).toEqual([]);
  rmSync(join(desk.folder, ".pulumi/landform/history"), { recursive: true });
  expect((await run("history")).stdout).toContain("no run");
});
