// @module-tag thorough
import { expect, test } from "vitest";
import { inTheApp } from "../suite/app.ts";
import { TestAccount, TestFolder } from "./harness.ts";
import { inTest } from "../suite/opened.ts";

test("the demo account is taken over without a write, and the next preview is empty", async () => {
  const account = await inTest(TestAccount.open({ seed: "demo" }));
  const folder = await inTest(new TestFolder());
  const report = await folder.export(account);
  expect(account.writes()).toEqual([]);
  const preview = await folder.run("preview", account);
  expect(preview.summary).toEqual({ create: report.model.resources.length + 1 });
  await folder.run("up", account);
  expect(account.writes()).toEqual([]);
  expect((await folder.run("preview", account)).summary).toEqual({ same: report.model.resources.length + 1 });
  await folder.run("refresh", account);
  expect((await folder.run("preview", account)).summary).toEqual({ same: report.model.resources.length + 1 });
  expect(account.writes()).toEqual([]);
});

test("a program takes the place of the manifest without a change", async () => {
  const account = await inTest(TestAccount.open({ seed: "demo" }));
  const folder = await inTest(new TestFolder());
  await folder.export(account);
  await folder.run("up", account);
  const report = await folder.export(account, { format: "typescript" });
  const preview = await folder.run("preview", account, "typescript");
  expect(preview.summary).toEqual({ same: report.model.resources.length + 1 });
  await folder.run("up", account, "typescript");
  expect(account.writes()).toEqual([]);
});

test("a step that has an id of its own is the page, or the address, that it names", async () => {
  const account = await inTest(TestAccount.open({ notShown: { funnelPages: "records" } }));
  const folder = await inTest(new TestFolder());
  const { id: pageId } = (await inTheApp<unknown>(account, "POST", "/pages", { name: "Offer" })) as { id: string };
  // A page whose id is that of the second step.
  const { pages = [], ...rest } = account.emulator.records();
  account.emulator.restore({
    ...rest,
    pages: [...pages, ...pages.map((page) => ({ ...page, id: "2", pageName: "Other" }))],
  });
  const steps = [
    { pageId, pageType: "presell" },
    { url: "https://pay.example/now", pageType: "checkout" },
  ];
  await inTheApp<unknown>(account, "POST", "/funnels", { name: "Spring", pages: steps });
  account.writes();
  await folder.export(account);
  expect(folder.read()).toMatch(/steps:\s+- \{? ?page: offer[^]*url: https:\/\/pay\.example\/now/);
  await folder.run("up", account);
  await folder.run("refresh", account);
  const { summary } = await folder.run("preview", account);
  expect(Object.keys(summary)).toEqual(["same"]);
  expect(account.writes()).toEqual([]);
});
