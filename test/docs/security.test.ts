/** What SECURITY.md says of this repository is so. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repository } from "./markdown.ts";

const text = readFileSync(join(repository, "SECURITY.md"), "utf8");

test("every test that is named exists", () => {
  const named = [...text.matchAll(/`((?:test|\.github)\/[\w./-]+\.\w+)`/g)].map(([, file = ""]) => file);
  expect(named.length).toBeGreaterThan(15);
  expect(named.filter((file) => !existsSync(join(repository, file)))).toEqual([]);
});

test("every dependency is named with the reason for it, and no other", () => {
  const { dependencies } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  const row = text.split("\n").find((line) => line.startsWith("| A dependency turns bad")) ?? "";
  const named = [...row.matchAll(/\(([^)]*)\)/g)].flatMap(([, names = ""]) => names.split(", "));
  expect(named.sort()).toEqual(Object.keys(dependencies).sort());
});
