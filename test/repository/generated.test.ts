// @module-tag thorough
/** What is generated from the registry is what is in the repository. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { generatedFiles } from "../../scripts/generate/files.ts";

test("npm run generate changes nothing", async () => {
  const files = await generatedFiles();
  expect(files.length).toBeGreaterThan(0);
  for (const { path, text } of files)
    expect(
      readFileSync(new URL(`../../${path}`, import.meta.url), "utf8"),
      `${path} is out of date: run "npm run generate"`,
    ).toBe(text);
});
