/** Writes the same resources as a program: the classes of `landform` under the same keys, so that state can move between the two. */
import { createHash } from "node:crypto";
import { registry, type Kind } from "../../provider/kinds/registry.ts";
import { isLong, type TextFiles, unique } from "../write/files.ts";
import { addressOf, isPlainMap, Reference, Setting, settingsOf, tellingInputs } from "../match/model.ts";
import type { Model, Resource, Value } from "../match/model.ts";
import { comment, commentText, headComment, leftOutOnly, neverListed } from "../write/comments.ts";
import { sectionComment, sentence } from "../write/comments.ts";

const WIDTH = 100;
const MARK = "// landform export ";

/** Words that can't name a variable, and names that the program uses. */
const RESERVED = (
  "landform pulumi config text readFileSync break case catch class const continue debugger default delete do else enum export extends false " +
  "finally for function if import in instanceof new null return super switch this throw true try typeof var void while with " +
  "let static yield await async implements interface package private protected public arguments eval undefined process url"
).split(" ");

export function writeTypeScript(model: Model, texts: TextFiles): string {
  const body = new Program(model, texts).print();
  return `${MARK}${digest(body)}\n${body}`;
}

/** Tells if the program is ours and nobody has edited it. */
export function isUntouched(program: string): boolean {
  const text = program.replaceAll("\r\n", "\n");
  const [first = ""] = text.split("\n", 1);
  return first === `${MARK}${digest(text.slice(first.length + 1))}`;
}

/** Returns the keys of adopted objects in a program of ours. */
export function keysIn(program: string): Map<Kind, Map<string, string>> {
  const kinds = new Map(Object.entries(registry).map(([kind, { type }]) => [type, kind as Kind]));
  const keys = new Map<Kind, Map<string, string>>();
  for (const [, type = "", key = "", id = ""] of program.matchAll(
    /new landform\.(\w+)\("([\w-]+)", \{\s*adoptId: ("(?:[^"\\]|\\.)*")/g,
  )) {
    const kind = kinds.get(type);
    if (kind !== undefined)
      keys.set(kind, (keys.get(kind) ?? new Map<string, string>()).set(JSON.parse(id) as string, key));
  }
  return keys;
}

class Program {
  readonly #model: Model;
  readonly #texts: TextFiles;
  /** Names of the variables of referenced resources, by address. */
  readonly #variables = new Map<string, string>();

  constructor(model: Model, texts: TextFiles) {
    this.#model = model;
    this.#texts = texts;
    const taken = new Set(RESERVED.map((word) => word.toLowerCase()));
    const needed = new Set(model.resources.flatMap(({ inputs }) => [...referencesIn(inputs)]));
    for (const resource of model.resources) {
      const address = addressOf(resource);
      if (!needed.has(address)) continue;
      const plainName = camelCase(resource.key);
      const name = taken.has(plainName.toLowerCase()) ? plainName + sentence(resource.kind) : plainName;
      const free = unique(name, taken, (n) => `${name}${n}`);
      this.#variables.set(address, free);
    }
  }

  print(): string {
    const sections = (Object.keys(registry) as Kind[]).flatMap((kind) => this.#section(kind));
    const closing = comment([...leftOutOnly(this.#model), ...neverListed()], "// ");
    return [...this.#head(), ...sections, closing].join("\n\n") + "\n";
  }

  #head(): string[] {
    const usesFiles = this.#model.resources.some((resource) => hasLongText(resource));
    const usesSettings = settingsOf(this.#model).length > 0;
    const later = "A later export writes this file anew, as long as nobody has edited it: the number above tells.";
    const about = comment(headComment(this.#model, later), "// ");
    const imports = [
      ...(usesFiles ? ['import { readFileSync } from "node:fs";'] : []),
      ...(usesSettings ? ['import * as pulumi from "@pulumi/pulumi";'] : []),
      'import * as landform from "landform";',
    ];
    const helper =
      "/** A text in a file of its own. */\nfunction text(path: string): string {\n" +
      '  return readFileSync(new URL(path, import.meta.url), "utf8");\n}';
    const config = "const config = new pulumi.Config();";
    return [[about, ...imports].join("\n"), ...(usesFiles ? [helper] : []), ...(usesSettings ? [config] : [])];
  }

  #section(kind: Kind): string[] {
    const resources = this.#model.resources.filter((resource) => resource.kind === kind);
    if (resources.length === 0) return [];
    const about = comment(sectionComment(this.#model, kind), "// ");
    const [first = "", ...others] = resources.map((resource) => this.#resource(resource));
    return [about === "" ? first : `${about}\n${first}`, ...others];
  }

  #resource(resource: Resource): string {
    const { kind, key, id, name, notes } = resource;
    const variable = this.#variables.get(addressOf(resource));
    const fields: [string, string][] = [];
    if (id !== undefined) fields.push(["adoptId", JSON.stringify(id)]);
    if (registry[kind].named && name !== undefined && name !== key) fields.push(["name", literal(name)]);
    for (const [field, value] of tellingInputs(resource)) fields.push([field, this.#value(resource, field, value, 1)]);
    const lines = fields.flatMap(([field, text]) => [
      ...notes.filter((note) => note.field === field).map((note) => `// ${commentText(sentence(note.text))}`),
      `${field}: ${text},`,
    ]);
    const loose = notes.filter((note) => !fields.some(([field]) => field === note.field));
    lines.push(...loose.map(({ field, text }) => `// ${field === undefined ? "" : `${field}: `}${commentText(text)}`));
    const args = lines.length === 0 ? "{}" : `{\n${lines.map((line) => `  ${line}`).join("\n")}\n}`;
    return `${variable === undefined ? "" : `const ${variable} = `}new landform.${registry[kind].type}("${key}", ${args});`;
  }

  #value(resource: Resource, field: string, value: Value, depth: number): string {
    if (value instanceof Reference) return `${this.#variables.get(value.address) ?? ""}.id`;
    if (value instanceof Setting) return `config.require("${value.key}")`;
    if (typeof value === "string")
      return isLong(value) ? `text("${this.#texts.add(resource, field, value)}")` : literal(value);
    if (Array.isArray(value)) {
      const items = value.map((item) => this.#value(resource, field, item, depth + 1));
      return wrapped("[", items, "]", depth);
    }
    if (!isPlainMap(value)) return JSON.stringify(value);
    const entries = Object.entries(value).map(
      ([key, item]) => `${propertyName(key)}: ${this.#value(resource, key, item, depth + 1)}`,
    );
    return wrapped("{ ", entries, " }", depth, field === "content" && depth === 1);
  }
}

function wrapped(open: string, items: readonly string[], close: string, depth: number, always = false): string {
  const line = `${open}${items.join(", ")}${close}`;
  if (items.length === 0) return `${open}${close}`.replaceAll(" ", "");
  if (!always && line.length + depth * 2 <= WIDTH && !line.includes("\n")) return line;
  const indent = "  ".repeat(depth + 1);
  return `${open.trim()}\n${items.map((item) => `${indent}${item},\n`).join("")}${"  ".repeat(depth)}${close.trim()}`;
}

/** Characters that can't be seen, except the joiner inside of an emoji. */
const UNSEEN =
  /[\p{Cf}--\u200d]|[\u007f-\u009f\u2028\u2029]|(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d/gv;

/** Returns a text as a literal that hides nothing: it escapes characters that can't be seen. */
function literal(text: string): string {
  return JSON.stringify(text).replaceAll(UNSEEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

function propertyName(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : literal(key);
}

function* referencesIn(value: Value): Generator<string> {
  if (value instanceof Reference) yield value.address;
  else if (Array.isArray(value)) for (const item of value) yield* referencesIn(item);
  else if (isPlainMap(value)) for (const item of Object.values(value)) yield* referencesIn(item);
}

function hasLongText(resource: Resource): boolean {
  const long = (value: Value): boolean =>
    typeof value === "string" ? isLong(value) : isPlainMap(value) && Object.values(value).some(long);
  return tellingInputs(resource).some(([, value]) => long(value));
}

function camelCase(key: string): string {
  const name = key.replaceAll(/[^A-Za-z0-9]+(.)?/g, (_, next: string | undefined) => next?.toUpperCase() ?? "");
  return /^[A-Za-z]/.test(name) ? name : `_${name}`;
}

function digest(body: string): string {
  return createHash("sha256").update(body).digest("hex").slice(0, 16);
}

/** `landform`: the source of this package in the package.json. Node runs the program itself (type stripping), so nothing has to be compiled. */
export function programFiles(name: string, landform: string): Record<string, string> {
  const manifest = {
    name,
    private: true,
    type: "module",
    main: "index.ts",
    dependencies: { "@pulumi/pulumi": "^3.216.0", landform },
    devDependencies: { "@types/node": "^24.0.0", typescript: "^6.0.0" },
  };
  const compiler = {
    compilerOptions: {
      target: "es2024",
      module: "nodenext",
      types: ["node"],
      strict: true,
      skipLibCheck: true,
      erasableSyntaxOnly: true,
      noEmit: true,
    },
    include: ["*.ts"],
  };
  return {
    "package.json": json(manifest),
    "tsconfig.json": json(compiler),
    "Pulumi.yaml": `name: ${name}\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n`,
  };
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
