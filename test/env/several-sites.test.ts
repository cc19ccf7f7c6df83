// @module-tag thorough
/** A base with several sites that have equal paths: its preview is complete, and each brand's links stay its own. */
import { describe, expect, test } from "vitest";
import { forAllTests } from "../suite/opened.ts";
import { Account, mugs, NOTHING, page } from "./desk.ts";

const BRANDS = ["one", "two"];

function program(paths: readonly string[]): string {
  const pages = BRANDS.flatMap((brand) =>
    paths.map((path, index) => {
      const content = `content: { hero.cta.url: /offer, top.cta.url: /, hero.text: "[here](/offer)" }`;
      const publish = `publish: { site: ${brand}, slug: "${path}" }`;
      return page(`${brand}${index}`, `${brand} ${path || "root"}`, `${content}, ${publish}`);
    }),
  );
  return mugs(`pages:\n${pages.join("")}`, { sites: [...BRANDS, "previews"] });
}
const PATHS = ["", "offer", "index"];

describe("a preview of several sites", { timeout: 120_000 }, () => {
  const account = forAllTests(() => Account.of(program(PATHS)));

  const up = (...args: string[]) => account.up("--pr", "1", ...args);
  const steadyThenDown = async (): Promise<void> => {
    expect((await up()).counts).toMatchObject(NOTHING);
    account.desk.declare(program(PATHS));
    await account.down("--pr", "1");
    expect(account.holds()).toBe(account.before);
  };
  /** Returns the links to other pages from each page of the preview. */
  const links = async (): Promise<Map<string, string[]>> => {
    const found = account.ofPreview("pr-1").map(async ({ id, name }): Promise<[string, string[]]> => {
      const { url } = await account.desk.app<{ url: string }>("GET", `/pages/${id}`);
      const texts = JSON.stringify(await account.desk.app("GET", `/search/page-content-map?page_id=${id}`));
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
    await steadyThenDown();
  });

  test("on one site: no two pages meet, those that are new neither, and links are as before", async () => {
    account.desk.declare(program([...PATHS, "extra"]));
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
    await steadyThenDown();
  });
});
