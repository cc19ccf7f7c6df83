/** The commands in the guides and the reference exist, and so do their options. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { expect, test } from "vitest";
import { createProgram } from "../../cli/cli.ts";
import { optionsOf } from "../../cli/groups.ts";
import { blocksOf, repository } from "./markdown.ts";

const guides = globSync("docs/guides/*.md", { cwd: repository });
const reference = globSync("docs/reference/*.md", { cwd: repository });

test("there are guides and references", () => {
  expect(guides.length).toBeGreaterThan(1);
  expect(reference.length).toBeGreaterThan(1);
});

test.each([...guides, ...reference])("%s", async (file) => {
  const program = await createProgram();
  const blocks = blocksOf(readFileSync(join(repository, file), "utf8")).filter(({ language }) => language === "sh");
  const lines = blocks.flatMap(({ text }) =>
    [...text.matchAll(/npx landform ([^#|)\n]+)/g)].map(([, words = ""]) => words),
  );
  if (guides.includes(file)) expect(lines.length).toBeGreaterThan(0);
  expect(lines.filter((line) => !isKnown(program, line.trim().split(/\s+/)))).toEqual([]);
});

function isKnown(program: Command, words: readonly string[]): boolean {
  const outer = program.commands.find((command) => command.name() === words[0]);
  const command = outer?.commands.find((inner) => inner.name() === words[1]) ?? outer;
  const flags = words.filter((word) => word.startsWith("-"));
  return (
    command !== undefined &&
    flags.every((flag) => optionsOf(command).some(({ long, short }) => [long, short].includes(flag)))
  );
}
