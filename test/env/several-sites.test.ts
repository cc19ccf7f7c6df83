// @module-tag thorough
/** A base with several sites that have equal paths: its preview is complete, and each brand's links stay its own. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonReport } from "../../stack/report/json.ts";
import { accountWith, type Account } from "./desk.ts";

const BRANDS = ["one", "two"];

function program(paths: readonly string[]): string {
  const pages = BRANDS.flatMap((brand) =>
    paths.map((path, index) => {
      const content = `{ hero.cta.url: /offer, top.cta.url: /, hero.text: "[here](/offer)" }`;
      return `  ${brand}${index}: { name: "${brand} ${path || "root"}", project: spring, template: { id: tpl-hero }, variables: { brand: ${brand} }, content: ${content}, publish: { site: ${brand}, slug: "${path}" } }`;
    }),
  );
  return `landform: 1
name: mugs
projects:
  spring: { name: Spring, description: "The spring launch of Example Mugs, one offer and a quiz", context: "${"Handmade mugs. ".repeat(15)}" }
sites: { one: { name: one.example, project: spring }, two: { name: two.example, project: spring }, previews: { name: previews.example, project: spring } }
pages:
${pages.join("\n")}
`;
}
const PATHS = ["", "offer", "index"];

describe("a preview of several sites", { timeout: 120_000 }, () => {
  let account: Account;
  let before: string;

  beforeAll(async () => {
    account = await accountWith((desk) => desk.write("landform.yaml", program(PATHS)));
    before = account.holds();
  }, 60_000);
  afterAll(() => account.desk.close());

  const up = async (...args: string[]): Promise<JsonReport> => {
    const ended = await account.env("up", "--pr", "1", ...args, "--yes", "--json");
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    return JSON.parse(ended.stdout) as JsonReport;
  };
  const steady = async (): Promise<void> => {
    const { counts } = await up();
    expect(counts).toMatchObject({ create: 0, adopt: 0, update: 0, replace: 0, delete: 0 });
  };
  const down = async (): Promise<void> => {
    account.desk.write("landform.yaml", program(PATHS));
    const ended = await account.env("down", "--pr", "1", "--yes");
    expect([ended.code, account.holds()]).toEqual([0, before]);
  };
  /** Returns the links to other pages from each page of the preview. */
  const links = async (): Promise<Map<string, string[]>> => {
    const { emulator } = account.desk;
    const headers = { authorization: `Bearer ${emulator.apiKey}` };
    const get = async (path: string): Promise<string> => (await fetch(emulator.baseUrl + path, { headers })).text();
    const found = account.ofPreview("pr-1").map(async ({ id, name }): Promise<[string, string[]]> => {
      const { url } = JSON.parse(await get(`/pages/${id}`)) as { url: string };
      const texts = await get(`/search/page-content-map?page_id=${id}`);
      const said = [...texts.matchAll(/[^\s"\\(]*\/pr-1-[^\s"\\)]*/g)].map(([link]) => link);
      return [name.replace(/^\S+ /, ""), [url, ...said.map((link) => URL.parse(link, url)?.href ?? link)]];
    });
    return new Map(await Promise.all(found));
  };

  test("on its own sites: a path by itself is one of the site that it is read on", async () => {
    await up();
    const all = await links();
    for (const brand of BRANDS) {
      const root = all.get(`${brand} root`)?.[0];
      const offer = all.get(`${brand} offer`)?.[0];
      expect(root).toMatch(new RegExp(`^http://${brand}-example\\S*/pr-1-\\w{10}/index$`));
      for (const path of PATHS)
        expect(new Set(all.get(`${brand} ${path || "root"}`)?.slice(1))).toEqual(new Set([offer, root]));
    }
    await steady();
    await down();
  });

  test("on one site: no two pages meet, those that are new neither, and links are as before", async () => {
    account.desk.write("landform.yaml", program([...PATHS, "extra"]));
    const { urls } = await up("--site", "previews.example");
    expect(new Set(urls).size).toBe(8);
    for (const url of urls)
      expect(url).toMatch(/^http:\/\/previews-example\S*\/pr-1-\w{10}\/(index|offer|extra)-\w{8}$/);
    const all = await links();
    for (const brand of BRANDS)
      for (const path of PATHS)
        expect(new Set(all.get(`${brand} ${path || "root"}`)?.slice(1))).toEqual(
          new Set([all.get(`${brand} offer`)?.[0], all.get(`${brand} root`)?.[0]]),
        );
    await steady();
    await down();
  });
});
