// @module-tag thorough
import { expect, test } from "vitest";
import type { Progress } from "../../manifest/export/index.ts";
import { TestAccount, TestFolder } from "./harness.ts";
import { inTest } from "../suite/opened.ts";

test("1,000 pages cost a content map each, and a list call for every hundred", async () => {
  const account = await inTest(TestAccount.open());
  const folder = await inTest(new TestFolder());
  const names = Array.from({ length: 1000 }, (_, index) => `Page ${index + 1}`);
  for (let at = 0; at < names.length; at += 50) {
    await Promise.all(names.slice(at, at + 50).map((name) => account.api.pages.create({ name })));
  }
  account.calls();
  const progress: Progress[] = [];
  const { model } = await folder.export(account, { onProgress: (step) => progress.push(step) });
  const calls = account.calls();
  expect(calls.filter((call) => call === "GET /search/page-content-map")).toHaveLength(1000);
  expect(calls.filter((call) => call === "GET /pages")).toHaveLength(11);
  expect(calls.length).toBeLessThan(1020);
  expect(model.resources).toHaveLength(1000);
  expect(progress.at(-1)).toEqual({ what: "content maps", done: 1000, total: 1000 });
  expect((await folder.export(account)).files).toEqual([]);
});
