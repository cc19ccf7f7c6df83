// @module-tag thorough
/** `--seed`: pages of a preview are copies of the base's live pages, so that it shows only the branch's changes. */
import { beforeAll, describe, expect, test } from "vitest";
import type { JsonReport } from "../../stack/report/json.ts";
import { problemsOf } from "../reports/schema.ts";
import { textsInApp } from "../suite/app.ts";
import { forAllTests } from "../suite/opened.ts";
import { Account, mugs, NOTHING, page } from "./desk.ts";

const PAGES = [
  page("offer", "Offer", "content: { hero.title: Mugs }, publish: { site: mugs, slug: offer }"),
  page("story", "Story", "publish: { site: mugs, slug: story }"),
];
const PROGRAM = mugs(`pages:\n${PAGES.join("")}`);
const ADDED = page("extra", "Extra", "publish: { site: mugs, slug: extra }");
const BY_HAND = "Written by hand, in the builder";

describe("a base whose live page was edited by hand", { timeout: 120_000 }, () => {
  const account = forAllTests(() => Account.of(PROGRAM));
  let before: string;

  const contentOf = async (name: string): Promise<unknown> => {
    const { id = "none" } = account.ofPreview("pr-1").find((one) => one.name.endsWith(` ${name}`)) ?? {};
    return Object.values(await textsInApp(account.desk, id));
  };
  const up = async (...args: string[]): Promise<JsonReport> => {
    const report = await account.up("--pr", "1", ...args);
    expect(problemsOf(report)).toEqual([]);
    return report;
  };

  beforeAll(async () => {
    await account.desk.edits("Offer", { "hero.text": BY_HAND });
    await account.desk.publishes("Offer", "offer");
    before = account.holds();
  });

  test("an unchanged branch shows that edit", async () => {
    expect((await up("--seed")).counts.create).toBe(2);
    expect(await contentOf("Offer")).toContain(BY_HAND);
  });

  test("a second run does only what the branch changes and adds", async () => {
    account.desk.declare(PROGRAM.replace("hero.title: Mugs", "hero.title: Better mugs") + ADDED);
    const { counts } = await up();
    expect(counts).toMatchObject({ create: 1, update: 1, replace: 0, delete: 0 });
    expect(await contentOf("Offer")).toContain(BY_HAND);
    const { counts: again } = await up();
    expect(again).toMatchObject(NOTHING);
  });

  test("down leaves the base as it was edited", async () => {
    await account.down("--pr", "1");
    expect(account.holds()).toBe(before);
  });
});
