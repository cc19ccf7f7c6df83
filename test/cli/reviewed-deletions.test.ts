// @module-tag thorough
/** Other people's edits on a page that a plan deletes: the plan names the edits in its draft, and a saved plan holds only for the reviewed ones. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { inTheApp } from "../suite/app.ts";
import { type Ended } from "./harness.ts";
import { NearDesk } from "./near-desk.ts";

const page = (name: string): string => `  ${name}:
    template: tpl-hero
    content: { hero.title: Title of ${name} }
    variables: { brand: Acme }
`;

const manifest = (...pages: string[]): string => `landform: 1
name: reviewed-deletions
sites: { main: { name: deletions.example } }
pages:
${pages.map((name) => `${page(name)}    publish: { site: main, slug: ${name} }\n`).join("")}${page("draft")}`;

interface Row {
  readonly id: string;
  readonly name: string;
  readonly site_id: string;
}

let desk: NearDesk;
beforeAll(async () => {
  desk = await NearDesk.open();
});
afterAll(() => desk.close());

const call = (method: string, path: string, body?: unknown): Promise<unknown> =>
  inTheApp<unknown>(desk, method, path, body);

async function going(): Promise<Row> {
  const rows = (await call("GET", "/pages")) as Row[];
  const found = rows.find(({ name }) => name.startsWith("going"));
  if (found === undefined) throw new Error("there is no such page");
  return found;
}

async function edit(updates: object): Promise<void> {
  await call("PATCH", "/pages/content", { page_id: (await going()).id, updates });
}

async function refused(): Promise<string> {
  desk.writes();
  const { code, stdout, stderr } = await desk.run(["up", "--plan", "plan.json"]);
  expect(code, stdout + stderr).toBe(3);
  expect(desk.writes()).toEqual([]);
  return stdout + stderr;
}

async function succeeded(...args: string[]): Promise<Ended> {
  const ended = await desk.run(args);
  expect(ended.code, ended.stdout + ended.stderr).toBe(0);
  return ended;
}

test("a page that was edited after the review stays, also where that was published", async () => {
  desk.write("landform.yaml", manifest("stays", "going"));
  await succeeded("up", "--yes");
  desk.write("landform.yaml", manifest("stays"));
  await succeeded("preview", "--save", "plan.json");

  await edit({ "hero.note": "Half a thought" });
  expect(await refused()).toContain(
    'Page going: content["hero.note"] is "Half a thought" now, and nobody reviewed that',
  );
  const { id, site_id } = await going();
  await call("POST", "/pages/publish", { page_id: id, site_id, slug: "going" });
  const published = await refused();
  expect(published).toContain('Page going: content["hero.note"] is "Half a thought" now');
  expect(published).not.toContain("Also deleted");

  await edit({ "hero.note": "Another half" });
  const reviewed = await succeeded(
    "preview",
    "--save",
    "plan.json",
    "--json",
    "plan-report.json",
    "--markdown",
    "plan.md",
    "--html",
    "plan.html",
  );
  expect(reviewed.stdout).toMatch(/Also deleted in the draft of Page going.*\n.*hero\.note "Another half"/);
  expect(JSON.parse(desk.read("plan-report.json"))).toMatchObject({
    impact: { alsoGoes: [{ name: "going", edits: [{ key: "hero.note", now: "Another half" }] }] },
  });
  expect(desk.read("plan.md")).toContain("Another half");
  expect(desk.read("plan.html")).toContain("Another half");
  await succeeded("up", "--plan", "plan.json");
  expect((await succeeded("up", "--yes")).stdout).toContain("no changes");
});

test("so does one that was only published again since, and a draft that is nowhere public", async () => {
  desk.write("landform.yaml", manifest("stays", "going"));
  await succeeded("up", "--yes");
  desk.write("landform.yaml", manifest("stays"));
  await succeeded("preview", "--save", "plan.json");
  const { id, site_id } = await going();
  await call("POST", "/pages/publish", { page_id: id, site_id, slug: "going" });
  expect(await refused()).toContain("Page going: it was edited or published again since");
  await succeeded("up", "--yes");

  desk.write("landform.yaml", manifest("stays").replace(page("draft"), ""));
  await succeeded("preview", "--save", "plan.json");
  const rows = (await call("GET", "/pages")) as Row[];
  const draft = rows.find(({ name }) => name === "draft");
  await call("PATCH", "/pages/content", { page_id: draft?.id, updates: { "hero.note": "Somebody's" } });
  expect(await refused()).toContain('Page draft: content["hero.note"] is "Somebody\'s" now');
  await succeeded("up", "--yes");
  expect((await succeeded("up", "--yes")).stdout).toContain("no changes");
});

test("a destroy names the edits of others that go with it", async () => {
  desk.write("landform.yaml", manifest("stays", "going"));
  await succeeded("up", "--yes");
  await edit({ "hero.note": "Half a thought" });
  const { stdout } = await succeeded("destroy", "--yes");
  expect(stdout).toMatch(/Also deleted in the draft of Page going.*\n.*hero\.note "Half a thought"/);
  expect(stdout).not.toContain("draft of Page stays");
});

test("so does a plan after a refresh, which has read the edit of a declared text", async () => {
  desk.write("landform.yaml", manifest("stays", "going"));
  await succeeded("up", "--yes");
  await edit({ "hero.title": "A title of a person" });
  await succeeded("refresh");
  desk.write("landform.yaml", manifest("stays"));
  expect((await succeeded("preview")).stdout).toMatch(
    /Also deleted in the draft of Page going.*\n.*"A title of a person"/,
  );
});
