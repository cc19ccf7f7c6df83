// @module-tag thorough
/** A preview reports certain failures, and an up reports them before its first write. */
import { existsSync, globSync, mkdirSync } from "node:fs";
import { expect, test } from "vitest";
import { Mugs } from "./mugs.ts";
import { NearDesk } from "./near-desk.ts";

const desk = NearDesk.all();

/** Runs without a process for the program, if that shows the same. */
const manifest = (body: string) => desk.declare(`landform: 1\nname: test\n${body}`);
const A_PAGE = "pages: { a: {} }";

const SITE = 'const { id: siteId } = new landform.Site("main", { name: "mugs.example" });';
const page = (name: string, args: string, options = "") => `new landform.Page("${name}", { ${args} }${options});`;

test.each([
  ["a wrong key", { LANDFORM_API_KEY: "lfk_wrong" }, /401|key/i],
  ["plain http", { LANDFORM_BASE_URL: "http://service.example/v1" }, /in the clear/],
  ["a malformed address", { LANDFORM_BASE_URL: "nowhere" }, /not an http or https URL/],
])("%s", async (_, env, message) => {
  manifest(A_PAGE);
  for (const args of [["preview"], ["up", "--yes"]]) expect(await desk.saysWith(env, 4, ...args)).toMatch(message);
  expect(desk.writes()).toEqual([]);
});

const NOBODY = { LANDFORM_BASE_URL: "http://127.0.0.1:1/v1", LANDFORM_TIMEOUT_MS: "2000" };
const HEAD = "a".repeat(40);

test.each([
  ["preview", ["preview"]],
  ["preview --save", ["preview", "--save", "kept/plan.json"]],
  ["ci plan", ["ci", "plan", "--head", HEAD, "--plans", "kept"]],
])(
  "%s of an account that can't be asked ends with 1, and keeps no plan",
  async (_, args) => {
    manifest(A_PAGE);
    mkdirSync(desk.path("kept"), { recursive: true });
    expect(await desk.saysWith(NOBODY, 1, ...args)).toMatch(
      /Landform could not check the plan against the account.*ECONNREFUSED/s,
    );
    expect(globSync("**/*.json", { cwd: desk.path("kept") })).toEqual([]);
  },
  60_000,
);

test("a plan without changes asks nobody", async () => {
  const own = await NearDesk.own();
  await own.declare(`landform: 1\nname: test\n${A_PAGE}`).up();
  expect(await own.saysWith(NOBODY, 0, "preview", "--detailed-exitcode")).toContain("no changes");
});

test("a question of the plan that gets no answer is told, and no up goes on without it", async () => {
  const own = await NearDesk.own();
  own.declare("landform: 1\nname: test\npages: { a: { template: tpl-hero, variables: { brand: Acme } } }\n");
  own.emulator.faults.add({ method: "GET", path: "/templates", phase: "status", status: 503, times: Infinity });
  const question = "Landform could not check all of the plan: GET /templates: .*503";
  expect(await own.says(1, "preview")).toMatch(new RegExp(`${question}.*No plan is kept`));
  expect(await own.sendsNothing(3, "up", "--yes")).toMatch(
    new RegExp(`${question}.*The next run asks again.*--force`, "s"),
  );
  own.emulator.faults.clear();
  expect(await own.applies()).not.toContain("could not check");
});

test("a question about edits of others that gets no answer: no plan is kept, and no up goes on without it", async () => {
  const mugs = await Mugs.here();
  await mugs.edits("offer", { "hero.note": "A colleague's" });
  mugs.code("worth getting up for", "of the spring");
  mugs.code("price: 12.5", "price: 14");
  const from = { method: "GET", times: Infinity } as const;
  const fails = { ...from, phase: "status", status: 500 } as const;
  const faults = [
    { ...fails, path: "/pages/builder" },
    { ...fails, path: "/pages/builder", status: 404 },
    { ...from, path: "/pages/builder", phase: "altered", empty: true },
    { ...fails, path: "/search/page-content-map" },
    { ...fails, path: "/products/{productId}" },
  ] as const;
  for (const fault of faults) {
    mugs.writes();
    mugs.emulator.faults.add(fault);
    expect
      .soft(await mugs.says(1, "preview", "--save", "plan.json"), fault.path)
      .toMatch(/could not (ask|check).*No plan is kept/);
    expect
      .soft(await mugs.says(3, "up", "--yes"), fault.path)
      .toMatch(/could not (ask|check).*The next run asks again.*--force/s);
    mugs.emulator.faults.clear();
    expect([existsSync(mugs.path("plan.json")), mugs.writes()]).toEqual([false, []]);
  }
  expect(await mugs.says(1, "up", "--yes")).toContain("1 page is not published");
  await mugs.applies("--foreign-edits", "include");
}, 120_000);

test("unknown templates, taken paths, unknown keys of existing pages: nothing is sent", async () => {
  const own = await NearDesk.own();
  own.program(page("a", 'templateId: "tpl-heros"'));
  expect(await own.sendsNothing(4, "up", "--yes")).toMatch(/templateId: .*tpl-heros.*tpl-hero/);

  const inputs = 'templateId: "tpl-hero", variables: { brand: "Acme" }, publish: { siteId, slug: "offer" }';
  const offer = page("offer", inputs);
  await own.program(`${SITE}\n${offer}`).up();
  own.writes();

  own.program(`${SITE}\n${offer.replace("publish", 'content: { "hero.tilte": "x" }, publish')}`);
  expect(await own.says(4, "preview")).toMatch(/no content key "hero\.tilte".*hero\.title/);

  const renamed = await own.program(`${SITE}\n${page("other", inputs)}`).run(["preview"]);
  expect(renamed.stdout).toContain('aliases: [{ name: "offer" }]');

  await own.program(`${SITE}\n${offer}`).plansNothing();
});

test("a path that a page of somebody else has", async () => {
  const sites = "sites: { main: { name: mugs.example } }";
  const offer = "template: tpl-hero, variables: { brand: Acme }, publish: { site: main, slug: offer }";
  await manifest(`${sites}\npages: { offer: { ${offer} } }`).up();
  await manifest(sites).up("-s", "second");
  desk.writes();
  manifest(`${sites}\npages: { mine: { ${offer} } }`);
  const { code, stdout } = await desk.run(["up", "--yes", "-s", "second"]);
  const told =
    /Page mine: publish\.slug: \/offer is taken on this site by ".*" \(\w+\)\. Choose another slug\. Stack dev manages that one, as offer/;
  expect([code, stdout]).toEqual([4, expect.stringMatching(told)]);
  // A service may read it in any spelling.
  manifest(`${sites}\npages: { mine: { ${offer.replace("slug: offer", "slug: Offer/")} } }`);
  expect(await desk.says(4, "up", "--yes", "-s", "second")).toMatch(/is taken on this site by/);
  expect(desk.writes()).toEqual([]);
});

const WHOLE = `
projects: { spring: { description: "${"d".repeat(60)}", context: "${"c".repeat(220)}" } }
sites: { tea: { name: tea.example, project: spring } }
products: { pot: { price: 12.5, project: spring } }
pages: { tea: { template: tpl-hero, variables: { brand: Tea }, publish: { site: tea, slug: tea } } }`;
const READING = ["account:read", "projects:read", "sites:read", "pages:read", "products:read"];
const WRITING = ["projects:write", "sites:write", "pages:write", "products:write"];

test("a key that may only read is told by preview, and by up before it makes what can't be deleted", async () => {
  manifest(WHOLE);
  const some = { LANDFORM_API_KEY: desk.emulator.createKey({ scopes: READING.slice(0, 3) }) };
  expect(await desk.saysWith(some, 4, "preview")).toContain("lacks the scopes pages:read, products:read");

  const half = { LANDFORM_API_KEY: desk.emulator.createKey({ scopes: [...READING, "projects:write", "sites:write"] }) };
  expect(await desk.saysWith(half, 0, "preview", "--json", "report.json", "--markdown", "report.md")).toMatch(
    /not verified: pages:write,[^]*sites:write/,
  );
  expect(desk.report("report.json")).toMatchObject({ impact: { unproven: [...WRITING].sort() } });
  expect(desk.read("report.md")).toContain("not verified: `pages:write`");
  expect(desk.writes()).toEqual([]);

  expect(await desk.saysWith(half, 4, "up", "--yes")).toContain("lacks the scopes pages:write, products:write");
  const about = desk.writes().filter((call) => !call.includes("/landform-asks-"));
  expect(about).toEqual([expect.stringMatching(/^PATCH .*\/products$/)]);
  const nothing = { LANDFORM_API_KEY: desk.emulator.createKey({ scopes: [...READING, ...WRITING] }) };
  await desk.saysWith(nothing, 0, "up", "--yes");
  await desk.plansNothing();
});

test("a site's name that two have, or that must not be taken over", async () => {
  const byHand = async (name: string) => (await desk.app("POST", "/sites", { name })).id;
  const twins = [await byHand("twin.example"), await byHand("twin.example")];
  await byHand("own.example");
  desk.writes();
  const site = (args: string) => `sites: { main: { ${args} } }`;
  manifest(site("name: twin.example"));
  for (const args of [["preview"], ["up", "--yes"]]) {
    const printed = await desk.says(4, ...args, "-s", "sites");
    expect(printed).toMatch(/Site main: There are 2 sites named "twin\.example"/);
    for (const id of twins) expect(printed).toContain(id);
  }
  manifest(site("name: own.example, reuse: false"));
  expect(await desk.says(4, "preview", "-s", "sites")).toMatch(/Site main: Site "own\.example" exists already/);
  expect(desk.writes()).toEqual([]);
  await manifest(site(`name: twin.example, adoptId: "${twins[1] ?? ""}"`)).up("-s", "sites");
  await manifest(site("name: new.example, reuse: false").replace("main", "second")).up("-s", "sites");
  await desk.plansNothing("-s", "sites");
});
