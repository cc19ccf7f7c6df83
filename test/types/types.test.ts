/** `landform templates types`: a wrong key doesn't compile, a right one does, and editors of YAML show the same. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Ajv } from "ajv";
import ts from "typescript";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { parse } from "yaml";
import { run } from "../../cli/cli.ts";
import { schemaWithTemplates, typesSource, type TemplateKeys } from "../../manifest/index.ts";
import { manifestSchema } from "../../scripts/generate/schema.ts";
import { folderWith, repository } from "../manifest/files.ts";

const read = { readAt: "2026-01-01" };
const KNOWN = new Map<string, TemplateKeys>([
  ["tpl-hero", { name: "Hero */ of\nall", keys: ["hero.title", 'quoted "key"'], variables: { brand: [] }, ...read }],
  ["tpl-plain", { name: "Plain", keys: ["text"], variables: {}, ...read }],
]);
const KEYS_FILE = JSON.stringify({ landformKeys: 1, templates: Object.fromEntries(KNOWN) });

const RIGHT = `
import * as pulumi from "@pulumi/pulumi";
import * as landform from "landform";
new landform.Page("bare");
new landform.Page("a", { name: "A", templateId: "tpl-hero", content: { "hero.title": "A", 'quoted "key"': 1 }, variables: { brand: "B", own: "C" } });
new landform.Page("b", { templateId: "tpl-unknown", content: { anything: { nested: true } } });
new landform.Page("c", { templateId: "tpl-plain", content: { text: pulumi.output("x") }, publish: { siteId: "s", slug: "c" } });
new landform.Page("d", { templateId: pulumi.output("tpl-hero"), content: { anything: 1 } });
const shared: landform.PageArgs = { templateId: "tpl-hero", content: { anything: 1 } };
new landform.Page("e", { ...shared, tags: ["x"] });
const page: landform.Page = new landform.Page("f", { templateId: "tpl-plain" });
class Own extends landform.Page { constructor(name: string, args: landform.PageArgs) { super(name, args); } }
export const all: landform.Page[] = [page, new Own("g", shared)];
new landform.Quiz("q", { templateId: "tpl-plain", content: { text: "x" } });
`;

/** Each line with the compiler's message. */
const WRONG: readonly [line: string, says: RegExp][] = [
  [
    `new landform.Page("a", { templateId: "tpl-hero", content: { "hero.titel": "x" }, variables: { brand: "B" } });`,
    /hero\.titel/,
  ],
  [`new landform.Page("b", { templateId: "tpl-hero", content: { "hero.title": "x" } });`, /'variables' is missing/],
  [`new landform.Page("c", { templateId: "tpl-hero", variables: { brnd: "x" } });`, /'brand' is missing/],
  [`new landform.Page("d", { templateId: "tpl-plain", content: { "hero.title": "x" } });`, /hero\.title/],
  [`new landform.Page("e", { templateId: "tpl-plain", tag: ["x"] });`, /'tag' does not exist/],
  [`new landform.Quiz("f", { templateId: "tpl-plain", content: { txt: "x" } });`, /'txt' does not exist/],
];

let folder: string;
let messages: (lines: string) => { line: number; text: string }[];

beforeAll(() => {
  messages = (program) => {
    folder = folderWith({ "index.ts": program, "landform.templates.d.ts": typesSource(KNOWN) });
    mkdirSync(join(folder, "node_modules"));
    for (const name of ["landform", "@pulumi"])
      symlinkSync(join(repository, "node_modules", name), join(folder, "node_modules", name));
    const files = ["index.ts", "landform.templates.d.ts"].map((name) => join(folder, name));
    const options: ts.CompilerOptions = {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      types: [],
    };
    return ts.getPreEmitDiagnostics(ts.createProgram(files, options)).map(({ file, start, messageText }) => ({
      line: file && start !== undefined ? file.getLineAndCharacterOfPosition(start).line : -1,
      text: ts.flattenDiagnosticMessageText(messageText, "\n"),
    }));
  };
});

afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

test("right keys compile, known templates or not; each wrong one is an error on its line", () => {
  const lines = WRONG.map(([line]) => line).join("\n");
  const found = messages(`${RIGHT}${lines}\n`);
  const before = RIGHT.split("\n").length - 1;
  expect(found.filter(({ line }) => line < before)).toEqual([]);
  expect(found.map(({ line }) => line - before)).toEqual(WRONG.map((_, index) => index));
  for (const [index, [, says]] of WRONG.entries()) expect(found[index]?.text).toMatch(says);
});

test("the schema knows the keys of known templates, and takes everything that it took before", () => {
  const ajv = new Ajv({ strict: false });
  const accepts = ajv.compile(JSON.parse(schemaWithTemplates(manifestSchema(), KNOWN)) as object);
  const plain = ajv.compile(manifestSchema());
  const entry = (text: string): unknown => parse(`landform: 1\npages:\n  a: ${text}\n`);
  const good = [
    `{ template: tpl-hero, content: { hero.title: A }, variables: { brand: B, own: C } }`,
    `{ template: tpl-unknown, content: { any: A } }`,
    `{ content: { any: A } }`,
    `{ template: { lookup: { name: Hero } }, content: { any: A } }`,
    `{ template: tpl-plain, content: { text: { file: a.md } } }`,
    `{ template: { id: tpl-plain }, each: [a], content: [{ file: "a.*.yaml", locale: de }, { text: A }, { folder: b }] }`,
    `{ template: { id: tpl-unknown }, content: [{ any: A }] }`,
  ];
  const bad = [
    `{ template: tpl-hero, content: { hero.titel: A } }`,
    `{ template: tpl-hero, variables: { brnd: A } }`,
    `{ template: tpl-plain, content: { hero.title: A } }`,
    `{ template: { id: tpl-plain }, each: [a], content: { hero.title: A } }`,
    `{ template: tpl-plain, content: [{ file: a.yaml }, { hero.title: A }] }`,
  ];
  for (const text of good) expect([accepts(entry(text)), text, accepts.errors]).toEqual([true, text, null]);
  for (const text of bad) {
    expect([accepts(entry(text)), text]).toEqual([false, text]);
    expect([plain(entry(text)), text]).toEqual([true, text]);
  }
});

async function called(...args: string[]): Promise<{ code: number; text: string }> {
  let text = "";
  const hear = (chunk: string | Uint8Array): boolean => (text += chunk.toString()) !== "";
  vi.spyOn(process.stdout, "write").mockImplementation(hear);
  vi.spyOn(process.stderr, "write").mockImplementation(hear);
  process.exitCode = undefined;
  return { code: await run(["templates", "types", ...args]), text };
}

test.each([
  ["landform.templates.d.ts", []],
  ["landform.templates.schema.json", ["--schema"]],
])("%s: written, up to date, and told when it is behind", async (file, option) => {
  const own = folderWith({ "landform.keys.json": KEYS_FILE });
  const check = (): Promise<{ code: number; text: string }> => called("-C", own, "--check", ...option);
  expect(await check()).toEqual({ code: 1, text: expect.stringContaining(`There is no ${file}`) as unknown });
  expect(await called("-C", own, ...option)).toEqual({
    code: 0,
    text: expect.stringContaining(`${file} is written: 2 templates`) as unknown,
  });
  expect(await check()).toMatchObject({ code: 0 });
  // As git checks it out on Windows.
  writeFileSync(join(own, file), readFileSync(join(own, file), "utf8").replaceAll("\n", "\r\n"));
  expect(await check()).toMatchObject({ code: 0 });
  writeFileSync(join(own, "landform.keys.json"), KEYS_FILE.replace('"text"', '"title"'));
  expect(await check()).toEqual({
    code: 1,
    text: expect.stringContaining("is not what landform.keys.json says") as unknown,
  });
});

test("without any key, or with a file of keys that is wrong: 4, and what to do", async () => {
  expect(await called("-C", folderWith({}))).toEqual({
    code: 4,
    text: expect.stringContaining("--probe writes it") as unknown,
  });
  expect(await called("-C", join(dirname(folderWith({})), "none-of-that"))).toMatchObject({ code: 4 });
  expect(await called("-C", folderWith({ "landform.keys.json": "[]" }))).toMatchObject({ code: 4 });
  expect(await called("-C", folderWith({}), "--check", "--online")).toMatchObject({ code: 4 });
});
