// @module-tag thorough
/** `--seed`: pages of a preview are copies of the base's live pages, so that it shows only the branch's changes. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonReport } from "../../stack/report/json.ts";
import { problemsOf } from "../reports/schema.ts";
import { inTheApp } from "../suite/app.ts";
import { accountWith, type Account } from "./desk.ts";
import { outputOf } from "../cli/harness.ts";

const PROGRAM = `landform: 1
name: mugs
projects:
  spring: { name: Spring, description: "The spring launch of Example Mugs, one offer and a quiz", context: "${"Handmade mugs. ".repeat(15)}" }
sites: { mugs: { name: mugs.example, project: spring } }
pages:
  offer: { name: Offer, project: spring, template: { id: tpl-hero }, variables: { brand: Mugs }, content: { hero.title: Mugs }, publish: { site: mugs, slug: offer } }
  story: { name: Story, project: spring, template: { id: tpl-hero }, variables: { brand: Mugs }, publish: { site: mugs, slug: story } }
`;
const ADDED = `  extra: { name: Extra, project: spring, template: { id: tpl-hero }, variables: { brand: Mugs }, publish: { site: mugs, slug: extra } }
`;
const BY_HAND = "Written by hand, in the builder";

describe("a base whose live page was edited by hand", { timeout: 120_000 }, () => {
  let account: Account;
  let before: string;

  const call = (method: string, path: string, body?: object): Promise<Record<string, unknown>> =>
    inTheApp(account.desk, method, path, body);
  const contentOf = async (name: string): Promise<string> => {
    const { id } = account.ofPreview("pr-1").find((one) => one.name.endsWith(` ${name}`)) ?? {};
    return JSON.stringify(await call("GET", `/search/page-content-map?page_id=${id ?? "none"}`));
  };
  const up = async (...args: string[]): Promise<JsonReport> => {
    const ended = await account.env("up", "--pr", "1", "--yes", "--json", ...args);
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    const report: unknown = JSON.parse(ended.stdout);
    expect(problemsOf(report)).toEqual([]);
    return report as JsonReport;
  };

  beforeAll(async () => {
    account = await accountWith((desk) => desk.write("landform.yaml", PROGRAM), {});
    const [{ id: site = "" } = {}] = account.desk.emulator.records()["sites"] as { id?: string }[];
    const pages = Object.values(account.desk.emulator.records()).flat() as unknown as {
      id: string;
      pageName?: string;
    }[];
    const offer = pages.find(({ pageName }) => pageName === "Offer")?.id ?? "";
    await call("PATCH", "/pages/content", { page_id: offer, updates: { "hero.text": BY_HAND } });
    await call("POST", "/pages/publish", { page_id: offer, site_id: site, slug: "offer" });
    before = account.holds();
  }, 60_000);
  afterAll(() => account.desk.close());

  test("an unchanged branch shows that edit", async () => {
    const report = await up("--seed");
    expect(report.counts.create).toBe(2);
    expect(await contentOf("Offer")).toContain(BY_HAND);
  });

  test("a second run does only what the branch changes and adds", async () => {
    account.desk.write("landform.yaml", PROGRAM.replace("hero.title: Mugs", "hero.title: Better mugs") + ADDED);
    const { counts } = await up();
    expect(counts).toMatchObject({ create: 1, update: 1, replace: 0, delete: 0 });
    expect(await contentOf("Offer")).toContain(BY_HAND);
    const { counts: again } = await up();
    expect(again).toMatchObject({ create: 0, adopt: 0, update: 0, replace: 0, delete: 0 });
  });

  test("down leaves the base as it was edited", async () => {
    await outputOf(0, account.env("down", "--pr", "1", "--yes"));
    expect(account.holds()).toBe(before);
  });
});
