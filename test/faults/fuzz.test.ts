// @module-tag repeated
/**
 * Input that nobody would write: manifests broken in text and structure, data files, inputs of programs. Every failure is one of ours and has a
 * place. Nothing crashes, hangs, changes a prototype or reads a file outside of the folder. answers.test.ts has the service's answers and
 * descriptions of its API.
 */
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { stringify } from "yaml";
import { codes, renderText, reportJson, reportSarif, validate, type Validation } from "../../manifest/index.ts";
import type { Resource } from "../../manifest/match/model.ts";
import { TextFiles } from "../../manifest/write/files.ts";
import { shownText } from "../../stack/report/printable.ts";
import { rounds } from "../suite/parts.ts";

const numRuns = rounds({ quick: 150, all: 1_000, soak: 10_000 });
const TIMEOUT = { timeout: 1_800_000 };
const repository = join(import.meta.dirname, "../..");

const CANARY = "this text is outside of the folder";
let outside: string;
let folder: string;
beforeAll(() => {
  outside = mkdtempSync(join(tmpdir(), "landform-fuzz-"));
  folder = join(outside, "project");
  mkdirSync(join(folder, "texts"), { recursive: true });
  writeFileSync(join(outside, "secret.md"), CANARY);
  writeFileSync(join(folder, "texts", "good.md"), "A good text.");
  symlinkSync(outside, join(folder, "up"));
  symlinkSync(join(outside, "secret.md"), join(folder, "texts", "link.md"));
  symlinkSync("loop", join(folder, "loop"));
});
afterAll(() => rmSync(outside, { recursive: true, force: true }));

const prototypes = [Object.prototype, Array.prototype, Function.prototype, String.prototype];
let shapes: string[];
beforeEach(() => {
  shapes = prototypes.map((one) => Object.getOwnPropertyNames(one).join());
});
afterEach(() => expect(prototypes.map((one) => Object.getOwnPropertyNames(one).join())).toEqual(shapes));

const PROGRAM_FAULT =
  /(Type|Range|Reference|Syntax)Error|is not a function|undefined \(reading|not iterable|\[object |NaN|call stack/;

/** Checks that a report on a manifest has its place, in all three forms, and is no fault of the program. */
function expectSound(text: string): Validation {
  writeFileSync(join(folder, "landform.yaml"), text);
  const validation = validate("landform.yaml", { cwd: folder });
  const lines = text.split("\n").length;
  for (const { file, line, column, message, endLine } of validation.diagnostics) {
    expect(line).toBeGreaterThan(0);
    if (file === "landform.yaml") expect(line).toBeLessThanOrEqual(lines);
    else expect(file).toBe("texts/good.md");
    expect(endLine).toBeGreaterThanOrEqual(line);
    expect(column).toBeGreaterThan(0);
    if (!PROGRAM_FAULT.test(text)) expect(message).not.toMatch(PROGRAM_FAULT);
  }
  expect(validation.manifest === undefined).toBe(validation.diagnostics.some(({ severity }) => severity === "error"));
  const said = shownText(renderText(validation.diagnostics));
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  expect(said).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
  JSON.stringify([reportJson(validation.diagnostics), reportSarif(validation.diagnostics, "1.0.0", codes)]);
  return validation;
}

const manifests = globSync("{test/manifest/corpus,examples}/**/*.yaml", { cwd: repository })
  .filter((path) => !path.includes("Pulumi"))
  .map((path) => readFileSync(join(repository, path), "utf8"));

const hostile = fc.constantFrom(
  ...["\u0000", "\ud83d", "\u202e", "\ufeff", "\t", "\r", "{{", "${", "'", '"', "#", "~", "0x", "1e999"],
  ...["&a ", "*a", "<<: *a", "!!js/function ", "!!binary ", "? ", "- ", "|\n", ">-\n", "---\n", "...\n"],
  ...["%YAML 1.1\n", "__proto__: { polluted: true }\n", "constructor:\n"],
  ...["[".repeat(300), "{a: ".repeat(200), "9".repeat(400)],
);

const edit = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.nat(30),
  put: fc.oneof(hostile, fc.string({ maxLength: 20 }), fc.string({ unit: "binary", maxLength: 8 })),
});

test("a manifest that is broken in its text", TIMEOUT, () => {
  fc.assert(
    fc.property(fc.constantFrom(...manifests), fc.array(edit, { minLength: 1, maxLength: 5 }), (text, edits) => {
      const broken = edits.reduce((before, { at, length, put }) => {
        const start = Math.floor(at * before.length);
        return before.slice(0, start) + put + before.slice(start + length);
      }, text);
      expectSound(broken);
    }),
    { numRuns },
  );
});

const key = fc.oneof(
  fc.constantFrom("__proto__", "constructor", "toString", "hasOwnProperty", "length", "name", "project", "publish"),
  fc.constantFrom(
    ...["content", "variables", "steps", "adoptId", "options", "file"],
    ...["env", "config", "id", "lookup", "url"],
  ),
  fc.string({ maxLength: 12 }),
);
const { tree } = fc.letrec((tie) => ({
  leaf: fc.oneof(
    fc.constantFrom<unknown>(null, true, -1, 0.1, 1e308, "", "a", "pages.a.url", "$" + "{x}", "{{x}}", "\ud83d"),
    fc.string({ maxLength: 20 }),
    fc.double(),
  ),
  tree: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    tie("leaf"),
    fc.array(tie("tree"), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie("tree")), { maxLength: 4 }).map((entries) => new Map(entries)),
    fc.record({ file: tie("leaf") }),
    fc.record({ env: tie("leaf") }),
    fc.record({ config: tie("leaf") }),
    fc.record({ lookup: tie("tree") }),
  ),
}));
const SECTIONS = ["projects", "sites", "pages", "quizzes", "funnels", "products", "hooks", "videos", "accounts"];
const part = fc.constantFrom(...SECTIONS, "outputs", "include", "name", "landform", "__proto__");
const structure = fc.array(
  fc.tuple(
    part,
    fc.oneof(
      tree,
      fc.array(fc.tuple(key, tree)).map((e) => new Map(e)),
    ),
  ),
  { maxLength: 5 },
);

test("a manifest that is broken in its structure", TIMEOUT, () => {
  fc.assert(
    fc.property(structure, fc.boolean(), (parts, isVersioned) => {
      const document = new Map<unknown, unknown>([...(isVersioned ? [["landform", 1] as const] : []), ...parts]);
      expectSound(stringify(document));
    }),
    { numRuns },
  );
});

const inputsOf = (manifest: Validation["manifest"]) => (manifest?.entries ?? []).map(({ inputs }) => inputs);

const STEPS = [
  ...["..", ".", "up", "texts", "secret.md", "good.md", "link.md", "loop", "project"],
  ...["", "~", "%2e%2e", "\u0000"],
];
const path = fc.oneof(
  fc.array(fc.constantFrom(...STEPS), { minLength: 1, maxLength: 6 }).map((steps) => steps.join("/")),
  fc.array(fc.constantFrom(...STEPS), { minLength: 1, maxLength: 4 }).map((steps) => `/${steps.join("/")}`),
  fc.array(fc.constantFrom(...STEPS), { minLength: 1, maxLength: 4 }).map((steps) => steps.join("\\")),
  fc.constantFrom("up/secret.md", "texts/link.md", "texts/../up/secret.md", "up/project/../secret.md"),
  fc.constantFrom("texts/good.md", "/etc/passwd", "file:///etc/passwd", "C:\\secret.md", "texts/".repeat(3_000)),
  fc.string({ unit: "binary", maxLength: 20 }),
);

test("a path of a file leads nowhere but into the folder", TIMEOUT, () => {
  let inside = 0;
  fc.assert(
    fc.property(path, fc.boolean(), (file, isIncluded) => {
      const text = isIncluded
        ? { landform: 1, include: [file] }
        : { landform: 1, name: "a", pages: { a: { name: "A", content: { "hero.text": { file } } } } };
      const { manifest, diagnostics } = expectSound(stringify(text));
      expect(JSON.stringify([inputsOf(manifest), diagnostics])).not.toContain(CANARY);
      if (JSON.stringify(inputsOf(manifest)).includes("A good text.")) inside++;
    }),
    { numRuns, examples: [["texts/good.md", false]] },
  );
  expect(inside).toBeGreaterThan(0);
});

test("no name of a file outside is given away either", () => {
  const page = { name: "A", content: { "hero.text": { file: "up/secret.m" } } };
  const { diagnostics } = expectSound(stringify({ landform: 1, name: "a", pages: { a: page } }));
  expect(renderText(diagnostics)).not.toContain("secret.md");
});

test("a name of the account leads to a file below content/ and to no other", TIMEOUT, () => {
  const resource = (name: string): Resource => ({ kind: "page", key: name, inputs: {} }) as unknown as Resource;
  fc.assert(
    fc.property(fc.oneof(path, fc.string({ unit: "binary" })), fc.oneof(path, fc.string()), (name, field) => {
      const files = new TextFiles();
      const made = [files.add(resource(name), field, "a"), files.add(resource(name), field, "b")];
      expect(new Set(made).size).toBe(2);
      for (const file of made) {
        expect(posix.normalize(file)).toBe(file);
        expect(file).toMatch(/^content\/pages\/[^/\\\0]+\/[^/\\\0]+$/);
      }
    }),
    { numRuns },
  );
});

test("a data file is read as it is, or refused with its name", TIMEOUT, () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.string({ unit: "binary", maxLength: 100 }).map((text) => new TextEncoder().encode(text)),
  );
  fc.assert(
    fc.property(bytes, (data) => {
      writeFileSync(join(folder, "texts", "data.md"), data);
      const page = { name: "A", content: { "hero.text": { file: "texts/data.md" } } };
      const { manifest, diagnostics } = expectSound(stringify({ landform: 1, name: "a", pages: { a: page } }));
      if (manifest === undefined) expect(renderText(diagnostics)).toContain("texts/data.md");
      else expect(JSON.stringify(inputsOf(manifest))).toContain(JSON.stringify(decoded(data)).slice(1, -1));
    }),
    { numRuns },
  );
});

const decoded = (data: Uint8Array): string => new TextDecoder("utf-8", { fatal: true }).decode(data);
