// @module-tag thorough
/** Compares the JSON Schema with the validator, on files that are wrong in one place. */
import { Ajv } from "ajv";
import fc from "fast-check";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { validate, type DiagnosticCode } from "../../manifest/index.ts";
import { manifestSchema } from "../../scripts/generate/schema.ts";
import { corpus, folderWith } from "./files.ts";

const ajv = new Ajv({ strict: false });
const accepts = ajv.compile(manifestSchema());
const documents = corpus("good").map(({ text }) => parse(text, { merge: true }) as unknown);

type Path = (string | number)[];

function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [path, ...entries.flatMap(([key, item]) => pathsIn(item, [...path, key]))];
}

function replaced(value: unknown, [step, ...rest]: Path, put: unknown): unknown {
  if (step === undefined) return put;
  const copy = structuredClone(value) as Record<string | number, unknown>;
  copy[step] = replaced(copy[step], rest, put);
  return copy;
}

function added(value: unknown, path: Path, key: string, put: unknown): unknown {
  const at = path.reduce<unknown>((here, step) => (here as Record<string | number, unknown>)[step], value);
  const isMap = typeof at === "object" && at !== null && !Array.isArray(at);
  return isMap ? replaced(value, path, { ...at, [key]: put }) : value;
}

const words = ["name", "project", "site", "page", "id", "file", "env", "literal", "publish", "steps", "x-y", "a b"];
const env = "NAME";
const leaf = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -1, 12.5, "", "text", "main", "spring", "offer", [], {}),
  fc.constantFrom<unknown>({ env }, { env, default: 1 }, { config: "key" }, { env: 1 }, { ref: "pages.offer.url" }),
  fc.constantFrom<unknown>({ id: "x" }, { lookup: { name: "x" } }, { lookup: {} }, { literal: { env: 1 } }, ["text"]),
);

const mutated = fc
  .record({
    document: fc.constantFrom(...documents),
    place: fc.nat(),
    put: leaf,
    key: fc.option(fc.constantFrom(...words)),
  })
  .map(({ document, place, put, key }) => {
    const paths = pathsIn(document);
    const path = paths[place % paths.length] ?? [];
    return key === null ? replaced(document, path, put) : added(document, path, key, put);
  });

/**
 * Errors that a schema of this kind can't tell: wrong references, and errors that take two properties. A literal of an input is any JSON for the
 * schema, also null.
 */
const BEYOND: readonly DiagnosticCode[] = [
  ...(["unknown-reference", "cycle", "conflict", "wrong-account", "file-unreadable"] as const),
  ...(["data", "each", "empty-value"] as const),
];

/**
 * Values that break a rule over several properties, a rule inside of free-form content, or a rule that is no pattern. A release of an entry whose
 * `each` has no rows has no pages.
 */
const BEYOND_VALUES =
  /[;:] a new project needs|\.adoptId takes text, and this is a map|: \{ \w+: \} can't be used|the page is attached to site|attaches a (?:blank page|copy) to a site only|already, so it can't have|a lookup is made before|targetUrl: the URL|has no publish, and releases|a name needs more than white space|, and is no id|browsers take out of a path|\.pages is empty, because there are no rows of/;

test("what the schema refuses is wrong; what it lets through is wrong only beyond its reach", () => {
  const folder = folderWith({});
  const verdicts = { both: 0, neither: 0 };
  fc.assert(
    fc.property(mutated, (value) => {
      writeFileSync(join(folder, "landform.yaml"), JSON.stringify(value));
      const { diagnostics } = validate("landform.yaml", { cwd: folder });
      if (!accepts(value)) {
        expect(diagnostics, ajv.errorsText(accepts.errors)).not.toEqual([]);
        verdicts.both++;
      } else {
        const within = diagnostics.filter(
          ({ code, message }) => !BEYOND.includes(code) && !(code === "invalid-value" && BEYOND_VALUES.test(message)),
        );
        expect(within.map(({ code, message }) => `${code}: ${message}`)).toEqual([]);
        verdicts.neither++;
      }
    }),
    { numRuns: 1500 },
  );
  expect(verdicts.both).toBeGreaterThan(250);
  expect(verdicts.neither).toBeGreaterThan(100);
});
