// @module-tag thorough
/** `landform history` and `landform undo` as a user runs them, on both engines; `--write` never writes an object into landform.yaml that is gone. */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { leftToSoak, onBothEngines } from "../suite/parts.ts";
import { hero, sited } from "./manifests.ts";
import { NearDesk } from "./near-desk.ts";
import { Mugs } from "./mugs.ts";
import { FileBackend } from "../../engine/index.ts";

const HOOK = 'hooks: { leads: { eventType: form_lead.created, targetUrl: "https://hooks.example/s3cret-token" } }\n';
const manifest = (title: string, more = ""): string => sited([hero("offer", { title })], HOOK + more);
const FUNNEL = "funnels: { f: { steps: [ { page: offer, pageType: presell } ] } }\n";
const WITHOUT_PAGE = sited([], 'funnels: { f: { steps: [ { url: "https://pay.example", pageType: thankyou } ] } }\n');

async function steps(desk: NearDesk): Promise<unknown[]> {
  const funnels = await desk.app<{ steps: { pageId: string }[] }[]>("GET", "/funnels?limit=10");
  return funnels.map((funnel) => funnel.steps.map(({ pageId }) => pageId));
}

const HISTORY = ".pulumi/landform/history";

/** Returns the files of the history in the order of the runs, wherever the stack keeps them. */
function historyOf(desk: NearDesk): string[] {
  const names = readdirSync(desk.path(HISTORY), { recursive: true, encoding: "utf8" });
  return names
    .filter((name) => name.endsWith(".jsonl"))
    .sort()
    .map((name) => join(HISTORY, name));
}

onBothEngines((engine, path) => {
  test.skipIf(leftToSoak(engine)).each([
    ["what the code still declares", "Title", 0],
    ["what the code changed as well", "Another title", 1],
  ])("a run that made anew what somebody had deleted, %s, is undone with the ids of now", async (_, title, updates) => {
    const desk = await NearDesk.own(engine, path);
    await desk.declare(manifest("Title", FUNNEL)).up();
    await desk.app("DELETE", `/pages/${desk.page("offer")}`);
    await desk.declare(manifest(title, FUNNEL)).up("--refresh");
    desk.writes();
    await desk.undo();
    expect(desk.writes().filter((call) => call === "PATCH /pages/content")).toHaveLength(updates);
    expect(await steps(desk)).toEqual([[desk.page("offer")]]);
    await desk.declare(manifest("Title", FUNNEL)).plansNothing();
  });

  test("a run is listed, shown and undone; the undo is, too", async () => {
    const desk = await NearDesk.own(engine, path);
    Object.assign(desk.also.env, { GITHUB_ACTIONS: "true", GITHUB_ACTOR: "anna", GITHUB_SHA: "c0ffee" });
    await desk.declare(manifest("First title", FUNNEL)).up();
    await desk.declare(WITHOUT_PAGE).up();

    const listed = await desk.json<Record<string, unknown>[]>("history");
    const by = { name: "anna", commit: "c0ffee" };
    expect(listed).toMatchObject([
      { command: "up", result: "succeeded", by, counts: { delete: 2, update: 1 } },
      { command: "up", result: "succeeded", counts: { create: 4 } },
    ]);
    const [last] = listed;
    expect(await desk.says(0, "history", String(last?.["id"]))).toContain("- Page offer");
    for (const file of historyOf(desk)) expect(desk.read(file)).not.toMatch(/First title|s3cret-token/);

    const preview = await desk.sendsNothing(2, "undo", "--preview", "--detailed-exitcode", "--json", "plan.json");
    expect(preview).toMatch(/\+ Page offer/);
    expect(preview).not.toContain("s3cret-token");
    expect(desk.report("plan.json")).toMatchObject({ command: "undo", undone: { id: last?.["id"] } });

    expect(await desk.undo()).toContain("The code says something else. Write these values into it");
    expect(await desk.visited("sited-example/offer")).toContain("First title");
    expect(await steps(desk)).toEqual([[desk.page("offer")]]);
    await desk.declare(manifest("First title", FUNNEL)).plansNothing();

    await desk.undo();
    expect(desk.rows("pages")).toEqual([]);
    await desk.declare(WITHOUT_PAGE).plansNothing();
  });
});

test("a conflict is named and nothing is sent; an unknown run names those that there are; another account is refused", async () => {
  const desk = await NearDesk.own();
  await desk.says(4, "undo", "--yes");
  await desk.declare(manifest("First title")).up();
  await desk.declare(manifest("Second title")).up();
  await desk.edits("offer", { "hero.title": "A colleague's" });
  expect(await desk.sendsNothing(3, "undo", "--yes")).toMatch(
    /Page offer: content\["hero\.title"\] was changed by hand \("A colleague's"\)/,
  );
  expect(await desk.sendsNothing(4, "undo", "nonsense", "--yes")).toMatch(
    /no run "nonsense"\. It has \d{8}-\d{6}\.\d{3}-\w{4}, /,
  );
  const other = await NearDesk.own();
  const { LANDFORM_BASE_URL, LANDFORM_API_KEY } = other.env;
  const foreign = await desk.run(["undo", "--yes"], { env: { LANDFORM_BASE_URL, LANDFORM_API_KEY } });
  expect(foreign.code).not.toBe(0);
  expect(foreign.stdout + foreign.stderr).toMatch(/belongs to account/);
  expect([...other.writes(), ...desk.writes()]).toEqual([]);
  rmSync(desk.path(HISTORY), { recursive: true });
  expect(await desk.says(0, "history")).toContain("no run");
});

test("a change of a run that the history lacks, as of plain `pulumi`, is called that, and one that it has is a later run's", async () => {
  const desk = await NearDesk.own();
  for (const price of [5, 7, 9])
    await desk.declare(`landform: 1\nname: hidden\nproducts: { mug: { price: ${price} } }\n`).up();
  const [, second = "", third = ""] = historyOf(desk);
  const id = /\d{8}-\d{6}\.\d{3}-\w{4}/.exec(second)?.[0] ?? "";
  expect(await desk.says(3, "undo", id, "--yes")).toContain("price was changed by a later run (9)");
  rmSync(desk.path(third));
  const hidden = await desk.says(3, "undo", "--yes");
  expect(hidden).toContain("price was changed by a run that is not in this history (9)");
  expect(hidden).toContain("Plain pulumi keeps no history");
  expect(hidden).not.toContain("history tells of later runs");
});

const BOTH = `landform: 1
name: written
sites: { main: { name: written.example } }
pages:
  offer: { template: tpl-hero, variables: { brand: Acme }, publish: { site: main, slug: offer } }
  thanks: { template: tpl-hero, variables: { brand: Acme }, publish: { site: main, slug: thanks } }
funnels:
  spring:
    steps: [{ page: offer, pageType: presell }, { page: thanks, pageType: thankyou }]
releases: { launch: { pages: [offer, thanks] } }
`;
const THANKS = /^ {2}thanks: .*\n/m;
const WITHOUT = BOTH.replace(THANKS, "")
  .replace(", { page: thanks, pageType: thankyou }", "")
  .replace(", thanks]", "]");

onBothEngines((engine, path) => {
  test("what is made anew is named in the file, and shown by its new id where nothing is written", async () => {
    const desk = await NearDesk.own(engine, path);

    await desk.declare(BOTH).up();
    const idsNow = async (): Promise<string[]> =>
      (await desk.app<{ id: string }[]>("GET", "/pages")).map(({ id }) => id);
    await desk.declare(WITHOUT).up();
    const shown = await desk.undo();
    const [, named = ""] = /Funnel spring steps\[1\]\.pageId: "(page_\w+)"/.exec(shown) ?? [];
    expect(await idsNow(), shown).toContain(named);
    await desk.up();

    const written = await desk.undo("--write");
    expect(desk.read("landform.yaml")).toContain("{ page: thanks, pageType: thankyou }");
    expect(desk.read("landform.yaml")).toMatch(/pages: \[ ?offer, thanks/);
    expect(desk.read("landform.yaml")).not.toContain("page_");
    expect(written).toContain("Page thanks: declare it again (landform.yaml names it, and can't be used before)");
    desk.declare(desk.read("landform.yaml").replace("funnels:", `${THANKS.exec(BOTH)?.[0]}funnels:`));
    const same = await desk.run(["preview"]);
    expect(same.stdout, same.stderr).toContain("no changes");
  });
});

test("an undo of everything leaves the file as it was, to the byte", async () => {
  const mugs = await Mugs.here((text) => text.replace("price: 12.5,", "price: 12.50,"));
  const before = mugs.read("landform.yaml");
  await mugs.code("price: 12.50", "price: 13.50").code("hero.title: About us", "hero.title: All about us").up();
  await mugs.undo("--write");
  expect(mugs.read("landform.yaml")).toBe(before);
  await mugs.plansNothing();
});

const ROWS = `landform: 1
name: rows
sites: { main: { name: rows.example } }
pages:
  page:
    each: { matrix: { lang: [en, de], page: { file: pages.csv, key: page } } }
    template: tpl-hero
    variables: { brand: Acme }
    publish: { site: main, slug: "\${each.lang.key}/\${each.page.slug}" }
`;

test("an undo says what to write into a cell that holds a part of a value, as --write would write it", async () => {
  const desk = await NearDesk.own();
  const table = (slug: string) => desk.write("pages.csv", `page,slug\nhome,home\ngift,${slug}\n`);
  desk.declare(ROWS);
  await table("gift").up();
  await table("presents").up();
  const undone = await desk.undo();
  expect(undone).toMatch(/"en\/presents" → "en\/gift" +pages\.csv, line 3\n/);
  expect(undone).toMatch(/pages\.csv:3:6 {2}publish\.slug: "gift" \(Page page-de-gift, Page page-en-gift\)\n/);
  await table("gift").plansNothing();
  await table("presents").up();
  await desk.undo("--write");
  expect(desk.read("pages.csv")).toContain("\ngift,gift\n");
  await desk.plansNothing();
});

/** An undo that is reviewed first and carried out later: as reviewed, or not at all. */
const desk = NearDesk.each();

const declareOffer = (title: string, price: number) =>
  desk.declare(sited([hero("offer", { title, text: "As it was" })], `products: { mug: { price: ${price} } }\n`));

async function up(title: string, price: number): Promise<void> {
  await declareOffer(title, price).up();
}

const refused = (...args: string[]): Promise<string> => desk.sendsNothing(3, "undo", ...args);
const visitors = (): Promise<string> => desk.visited("sited-example/offer");

onBothEngines((engine, path) => {
  test.skipIf(leftToSoak(engine))(
    "a reviewed undo is applied as reviewed; what it held back goes out with the next try",
    async () => {
      desk.on(engine, path);
      await up("First", 5);
      await up("Second", 7);
      expect(await desk.sendsNothing(2, "undo", "--save", "undo.json", "--detailed-exitcode")).toContain(
        `npx landform undo --engine ${engine} --plan undo.json applies it`,
      );
      // This edit is on another text, which the stack doesn't declare.
      await desk.edits("offer", { "hero.note": "Half a thought" });
      await desk.says(1, "undo", "--plan", "undo.json");
      expect(await visitors()).toContain("Second");
      await desk.undo("--foreign-edits", "include");
      expect(await visitors()).not.toContain("Second");
      expect(await visitors()).toContain("Half a thought");
      expect(await refused("--plan", "undo.json")).toContain("There is nothing left");
      await declareOffer("First", 5).plansNothing();
    },
  );
});

test("a reviewed undo is never applied by another command, to another stack, over a later change, or without its run", async () => {
  desk.on("embedded", (rest) => rest);
  await up("First", 5);
  await up("Second", 5);
  await desk.says(0, "undo", "--save", "undo.json");
  expect(await desk.sendsNothing(3, "up", "--plan", "undo.json")).toMatch(
    /takes back the run \S+\s+npx landform undo --engine embedded --plan/,
  );
  const plan = desk.report<object>("undo.json");
  desk.write("of-up.json", JSON.stringify({ ...plan, undoes: undefined }));
  expect(await refused("--plan", "of-up.json")).toContain("npx landform up --engine embedded --plan");
  desk.write("of-two.json", JSON.stringify({ ...plan, stack: "two" }));
  expect(await refused("--plan", "of-two.json")).toContain("made for the stack two");
  expect(await refused("2020", "--plan", "undo.json")).toContain("and not 2020");
  await desk.edits("offer", { "hero.title": "A colleague's" });
  expect(await refused("--plan", "undo.json")).toMatch(/changed by hand \("A colleague's"\)/);
  // Without the conflict, nothing of the reviewed undo is left.
  await refused("--plan", "undo.json", "--skip-conflicts");
  await desk.edits("offer", { "hero.title": "Second" });
  expect(await desk.says(4, "undo", "--plan", "undo.json", "--save", "other.json")).toContain("--save");
  for (const file of ["broken.json", "none.json"]) await desk.write("broken.json", "{").says(4, "undo", "--plan", file);

  const lock = await (await FileBackend.open(desk.folder)).lock({ project: "sited", stack: "dev" });
  const locked = await desk.sendsNothing(1, "undo", "--plan", "undo.json");
  expect(locked).toContain(`process ${process.pid}`);
  expect(locked).not.toContain("carries on");
  // A preview takes no lock.
  await desk.sendsNothing(0, "undo", "--preview");
  await lock.release();

  // A later run changes a value that the plan would write over.
  await up("Third", 5);
  expect(await refused("--plan", "undo.json")).toMatch(/changed by a later run \("Third"\)/);
  rmSync(desk.path(HISTORY), { recursive: true });
  expect(await refused("--plan", "undo.json")).toMatch(/has no run/);
});
