// @module-tag thorough
import { expect, test } from "vitest";
import { TestAccount, TestFolder } from "./harness.ts";
import { inTest } from "../suite/opened.ts";

test("the demo account is taken over without a write, and the next preview is empty", async () => {
  const account = await inTest(TestAccount.open({ seed: "demo" }));
  const folder = await inTest(new TestFolder());
  const report = await folder.export(account);
  expect(account.writes()).toEqual([]);
  expect((await folder.run("preview", account)).summary).toEqual({ create: report.model.resources.length + 1 });
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
