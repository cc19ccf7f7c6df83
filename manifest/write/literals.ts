/** Finds the texts in code: its string literals and the fixed parts of its templates. Puts other texts in their place. Pure. */
import { stripTypeScriptTypes } from "node:module";

export interface Literal {
  /** The start behind the opening quote. */
  readonly start: number;
  readonly end: number;
  readonly quote: Quote;
  readonly value: string;
  /** `import`: the name of a module. `key`: the key of an object. `name`: the first argument of a constructor, which names a resource. */
  readonly role: "value" | "import" | "key" | "name";
}

type Quote = '"' | "'" | "`";

export function literalsIn(text: string): Literal[] {
  return new Lexer(text).read();
}

/** Words and signs before a slash that begins a regular expression and no division. */
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
  /** The depth of braces within each open template. */
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
    // Go back over the dots of the called name.
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

/** Returns the length and the meaning of the character at a place. Line breaks of a template mean the same in every file. */
function meaningAt(text: string, at: number, quote: Quote): [length: number, meant: string] {
  const unit = text[at] ?? "";
  if (unit === "\\") return escapeAt(text, at);
  if (quote === "`" && unit === "\r") return [text[at + 1] === "\n" ? 2 : 1, "\n"];
  return [1, unit];
}

const SIMPLE: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", v: "\v", 0: "\0" };

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

/** Returns a text as it is written between these quotes. */
export function quotedFor(text: string, quote: Quote): string {
  const escaped = text.replaceAll("\\", "\\\\").replaceAll(quote, `\\${quote}`);
  // A `$` before a `{` would begin code, also if one of them belongs to a neighbour.
  const open = quote === "`" ? escaped.replace(/\$(?=\{|$)|^\{/g, String.raw`\$&`) : escaped.replaceAll("\n", "\\n");
  // eslint-disable-next-line no-control-regex -- these are what can't stand in a line of code
  return open.replaceAll("\r", "\\r").replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u2028\u2029]/g, (sign) => {
    return `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/** Tells if Node can read it as code. */
export function isSoundCode(text: string, path: string): boolean {
  try {
    quietly(() => stripTypeScriptTypes(text, { mode: "transform", sourceUrl: path }));
    return true;
  } catch {
    return false;
  }
}

/** Node warns that this function may change (24, 2026-11). */
function quietly(work: () => unknown): void {
  const own = Object.getOwnPropertyDescriptor(process, "emitWarning") ?? {};
  process.emitWarning = () => undefined;
  try {
    work();
  } finally {
    Object.defineProperty(process, "emitWarning", own);
  }
}
