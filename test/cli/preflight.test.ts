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
