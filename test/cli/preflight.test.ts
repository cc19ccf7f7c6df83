/** What is sure to fail is told by a preview, and by up before its first write. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { Desk } from "./harness.ts";

let desk: Desk;
beforeAll(async () => {
  desk = await Desk.open();
});
afterAll(() => desk.close());

const SITE = 'const { id: siteId } = new landform.Site("main", { name: "mugs.example" });';
const page = (name: string, args: string, options = "") => `new landform.Page("${name}", { ${args} }${options});`;

test.each([
  ["a wrong key", { LANDFORM_API_KEY: "lfk_wrong" }, /401|key/i],
  ["plain http", { LANDFORM_BASE_URL: "http://service.example/v1" }, /in the clear/],
  ["a malformed address", { LANDFORM_BASE_URL: "nowhere" }, /not an http or https URL/],
])("%s", async (_, env, message) => {
  desk.program(page("a", ""));
  for (const args of [["preview"], ["up", "--yes"]]) {
    const { code, stdout, stderr } = await desk.run(args, { env });
    expect([code, stdout + stderr]).toEqual([4, expect.stringMatching(message)]);
  }
  expect(desk.writes()).toEqual([]);
});

test("an address without its version is told the right one", async () => {
  desk.program(page("a", ""));
  const { code, stdout } = await desk.run(["preview"], { env: { LANDFORM_BASE_URL: desk.emulator.url } });
  expect([code, stdout]).toEqual([4, expect.stringContaining(`there is one at ${desk.emulator.baseUrl}`)]);
});

test("an account that can't be asked is no refusal, and is told", async () => {
  desk.program(page("a", ""));
  const { code, stdout } = await desk.run(["preview"], {
    env: { LANDFORM_BASE_URL: "http://127.0.0.1:1/v1", LANDFORM_TIMEOUT_MS: "2000" },
  });
  expect([code, stdout]).toEqual([0, expect.stringContaining("the account could not be asked")]);
});

test("unknown templates, taken paths, unknown keys of existing pages: nothing is sent", async () => {
  desk.program(page("a", 'templateId: "tpl-heros"'));
  const absent = await desk.run(["up", "--yes"]);
  expect([absent.code, absent.stdout]).toEqual([4, expect.stringMatching(/templateId: .*tpl-heros.*tpl-hero/)]);
  expect(desk.writes()).toEqual([]);

  const offer = page(
    "offer",
    'templateId: "tpl-hero", variables: { brand: "Acme" }, publish: { siteId, slug: "offer" }',
  );
  desk.program(`${SITE}\n${offer}`);
  expect((await desk.run(["up", "--yes"])).code).toBe(0);
  desk.writes();

  desk.program(`${SITE}\n${offer.replace("publish", 'content: { "hero.tilte": "x" }, publish')}`);
  const key = await desk.run(["preview"]);
  expect([key.code, key.stdout]).toEqual([4, expect.stringMatching(/no field "hero\.tilte".*hero\.title/)]);

  desk.program(
    `${SITE}\n${page("other", 'templateId: "tpl-hero", variables: { brand: "Acme" }, publish: { siteId, slug: "offer" }')}`,
  );
  const renamed = await desk.run(["preview"]);
  expect(renamed.stdout).toContain('aliases: [{ name: "offer" }]');

  desk.program(`${SITE}\n${offer}`);
  const again = await desk.run(["preview", "--detailed-exitcode"]);
  expect(again.code).toBe(0);
});

test("a path that a page of somebody else has", async () => {
  const taken = page(
    "mine",
    'templateId: "tpl-hero", variables: { brand: "Acme" }, publish: { siteId, slug: "offer" }',
  );
  desk.program(SITE);
  expect((await desk.run(["up", "--yes", "-s", "second"])).code).toBe(0);
  desk.writes();
  desk.program(`${SITE}\n${taken}`);
  const { code, stdout } = await desk.run(["up", "--yes", "-s", "second"]);
  expect([code, stdout]).toEqual([4, expect.stringMatching(/\/offer is taken on this site by/)]);
  expect(desk.writes()).toEqual([]);
});

const WHOLE = `
const { id: projectId } = new landform.Project("spring", { description: "d".repeat(60), context: "c".repeat(220) });
const { id: siteId } = new landform.Site("tea", { name: "tea.example", projectId });
new landform.Product("pot", { price: 12.5, projectId });
new landform.Page("tea", { templateId: "tpl-hero", variables: { brand: "Tea" }, publish: { siteId, slug: "tea" } });`;
const READING = ["account:read", "projects:read", "sites:read", "pages:read", "products:read"];
const WRITING = ["projects:write", "sites:write", "pages:write", "products:write"];

test("a key that may only read is told by preview, and by up before it makes what can't be deleted", async () => {
  desk.program(WHOLE);
  const some = { LANDFORM_API_KEY: desk.emulator.createKey({ scopes: READING.slice(0, 3) }) };
  const reads = await desk.run(["preview"], { env: some });
  expect([reads.code, reads.stdout]).toEqual([
    4,
    expect.stringContaining("lacks the scopes pages:read, products:read"),
  ]);

  const half = { LANDFORM_API_KEY: desk.emulator.createKey({ scopes: [...READING, "projects:write", "sites:write"] }) };
  const planned = await desk.run(["preview", "--json", "report.json", "--markdown", "report.md"], { env: half });
  expect([planned.code, planned.stdout]).toEqual([0, expect.stringMatching(/Not proven +pages:write, .*sites:write/)]);
  expect(JSON.parse(desk.read("report.json"))).toMatchObject({ impact: { unproven: [...WRITING].sort() } });
  expect(desk.read("report.md")).toContain("not proven by reads: `pages:write`");
  expect(desk.writes()).toEqual([]);

  const refused = await desk.run(["up", "--yes"], { env: half });
  expect([refused.code, refused.stderr]).toEqual([
    4,
    expect.stringContaining("lacks the scopes pages:write, products:write"),
  ]);
  const about = desk.writes().filter((call) => !call.includes("/landform-asks-"));
  expect(about).toEqual([expect.stringMatching(/^PATCH .*\/products$/)]);
  const nothing = { LANDFORM_API_KEY: desk.emulator.createKey({ scopes: [...READING, ...WRITING] }) };
  expect((await desk.run(["up", "--yes"], { env: nothing })).code).toBe(0);
  expect((await desk.run(["preview", "--detailed-exitcode"])).code).toBe(0);
});

test("a second stack of the same names: the path on the site that it takes over", async () => {
  desk.program(WHOLE);
  desk.writes();
  const { code, stdout } = await desk.run(["up", "--yes", "-s", "third"]);
  expect([code, stdout]).toEqual([4, expect.stringMatching(/\/tea is taken on this site by "tea"/)]);
  expect(desk.writes()).toEqual([]);
});

test("a site's name that two have, or that must not be taken over", async () => {
  const { baseUrl, apiKey } = desk.emulator;
  const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
  const byHand = async (name: string) => {
    const answer = await fetch(`${baseUrl}/sites`, { method: "POST", headers, body: JSON.stringify({ name }) });
    return ((await answer.json()) as { id: string }).id;
  };
  const twins = [await byHand("twin.example"), await byHand("twin.example")];
  await byHand("own.example");
  desk.writes();
  const site = (args: string) => `new landform.Site("main", { ${args} });`;
  desk.program(site('name: "twin.example"'));
  for (const args of [["preview"], ["up", "--yes"]]) {
    const { code, stdout } = await desk.run([...args, "-s", "sites"]);
    expect([code, stdout]).toEqual([4, expect.stringMatching(/Site main: There are 2 sites named "twin\.example"/)]);
    for (const id of twins) expect(stdout).toContain(id);
  }
  desk.program(site('name: "own.example", reuse: false'));
  const own = await desk.run(["preview", "-s", "sites"]);
  expect([own.code, own.stdout]).toEqual([4, expect.stringMatching(/Site main: Site "own\.example" exists already/)]);
  expect(desk.writes()).toEqual([]);
  desk.program(site(`name: "twin.example", adoptId: "${twins[1] ?? ""}"`));
  expect((await desk.run(["up", "--yes", "-s", "sites"])).code).toBe(0);
  desk.program(site('name: "new.example", reuse: false').replace("main", "second"));
  expect((await desk.run(["up", "--yes", "-s", "sites"])).code).toBe(0);
  expect((await desk.run(["preview", "--detailed-exitcode", "-s", "sites"])).code).toBe(0);
});
