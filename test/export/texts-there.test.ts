/** The first export into a folder: the text files in it stay, under their names. */
import { beforeEach, expect, test } from "vitest";
import { TestAccount, TestFolder } from "./harness.ts";
import { forEachTest } from "../suite/opened.ts";

const LONG = "A long text. ".repeat(40);
const FILE = "content/products/mug/description.txt";
const SECOND = "content/products/mug/description-2.txt";

const account = forEachTest(() => TestAccount.open());
const folder = forEachTest(() => new TestFolder());

beforeEach(() => account.api.products.create({ name: "Mug", description: LONG }));

test.for(["yaml", "typescript"] as const)("as %s", async (format) => {
  folder.write(FILE, "Mine");
  const { files } = await folder.export(account, { format });
  expect(folder.read(FILE)).toBe("Mine");
  expect(folder.read(SECOND)).toBe(LONG);
  expect(files).toContain(SECOND);
  expect(files).not.toContain(FILE);
  expect((await folder.export(account, { format })).files).toEqual([]);
  expect((await folder.run("up", account, format)).summary).toMatchObject({ create: 2 });
  expect((await folder.run("preview", account, format)).summary).toEqual({ same: 2 });
});
