/** The files of a program that may hold its texts: code, and data beside it. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { extname, join } from "node:path";

export interface ProgramFile {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
  readonly kind: "code" | "json" | "plain";
  /** None of a plain file: all of it is text. */
  readonly literals: readonly Literal[];
}

const CODE = /^\.[cm]?[jt]s$/;
const PLAIN = new Set([".md", ".txt", ".html", ".csv", ".tsv", ".yaml", ".yml", ".xlf"]);
const LEFT_OUT =
  /^(?:package(?:-lock)?\.json|tsconfig.*\.json|Pulumi(?:\..+)?\.ya?ml|.*\.d\.[cm]?ts|.*\.(?:test|spec)\.[cm]?[jt]s|.*\.config\.[cm]?[jt]s)$/;
const NO_FOLDER = new Set(["node_modules", "dist", "build", "coverage"]);
const LARGEST_BYTES = 4 * 1024 * 1024;
const DEEPEST = 6;

export function programFiles(folder: string, depth = 0): ProgramFile[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.name.startsWith(".")) return [];
    if (entry.isDirectory()) return depth < DEEPEST && !NO_FOLDER.has(entry.name) ? programFiles(path, depth + 1) : [];
    const kind = entry.isFile() && !LEFT_OUT.test(entry.name) ? kindOf(extname(entry.name)) : undefined;
    if (kind === undefined || statSync(path).size > LARGEST_BYTES) return [];
    const text = readFileSync(path, "utf8");
    if (text.includes("\ufffd") || text.includes("\0")) return [];
    return [{ path, text, kind, literals: kind === "plain" ? [] : literalsIn(text) }];
  });
}

function kindOf(extension: string): ProgramFile["kind"] | undefined {
  if (CODE.test(extension)) return "code";
  return extension === ".json" ? "json" : PLAIN.has(extension) ? "plain" : undefined;
}

/** Whether the text can be read as what it is; undefined where it can't be told. */
export function isSound({ kind, path }: Pick<ProgramFile, "kind" | "path">, text: string): boolean {
  if (kind === "plain") return true;
  try {
    if (kind === "json") JSON.parse(text.replace(/^\ufeff/, ""));
    else quietly(() => stripTypeScriptTypes(text, { mode: "transform", sourceUrl: path }));
    return true;
  } catch {
    return false;
  }
}

/** Node warns that this function of its own may change (24, 2026-11). */
function quietly(work: () => unknown): void {
  const own = Object.getOwnPropertyDescriptor(process, "emitWarning") ?? {};
  process.emitWarning = () => undefined;
  try {
    work();
  } finally {
    Object.defineProperty(process, "emitWarning", own);
  }
}

/**
 * The texts in a program: its string literals and the fixed parts of its templates. A text that is parsed as JSON has the same literals. Pure.
 */
export interface Literal {
  /** Without its quotes. */
  readonly start: number;
  readonly end: number;
  readonly quote: Quote;
  readonly value: string;
  /** `import`: names a module. `key`: of an object. `name`: the first argument of a constructor, which names a resource. */
  readonly role: "value" | "import" | "key" | "name";
}

type Quote = '"' | "'" | "`";

export function literalsIn(text: string): Literal[] {
  return new Lexer(text).read();
}

/** Words and signs after which a slash begins a regular expression, and no division. */
const BEFORE_REGEX = new Set([
  "",
  ..."( , = : [ ! & | ? { } ; + - * % ^ ~ < >".split(" "),
  ..."return typeof case in of delete void throw new do else instanceof await yield".split(" "),
]);

class Lexer {
  readonly #text: string;
  readonly #found: Literal[] = [];
  /** Words and signs before the place, the last one last. */
  readonly #before: string[] = [];
  /** How deep the braces are within each template that is open. */
  readonly #templates: number[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): Literal[] {
    while (this.#at < this.#text.length) this.#next();
    return this.#found;
  }

  #next(): void {
    const text = this.#text;
    const sign = text[this.#at] ?? "";
    const rest = text.slice(this.#at, this.#at + 2);
    if (/\s/.test(sign)) this.#at++;
    else if (rest === "//") this.#at = endOf(text, /\r?\n|$/g, this.#at);
    else if (rest === "/*") this.#at = endOf(text, /\*\/|$/g, this.#at + 2);
    else if (sign === '"' || sign === "'") this.#literal(sign);
    else if (sign === "`") this.#literal("`");
    else if (sign === "}" && this.#templates.at(-1) === 0) {
      this.#templates.pop();
      this.#literal("`");
    } else if (sign === "/" && BEFORE_REGEX.has(this.#before.at(-1) ?? "")) this.#regex();
    else this.#word(sign);
  }

  #word(sign: string): void {
    const [word = sign] = /^[\p{L}\p{N}_$#@]+/u.exec(this.#text.slice(this.#at, this.#at + 200)) ?? [];
    const open = this.#templates.length - 1;
    if (open >= 0 && sign === "{") this.#templates[open] = (this.#templates[open] ?? 0) + 1;
    if (open >= 0 && sign === "}") this.#templates[open] = (this.#templates[open] ?? 0) - 1;
    this.#tell(word);
    this.#at += word.length;
  }

  #tell(token: string): void {
    this.#before.push(token);
    if (this.#before.length > 40) this.#before.splice(0, 20);
  }

  #regex(): void {
    const end = /^\/(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*/.exec(this.#text.slice(this.#at, this.#at + 5_000));
    this.#at += end?.[0].length ?? 1;
    this.#tell("regex");
  }

  #literal(quote: Quote): void {
    const role = this.#role();
    const start = this.#at + 1;
    let value = "";
    let at = start;
    for (;;) {
      const unit = this.#text[at];
      const ends = unit === undefined || unit === quote || (quote !== "`" && unit === "\n");
      if (ends || (quote === "`" && this.#text.startsWith("${", at))) break;
      const [length, meant] = meaningAt(this.#text, at, quote);
      value += meant;
      at += length;
    }
    const opens = this.#text.startsWith("${", at) && quote === "`";
    if (opens) this.#templates.push(0);
    this.#at = at + (opens ? 2 : 1);
    const isKey = role === "value" && this.#isKey();
    this.#found.push({ start, end: at, quote, value, role: isKey ? "key" : role });
    this.#tell(opens ? "{" : "text");
  }

  #role(): Literal["role"] {
    const [third, second, last] = this.#before.slice(-3);
    if (last === "from" || last === "import") return "import";
    if (last === "(" && (second === "require" || second === "import")) return "import";
    if (last === "[" && second !== undefined && /^[\w$\])]/.test(second) && !BEFORE_REGEX.has(second)) return "key";
    if (last !== "(" || third === undefined) return "value";
    // Back over the dots of what is called.
    let at = this.#before.length - 2;
    while (this.#before[at - 1] === "." || this.#before[at - 1] === "?") at -= 2;
    return this.#before[at - 1] === "new" ? "name" : "value";
  }

  #isKey(): boolean {
    const last = this.#before.at(-1);
    return (last === "{" || last === ",") && /^\s*:/.test(this.#text.slice(this.#at, this.#at + 50));
  }
}

function endOf(text: string, pattern: RegExp, from: number): number {
  pattern.lastIndex = from;
  const found = pattern.exec(text);
  return found ? found.index + Math.max(found[0].length, 0) : text.length;
}

/** What stands at the place: how long it is, and what it means. Line breaks of a template mean the same in every file. */
function meaningAt(text: string, at: number, quote: Quote): [length: number, meant: string] {
  const unit = text[at] ?? "";
  if (unit === "\\") return escapeAt(text, at);
  if (quote === "`" && unit === "\r") return [text[at + 1] === "\n" ? 2 : 1, "\n"];
  return [1, unit];
}

const SIMPLE: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", v: "\v", 0: "\0" };

/** The length of an escape, and what it means. */
function escapeAt(text: string, at: number): [length: number, meant: string] {
  const rest = text.slice(at + 1, at + 12);
  const code = /^(?:x([\da-f]{2})|u([\da-f]{4})|u\{([\da-f]{1,6})\})/i.exec(rest);
  if (code) {
    const point = Number.parseInt(code[1] ?? code[2] ?? code[3] ?? "0", 16);
    return [1 + code[0].length, point <= 0x10ffff ? String.fromCodePoint(point) : ""];
  }
  if (rest.startsWith("\r\n")) return [3, ""];
  const sign = rest[0] ?? "";
  if (/[\n\r\u2028\u2029]/.test(sign)) return [2, ""];
  return [2, SIMPLE[sign] ?? sign];
}

/** A text as it is written between such quotes. `json`: where JSON alone is read. */
export function quotedFor(text: string, quote: Quote, { json }: { json: boolean }): string {
  if (json) return JSON.stringify(text).slice(1, -1);
  const escaped = text.replaceAll("\\", "\\\\").replaceAll(quote, `\\${quote}`);
  // Beside its neighbours, too, a `$` before a `{` would begin code.
  const open = quote === "`" ? escaped.replace(/\$(?=\{|$)|^\{/g, String.raw`\$&`) : escaped.replaceAll("\n", "\\n");
  // eslint-disable-next-line no-control-regex -- these are what can't stand in a line of code
  return open.replaceAll("\r", "\\r").replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u2028\u2029]/g, (sign) => {
    return `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export function spliced(text: string, splices: readonly Splice[]): string {
  return [...splices]
    .sort((a, b) => b.start - a.start)
    .reduce((result, { start, end, text: now }) => result.slice(0, start) + now + result.slice(end), text);
}
