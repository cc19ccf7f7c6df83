/** A reader can type every hint as it stands: the command is installed in the project, so npx finds it. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";
import { createProgram } from "../../cli/cli.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const program = await createProgram();
const commands = program.commands.map((command) => command.name());
const BARE = new RegExp(`(?<!npx )(?<![\\w/.-])landform (${commands.join("|")})\\b`);

/** Places where the text is no hint, with the reason. */
const ALLOWED: readonly { readonly place: string; readonly why: string }[] = [
  { place: "cli/commands/completion.ts", why: "completes the command of that name" },
  { place: "cli/commands/index.ts", why: "completes the command of that name" },
  { place: "manifest/export/typescript.ts", why: "a marker in a file" },
  { place: "cli/init/project.ts", why: "scripts of package.json, which npm runs with the command on PATH" },
];

const files = globSync("{cli,ci,story,stack,engine,provider,manifest,emulator}/**/*.ts", { cwd: root });

test("there are messages to look at", () => {
  expect(files.length).toBeGreaterThan(100);
  expect(BARE.test("run `landform up` again")).toBe(true);
  expect(BARE.test("run `npx landform up` again, see node_modules/landform up")).toBe(false);
});

test("no hint says bare `landform up`", () => {
  const bare = files.filter((file) => !ALLOWED.some(({ place }) => file.startsWith(place))).flatMap(bareIn);
  expect(bare).toEqual([]);
});

test("what is allowed is needed", () => {
  const unused = ALLOWED.filter(
    ({ place }) => !files.some((file) => file.startsWith(place) && bareIn(file).length > 0),
  );
  expect(unused).toEqual([]);
});

const PAGES = globSync("{README.md,docs/**/*.md,examples/**/*.{md,yml,yaml}}", { cwd: root });

test("every command that a message, a page or an example names is there", () => {
  const named = [...files, ...PAGES].flatMap((file) =>
    [...readFileSync(join(root, file), "utf8").matchAll(/\bnpx landform ([a-z]+)(?: ([a-z]+))?/g)].map(
      ([text, name = "", inner]) => ({ text: `${file}: ${text}`, name, inner }),
    ),
  );
  expect(named.length).toBeGreaterThan(100);
  const missing = named.filter(({ name, inner }) => {
    if (name === "help") return false;
    const command = program.commands.find((one) => one.name() === name);
    const group = command?.commands ?? [];
    return command === undefined || (group.length > 0 && !group.some((one) => one.name() === inner));
  });
  expect(missing.map(({ text }) => text)).toEqual([]);
});

function bareIn(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), "utf8"), ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
    if (isText && BARE.test(node.text)) found.push(`${file}: ${node.text}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
