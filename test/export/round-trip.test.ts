// @module-tag thorough
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { buildModel } from "../../manifest/export/build.ts";
import { readAccount } from "../../manifest/export/read.ts";
import { populate, shapes } from "./accounts.ts";
import { Stack } from "./apply.ts";
import { TestAccount, TestFolder } from "./harness.ts";
import { meaningOf } from "./meaning.ts";

/** Every run plays the same accounts. LANDFORM_SEED tries others. */
const SEED = Number(process.env["LANDFORM_SEED"] ?? "1");

test("any account is taken over without a write, and its copy in another account means the same", async () => {
  await fc.assert(
    fc.asyncProperty(shapes, async (shape) => {
      const notShown = { ...shape.notShown, projectContextOnRead: true };
      const source = await TestAccount.open({ notShown });
      const copy = await TestAccount.open({ notShown });
      const folders = [new TestFolder(), new TestFolder()] as const;
      try {
        const templateOf = await populate(source, shape);
        source.calls();
        await takeOver(source, folders[0]);
        await copyInto(source, copy, folders[1], templateOf);
      } finally {
        for (const folder of folders) folder.close();
        await source.close();
        await copy.close();
      }
    }),
    { numRuns: 25, seed: SEED },
  );
}, 300_000);

async function takeOver(account: TestAccount, folder: TestFolder): Promise<void> {
  await folder.export(account);
  const manifest = folder.read();
  const stack = new Stack(account);
  await stack.up(folder);
  expect(await stack.pending()).toEqual([]);
  await stack.refresh();
  expect(await stack.pending()).toEqual([]);
  stack.close();
  expect(account.writes()).toEqual([]);
  expect((await folder.export(account)).files).toEqual([]);
  expect(folder.read()).toBe(manifest);
}

async function copyInto(
  source: TestAccount,
  target: TestAccount,
  folder: TestFolder,
  templateOf: ReadonlyMap<string, string>,
): Promise<void> {
  const original = buildModel(await readAccount(source.api));
  const templates = new Map<string, string>();
  for (const { kind, key, id = "" } of original.resources) {
    const template = templateOf.get(id);
    if (template !== undefined && (kind === "page" || kind === "quiz")) templates.set(key, template);
  }
  await folder.export(source, { asNew: true, templates });
  expect(folder.read()).not.toContain("adoptId");
  const stack = new Stack(target);
  await stack.up(folder);
  expect(await stack.pending()).toEqual([]);
  stack.close();
  expect(meaningOf(buildModel(await readAccount(target.api)))).toEqual(meaningOf(original));
}
