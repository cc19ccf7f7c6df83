/** Comments and messages name who does a thing: no sentence of ours begins with What, Of or Whether (docs/style.md). */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repository } from "../docs/markdown.ts";

const files = globSync("{provider,engine,manifest,stack,story,ci,cli,emulator}/**/*.ts", {
  cwd: repository,
  // The texts of imagined shops, and the words of schema/api.yaml.
  exclude: ["emulator/document/templates/**", "provider/api/generated/**"],
});
const BEGINS = /(?:^\s*(?:\/\*\*|\*|\/\/) |[.:;] |["'`])(?:What|Of|Whether) (?!happens|next)/;

test("there is something to look at", () => expect(files.length).toBeGreaterThan(400));

test("no sentence begins with What, Of or Whether", () => {
  const found = files.flatMap((file) =>
    readFileSync(join(repository, file), "utf8")
      .split("\n")
      .flatMap((line, index) => (BEGINS.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  );
  expect(found).toEqual([]);
});
