/** The statements of SECURITY.md about this repository are true. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
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
  const entry = text.split(/\n(?=- |\n)/).find((one) => one.startsWith("- **A dependency turns bad")) ?? "";
  const named = [...entry.matchAll(/\(([^)`]*)\)/g)].flatMap(([, names = ""]) => names.split(/,\s+/));
  expect(named.sort()).toEqual([...usedPackages()].sort());
});

/** Returns the packages beside the product and in its modules. Pulumi's belongs to the program. */
function usedPackages(): Set<string> {
  const { dependencies } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  const sources = ["provider", "engine", "emulator", "manifest", "stack", "ci", "story", "cli"].flatMap((folder) =>
    readdirSync(join(repository, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => readFileSync(join(repository, folder, file), "utf8")),
  );
  const names = sources.flatMap((source) =>
    [...source.matchAll(/^(?:import|export) (?!type)[^;]*?from "([a-z][^":/]*)(?:\/[^"]*)?";$/gm)].map(
      ([, name = ""]) => name,
    ),
  );
  return new Set([...Object.keys(dependencies), ...names]);
}
