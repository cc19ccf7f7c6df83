/** Each file of the corpus names its errors and their places. The JSON Schema has to agree. */
import { Ajv } from "ajv";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { renderText, validate } from "../../manifest/index.ts";
import { manifestSchema } from "../../scripts/generate/schema.ts";
import { corpus, repository } from "./files.ts";

const ajv = new Ajv({ strict: true, strictTypes: false, strictRequired: false, keywords: ["markdownDescription"] });
const accepts = ajv.compile(manifestSchema());

function schemaVerdict(text: string): "accepts" | "refuses" | "unreadable" {
  let value: unknown;
  try {
    value = parse(text, { merge: true, logLevel: "error" });
  } catch {
    return "unreadable";
  }
  return accepts(value) ? "accepts" : "refuses";
}

describe("good files", () => {
  test.each(corpus("good"))("$name", ({ path, folder, text }) => {
    const { diagnostics, manifest } = validate(path, { cwd: folder });
    expect(renderText(diagnostics)).toBe("");
    expect(manifest).toBeDefined();
    expect(schemaVerdict(text), JSON.stringify(accepts.errors)).toBe("accepts");
  });
});

describe("bad files", () => {
  test.each(corpus("bad"))("$name", ({ path, folder, name, text, expected, schema }) => {
    const { diagnostics, manifest } = validate(path, { cwd: folder });
    expect(manifest).toBeUndefined();
    const placeOf = ({ file, line }: { file: string; line: number }) =>
      file === name ? `@${line}` : `${file}:${line}`;
    expect(diagnostics.map((one) => `${one.code} ${placeOf(one)}`)).toEqual(expected);
    const verdict = { silent: "accepts", unreadable: "unreadable" }[schema ?? ""] ?? "refuses";
    expect(schemaVerdict(text)).toBe(verdict);
    for (const { file, column, message, excerpt } of diagnostics) {
      if (!file.startsWith("data/")) expect(file).toBe(name);
      expect(column).toBeGreaterThan(0);
      expect(message, "it shows no trace of a program").not.toMatch(/undefined|\[object|NaN|Error:/);
      if (!["nothing.yaml", "data-empty.yaml"].includes(name)) expect(excerpt).toContain("^");
    }
  });
});

test("the examples are good, for us and for the schema", () => {
  for (const path of globSync("examples/**/landform.yaml", { cwd: repository })) {
    const { diagnostics } = validate(path, { cwd: repository });
    expect(renderText(diagnostics), path).toBe("");
    expect(schemaVerdict(readFileSync(join(repository, path), "utf8")), path).toBe("accepts");
  }
});
