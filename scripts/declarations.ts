/**
 * Writes the package's types: a declaration file per entry, which imports nothing but Node and Pulumi. `tsc` writes a declaration per module to
 * .cache/types, and this script joins them. It writes out types inferred from zod schemas, because the tsconfigs of many programs don't accept zod's
 * own declarations. The plugin is pinned to 0.26: later ones need a parser for each machine, which npm ci can't install here (0.30, 2026-11-26).
 */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { rolldown, type Plugin } from "rolldown";
import { dts } from "rolldown-plugin-dts";
import ts from "typescript";
import manifest from "../package.json" with { type: "json" };

const ROOT = join(import.meta.dirname, "..");
const EMITTED = join(ROOT, ".cache/types");
const DIST = join(ROOT, "dist");

const entries = Object.values(manifest.exports)
  .flatMap((entry) => (typeof entry !== "string" && "types" in entry ? [entry.types] : []))
  .map((path) => relative("dist", path).replace(/\.d\.ts$/, ""));

const program = ts.createProgram(
  entries.map((entry) => join(EMITTED, `${entry}.d.ts`)),
  {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    skipLibCheck: true,
    strict: true,
    exactOptionalPropertyTypes: true,
  },
);
const checker = program.getTypeChecker();

/** Writes out types inferred from schemas. Programs don't import the schemas themselves. */
const WITHOUT_SCHEMAS: Plugin = {
  name: "without-schemas",
  transform: {
    order: "pre",
    handler(code, id) {
      const source = program.getSourceFile(id);
      if (source === undefined || !id.startsWith(EMITTED)) return null;
      let text = code;
      for (const statement of source.statements.toReversed()) {
        const written = withoutSchema(statement, source);
        if (written === undefined) continue;
        text = text.slice(0, statement.getStart(source)) + written + text.slice(statement.end);
      }
      return text === code ? null : { code: text, map: null };
    },
  },
};

function withoutSchema(statement: ts.Statement, source: ts.SourceFile): string | undefined {
  if (ts.isVariableStatement(statement) && /:\s*z\.Zod/.test(statement.getText(source))) return "";
  if (!ts.isTypeAliasDeclaration(statement) || !/\bz\.(infer|output)</.test(statement.type.getText(source)))
    return undefined;
  const { NoTruncation, InTypeAlias, MultilineObjectLiterals } = ts.TypeFormatFlags;
  const printer: ts.TypeFormatFlags = NoTruncation | InTypeAlias | MultilineObjectLiterals;
  const type = checker.typeToString(checker.getTypeAtLocation(statement.name), statement, printer);
  return `export type ${statement.name.text} = ${type};`;
}

const bundle = await rolldown({
  checks: { pluginTimings: false },
  input: Object.fromEntries(entries.map((entry) => [entry, join(EMITTED, `${entry}.d.ts`)])),
  plugins: [WITHOUT_SCHEMAS, dts({ dtsInput: true, emitDtsOnly: true, tsconfig: false })],
  external: /^(node:|@pulumi\/|@grpc\/|google-protobuf|zod|yaml)/,
});
const { output } = await bundle.write({ dir: DIST, chunkFileNames: "types/[name].js" });
await bundle.close();

const written = new Set(output.map(({ fileName }) => join(DIST, fileName)));
for (const name of readdirSync(DIST, { recursive: true, encoding: "utf8" }))
  if (name.endsWith(".d.ts") && !written.has(join(DIST, name))) rmSync(join(DIST, name));

for (const file of written) {
  const foreign = [...readFileSync(file, "utf8").matchAll(/from "([^".][^"]*)"/g)].map(([, name = ""]) => name);
  const refused = foreign.filter((name) => !/^(node:|@pulumi\/pulumi)/.test(name));
  if (refused.length > 0)
    throw new Error(`${relative(ROOT, file)} imports ${refused.join(", ")}: a program can't be asked to check that`);
}
