/**
 * Makes the JSON Schema of the `--json` report from its type in stack/report/json.ts. A new field is in the schema after the next `npm run generate`.
 * Draft 7, as for landform.yaml. Objects may have further fields: a later version adds some.
 */
import { fileURLToPath } from "node:url";
import ts from "typescript";

type Schema = Record<string, unknown>;

const FILE = fileURLToPath(new URL("../../stack/report/json.ts", import.meta.url));
const CONFIG = fileURLToPath(new URL("../../tsconfig.json", import.meta.url));

export function reportSchemaSource(): string {
  const { config } = ts.readConfigFile(CONFIG, (path) => ts.sys.readFile(path)) as {
    config: { compilerOptions: object };
  };
  const { options } = ts.convertCompilerOptionsFromJson(
    config.compilerOptions,
    fileURLToPath(new URL("../..", import.meta.url)),
  );
  const program = ts.createProgram([FILE], options);
  const source = program.getSourceFile(FILE);
  const declared = source?.statements.find((one) => ts.isInterfaceDeclaration(one) && one.name.text === "JsonReport");
  if (!declared) throw new Error(`${FILE} has no JsonReport`);
  const walk = new Walk(program.getTypeChecker(), declared);
  const { checker } = walk;
  return JSON.stringify(
    {
      $schema: "http://json-schema.org/draft-07/schema#",
      title: "Landform's report",
      description:
        "What --json writes: of preview, up, refresh, drift, destroy and undo, also where they failed; and of other commands where they failed. (output prints nothing then: its JSON is the program's own.)",
      ...walk.schemaOf(checker.getTypeAtLocation(declared)),
    },
    null,
    2,
  );
}

class Walk {
  readonly checker: ts.TypeChecker;
  readonly #at: ts.Node;

  constructor(checker: ts.TypeChecker, at: ts.Node) {
    this.checker = checker;
    this.#at = at;
  }

  schemaOf(type: ts.Type): Schema {
    if (type.isUnion()) return this.#union(type);
    if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value };
    if (type.flags & ts.TypeFlags.BooleanLiteral) return { const: this.checker.typeToString(type) === "true" };
    const primitive = PRIMITIVES.find(([flag]) => type.flags & flag);
    if (primitive) return { type: primitive[1] };
    if (this.checker.isArrayType(type)) {
      const [element] = this.checker.getTypeArguments(type as ts.TypeReference);
      return { type: "array", items: element ? this.schemaOf(element) : {} };
    }
    return type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection) ? this.#object(type) : {};
  }

  #union(type: ts.UnionType): Schema {
    const types = type.types.filter(({ flags }) => !(flags & ts.TypeFlags.Undefined));
    const [only, other] = types;
    if (only && !other) return this.schemaOf(only);
    // Values of the service or of the program may be any JSON.
    if (types.some(({ flags }) => flags & ts.TypeFlags.Null)) return {};
    if (types.every((one) => one.isStringLiteral())) return { enum: types.map((one) => one.value) };
    if (types.every(({ flags }) => flags & ts.TypeFlags.BooleanLiteral)) return { type: "boolean" };
    return { anyOf: types.map((one) => this.schemaOf(one)) };
  }

  #object(type: ts.Type): Schema {
    const values = type.getStringIndexType();
    if (values) return { type: "object", additionalProperties: this.schemaOf(values) };
    const fields = this.checker.getPropertiesOfType(type);
    const required = fields.filter(({ flags }) => !(flags & ts.SymbolFlags.Optional)).map(({ name }) => name);
    return { type: "object", required, properties: Object.fromEntries(fields.map((field) => this.#field(field))) };
  }

  #field(field: ts.Symbol): [string, Schema] {
    const schema = this.schemaOf(this.checker.getTypeOfSymbolAtLocation(field, this.#at));
    const about = ts.displayPartsToString(field.getDocumentationComment(this.checker));
    return [field.name, about === "" ? schema : { description: about, ...schema }];
  }
}

const PRIMITIVES: readonly [ts.TypeFlags, string][] = [
  [ts.TypeFlags.String, "string"],
  [ts.TypeFlags.Number, "number"],
  [ts.TypeFlags.Boolean, "boolean"],
];
