/** Each file of the corpus names its errors and their places. The JSON Schema has to agree. */
import { Ajv } from "ajv";
import { readFileSync } from "node:fs";
import { globSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { renderText, validate } from "../../manifest/index.ts";
import { manifestSchema } from "../../scripts/generate/schema.ts";
import { corpus, repository, type CorpusFile } from "./files.ts";

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
  test.each(corpus("bad"))("$name", (file) => {
    expect(found(file)).toEqual(file.expected);
    const verdict = { silent: "accepts", unreadable: "unreadable" }[file.schema ?? ""] ?? "refuses";
    expect(schemaVerdict(file.text)).toBe(verdict);
  });

  test("every message has its place, its excerpt and no trace of a program", () => {
    for (const { path, folder, name } of corpus("bad")) {
      for (const diagnostic of validate(path, { cwd: folder }).diagnostics) {
        if (!diagnostic.file.startsWith("data/")) expect(diagnostic.file).toBe(name);
        expect(diagnostic.column).toBeGreaterThan(0);
        expect(diagnostic.message).not.toMatch(/undefined|\[object|NaN|Error:/);
        if (!["nothing.yaml", "data-empty.yaml"].includes(name)) expect(diagnostic.excerpt).toContain("^");
      }
    }
  });
});

function found({ path, folder, name }: CorpusFile): string[] {
  const { diagnostics, manifest } = validate(path, { cwd: folder });
  expect(manifest).toBeUndefined();
  return diagnostics.map(({ code, file, line }) => (file === name ? `${code} @${line}` : `${code} ${file}:${line}`));
}

test("the examples are good, for us and for the schema", () => {
  for (const path of globSync("examples/**/landform.yaml", { cwd: repository })) {
    const { diagnostics } = validate(path, { cwd: repository });
    expect(renderText(diagnostics), path).toBe("");
    expect(schemaVerdict(readFileSync(join(repository, path), "utf8")), path).toBe("accepts");
  }
});
