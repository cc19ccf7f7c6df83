/** Lookups have types instead of schemas, so the compiler's knowledge of them makes the page. */
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { lookupsSource } from "../lookups.ts";
import { code, item, page } from "./markdown.ts";

const INTRODUCTION = `# Lookups

Lookups read the account and change nothing. Each is a function that returns a promise. Each has a twin, such as \`getSiteOutput\`, that
takes outputs and returns an output. A list has all objects that pass its filters, or the first \`limit\`. To read another account, pass
\`{ account: { baseUrl, apiKeyEnv } }\` as the last argument. A lookup by name fails if no object or several objects have exactly that
name. The error has the nearest name or the ids.

\`\`\`ts
import * as landform from "landform";

const site = await landform.getSite({ name: "mugs.example" });
const drafts = await landform.listPages({ siteId: site.id, published: false });
\`\`\``;

const FILE = fileURLToPath(new URL("../../../provider/lookups/index.ts", import.meta.url));
const KINDS = fileURLToPath(new URL("../../../provider/lookups/kinds.ts", import.meta.url));
const CONFIG = fileURLToPath(new URL("../../../tsconfig.json", import.meta.url));

export function lookupsPage(): string {
  const { options } = ts.parseJsonConfigFileContent({ extends: CONFIG, files: [FILE] }, ts.sys, ".");
  const program = ts.createProgram([FILE], options, hostWith(KINDS, lookupsSource(), options));
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(FILE);
  const module = source && checker.getSymbolAtLocation(source);
  if (!module) throw new Error(`${FILE} can't be read`);
  const exported = checker.getExportsOfModule(module);
  const lookups = exported.filter(({ name }) => /^(get|list)/.test(name)).map((symbol) => original(symbol, checker));
  const results = new Map<string, string>();
  return page(INTRODUCTION, ...lookups.map((symbol) => section(symbol, checker, results)));
}

/** The file that is about to be generated counts as written. */
function hostWith(path: string, text: string, options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (name, ...rest) =>
    name === path ? ts.createSourceFile(name, text, ts.ScriptTarget.ES2024, true) : read(name, ...rest);
  return host;
}

function original(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol {
  return (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol);
}

/** The sentence that the introduction says once. */
const USUAL = /^All \w+, or (those that the filter lets through|the first `limit`)\. ?/;

/** `results` has the fields of the objects that earlier sections list, and the names of these sections. */
function section(symbol: ts.Symbol, checker: ts.TypeChecker, results: Map<string, string>): string {
  const [signature] = checker.getTypeOfSymbol(symbol).getCallSignatures();
  if (!signature) throw new Error(`${symbol.name} is no function`);
  const parts = [
    `## ${symbol.name}`,
    ts.displayPartsToString(symbol.getDocumentationComment(checker)).replace(USUAL, ""),
  ];
  const [, args] = signature.getParameters();
  if (args) parts.push(argumentTable(checker.getNonNullableType(checker.getTypeOfSymbol(args)), checker));
  const { text, fields } = resultText(signature.getReturnType(), checker, results);
  if (fields !== "" && !results.has(fields)) results.set(fields, symbol.name);
  parts.push(text);
  return parts.filter((part) => part !== "").join("\n\n");
}

function argumentTable(type: ts.Type, checker: ts.TypeChecker): string {
  const alternatives = type.isUnion() ? type.types : [type];
  const found = new Map<string, ts.Symbol>();
  for (const one of alternatives) {
    for (const property of checker.getPropertiesOfType(one)) {
      if (!isNothing(checker.getTypeOfSymbol(property))) found.set(property.name, property);
    }
  }
  const names = [...found.keys()].filter((name) => name !== "limit");
  // Every type of a union has one of the names, and they mean the same thing.
  if (type.isUnion() && names.length > 1) return `- ${names.map((name) => `**${code(name)}**`).join(" or ")}`;
  return names
    .flatMap((name) => {
      const property = found.get(name);
      if (property === undefined) return [];
      const shown = typeText(checker.getNonNullableType(checker.getTypeOfSymbol(property)), checker);
      const isOptional = (property.flags & ts.SymbolFlags.Optional) !== 0;
      const facts = [shown, isOptional ? "" : "required"];
      return item(name, facts, ts.displayPartsToString(property.getDocumentationComment(checker)));
    })
    .join("\n");
}

function isNothing(type: ts.Type): boolean {
  return (type.flags & ts.TypeFlags.Undefined) !== 0;
}

function resultText(
  type: ts.Type,
  checker: ts.TypeChecker,
  results: ReadonlyMap<string, string>,
): { text: string; fields: string } {
  const result = checker.getAwaitedType(type) ?? type;
  const element = checker.isArrayType(result) ? checker.getIndexTypeOfType(result, ts.IndexKind.Number) : undefined;
  const shown = element ?? result;
  const names = inOrder(checker.getPropertiesOfType(shown).map(({ name }) => name)).map(code);
  const fields = names.join(", ");
  if (names.length === 0) return { text: `Result: ${typeText(result, checker)}.`, fields };
  const earlier = element && results.get(fields);
  if (earlier !== undefined) return { text: `A list; each object has the fields of \`${earlier}\`.`, fields };
  return { text: `${element ? "A list; each object has" : "An object with"} ${fields}.`, fields };
}

/** The compiler's own order depends on the other types that it has seen. */
function inOrder(names: readonly string[]): string[] {
  const first = ["id", "name"].filter((name) => names.includes(name));
  return [...first, ...names.filter((name) => !first.includes(name)).sort()];
}

function typeText(type: ts.Type, checker: ts.TypeChecker): string {
  return code(checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation).replaceAll('"', "'"));
}
