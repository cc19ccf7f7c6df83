// @module-tag thorough
/** Other people's edits on a page that a plan deletes or replaces: the plan names the edits in its draft, and a saved plan holds only for the reviewed ones. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { onBothAtRelease } from "../suite/parts.ts";
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

const call = (method: string, path: string, body?: unknown): Promise<unknown> => desk.app<unknown>(method, path, body);

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
  const told = await desk.says(3, "up", "--plan", "plan.json");
  expect(desk.writes()).toEqual([]);
  return told;
}

async function succeeded(...args: string[]): Promise<Ended> {
  const ended = await desk.run(args);
  expect(ended.code, ended.stdout + ended.stderr).toBe(0);
  return ended;
}

test("a page that was edited after the review stays, also where that was published", async () => {
  desk.declare(manifest("stays", "going"));
  await succeeded("up", "--yes");
  desk.declare(manifest("stays"));
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
  expect(reviewed.stdout).toMatch(
    /Unpublished edits in the draft of Page going are deleted, too.*\n.*hero\.note "Another half"/,
  );
  expect(desk.report("plan-report.json")).toMatchObject({
    impact: { alsoGoes: [{ name: "going", edits: [{ at: ["content", "hero.note"], now: "Another half" }] }] },
  });
  expect(desk.read("plan.md")).toContain("Another half");
  expect(desk.read("plan.html")).toContain("Another half");
  await succeeded("up", "--plan", "plan.json");
  expect((await succeeded("up", "--yes")).stdout).toContain("no changes");
});

test("a destroy names the edits of others that go with it", async () => {
  desk.declare(manifest("stays", "going"));
  await succeeded("up", "--yes");
  await edit({ "hero.note": "Half a thought" });
  const { stdout } = await succeeded("destroy", "--yes");
  expect(stdout).toMatch(
    /Unpublished edits in the draft of Page going are deleted, too.*\n.*hero\.note "Half a thought"/,
  );
  expect(stdout).not.toContain("draft of Page stays");
});

test("texts that somebody published in the app are named where visitors lose them", async () => {
  const code = manifest("going");
  desk.declare(code);
  await succeeded("up", "--yes");
  const { id, site_id } = await going();
  await edit({ "hero.note": "A note of a person" });
  await call("POST", "/pages/publish", { page_id: id, site_id, slug: "going" });
  const replaced = code.replace(
    "template: tpl-hero\n    content: { hero.title: Title of going }\n    variables: { brand: Acme }",
    "template: tpl-presell\n    variables: { brand: Acme, product: Mug }",
  );
  const lost =
    /Visitors lose texts of Page going\. Somebody published them in the app.*\n.*hero\.note "A note of a person"/;
  const loses = async (manifest: string): Promise<string> => {
    desk.declare(manifest);
    const { stdout } = await succeeded(
      "preview",
      "--json",
      "plan.json",
      "--markdown",
      "plan.md",
      "--html",
      "plan.html",
    );
    for (const file of ["plan.md", "plan.html"]) expect(desk.read(file)).toContain("A note of a person");
    return stdout;
  };
  expect(await loses(replaced)).toMatch(lost);
  expect(await loses(manifest("stays"))).toMatch(lost);
  // A publication of ours takes the text along, and it stays its writer's.
  desk.declare(code.replace("Title of going", "Another title"));
  await succeeded("up", "--yes");
  expect(await loses(replaced)).toMatch(lost);
  await succeeded("up", "--yes");
  expect((await succeeded("up", "--yes")).stdout).toContain("no changes");
});

const PROJECT = `projects:
  spring: { name: Spring, description: ${"A launch of mugs. ".repeat(4)}, context: ${"A brief about the brand. ".repeat(10)} }
funnels:
  spring: { project: spring, steps: [{ page: going, pageType: presell }] }
`;

onBothAtRelease((engine, path) => {
  const run = (...args: string[]): Promise<Ended> =>
    desk.run([...args, "--engine", engine], { env: { PATH: path(process.env["PATH"] ?? "") } });
  const after = async (code: number, ...args: string[]): Promise<string> => {
    const ended = await run(...args);
    expect(ended.code, ended.stdout + ended.stderr).toBe(code);
    return ended.stdout;
  };

  beforeAll(async () => {
    await desk.close();
    desk = await NearDesk.open();
  });

  test("a page that is replaced keeps what somebody edits, until a word deletes it", async () => {
    const code = manifest("stays", "going") + PROJECT;
    desk.declare(code);
    await after(0, "up", "--yes");
    const before = await going();
    await edit({ "hero.note": "Half a thought" });
    const title = "content: { hero.title: Title of going }\n    variables: { brand: Acme }";
    const replaced = code.replace(
      `template: tpl-hero\n    ${title}`,
      "template: tpl-presell\n    variables: { brand: Acme, product: Mug }",
    );
    expect(replaced).not.toBe(code);
    desk.declare(replaced);

    const deleted = /Unpublished edits in the draft of Page going are deleted, too.*\n.*hero\.note "Half a thought"/;
    const included = await after(
      0,
      "preview",
      "--foreign-edits",
      "include",
      "--json",
      "plan.json",
      "--markdown",
      "plan.md",
    );
    expect(included).toMatch(deleted);
    expect(included).toContain("1 to replace, 1 to update");
    expect(included).not.toMatch(/published with it|publishes/);
    expect(desk.report("plan.json")).toMatchObject({
      impact: {
        alsoLive: [{ name: "going", goes: true, policy: "include", edits: [{ at: ["content", "hero.note"] }] }],
      },
    });
    expect(desk.read("plan.md")).toContain("Unpublished edits in the draft of Page going are deleted, too");

    for (const round of [1, 2]) {
      desk.writes();
      const held = await after(1, "up", "--yes");
      expect(held, `round ${round}`).toMatch(
        /templateId +"tpl-hero" → "tpl-presell" +\(would replace the page, held back\)/,
      );
      expect(held).toMatch(/variables\.product +"Mug"/);
      expect(held).toContain("holds back Page going, and visitors keep seeing the current page");
      expect(held).toContain("1 held back, 5 unchanged");
      expect(held).toMatch(/Page going is not replaced, because .*\n.*hero\.note "Half a thought"/);
      expect(held).not.toMatch(/Funnel spring|no text uses it|stays as it is/);
      expect(desk.writes()).toEqual([]);
      const drift = await after(0, "drift");
      expect(drift).toContain('hero.note "Half a thought"');
      expect(drift).not.toContain("new node");
    }
    expect((await going()).id).toBe(before.id);

    await after(0, "preview", "--foreign-edits", "include", "--save", "plan.json");
    expect(await after(0, "up", "--plan", "plan.json")).toContain("1 replaced, 1 updated");
    expect((await going()).id).not.toBe(before.id);
    expect(await after(0, "up", "--yes")).toContain("no changes");
  });
});
