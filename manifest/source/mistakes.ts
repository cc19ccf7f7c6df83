/**
 * Guesses the mistake behind a YAML error: a line that is a column off, or a text without its quotes. The parser's own messages are many, and the
 * first is often about another line. Only a faulty text is searched.
 */
import { lineStart, type Place, type SourceFile } from "./file.ts";

interface Misplaced {
  readonly place: Place;
  readonly message: string;
  readonly hint: string;
}

const KEY = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s#'"[\]{},&*!|>%@`-][^\n]*?|-[^\s][^\n]*?)\s*:(?=\s|$)/;
const BLOCK_TEXT = /(?:^|[:\s])[|>][-+\d]*\s*(?:#.*)?$/;
/** Matches a colon that only an anchor or a comment follows: the value comes on the next lines. */
const OPEN = /:\s*(?:&\S+\s*)?(?:#.*)?$/;

export function misindented(file: SourceFile): Misplaced | undefined {
  return new Walk(file).find();
}

class Walk {
  readonly #file: SourceFile;
  /** Columns of the open maps and lists, the outermost first. */
  readonly #open: number[] = [];
  /** True if the line above begins a value that is still to come. */
  #begins = true;
  /** Lines deeper than this column are part of a text. */
  #textBelow: number | undefined;
  /** The indentation of the text's first line. No other line may have less. */
  #textColumn: number | undefined;
  #brackets = 0;

  constructor(file: SourceFile) {
    this.#file = file;
  }

  find(): Misplaced | undefined {
    let start = 0;
    for (const [index, raw] of this.#file.text.split("\n").entries()) {
      const line = raw.replace(/\r$/, "");
      const found = this.#line(line, index + 1, start);
      if (found) return found;
      start += raw.length + 1;
    }
    return undefined;
  }

  #line(line: string, number: number, start: number): Misplaced | undefined {
    const indent = /^ */.exec(line)?.[0].length ?? 0;
    const rest = line.slice(indent);
    if (rest.trim() === "" || rest.startsWith("#") || /^(---|\.\.\.|%)/.test(line)) return undefined;
    const place = { file: this.#file, start: start + indent, end: start + line.length };
    if (this.#textBelow !== undefined && indent > this.#textBelow) return this.#textLine(indent, number, place);
    this.#textBelow = undefined;
    this.#textColumn = undefined;
    if (this.#brackets > 0) {
      this.#bracketed(rest);
      return undefined;
    }
    if (rest.startsWith("\t")) return this.#tab(place, start, indent);
    return this.#content(rest, indent, number, place);
  }

  #textLine(indent: number, number: number, place: Place): Misplaced | undefined {
    this.#textColumn ??= indent;
    return indent < this.#textColumn ? off(place, number, indent, this.#textColumn) : undefined;
  }

  #content(rest: string, column: number, number: number, place: Place): Misplaced | undefined {
    const dash = /^-(?:\s+|$)/.exec(rest)?.[0];
    // A further line of a text without quotes begins nothing.
    if (dash === undefined && !KEY.test(rest)) return this.#ended(rest, column - 1, false);
    const siblings = this.#align(column);
    if (siblings !== undefined) return off(place, number, column, siblings);
    if (dash === undefined) return this.#ended(rest, column);
    this.#begins = true;
    const inner = rest.slice(dash.length);
    if (inner === "" || inner.startsWith("#")) return undefined;
    if (/^-\s/.test(inner) || KEY.test(inner)) return this.#content(inner, column + dash.length, number, place);
    return this.#ended(inner, column);
  }

  /** Returns the column of the siblings that a line misses; undefined if the line fits. */
  #align(column: number): number | undefined {
    let left: number | undefined;
    while ((this.#open.at(-1) ?? -1) > column) left = this.#open.pop();
    const top = this.#open.at(-1);
    if (top === column) return undefined;
    if (left !== undefined || !this.#begins) return left ?? top;
    this.#open.push(column);
    return undefined;
  }

  #ended(rest: string, column: number, begins = OPEN.test(rest)): Misplaced | undefined {
    this.#begins = begins;
    if (BLOCK_TEXT.test(rest)) this.#textBelow = column;
    this.#bracketed(rest);
    return undefined;
  }

  #bracketed(rest: string): void {
    const bare = rest.replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|(?:^|\s)#.*$/g, "");
    for (const sign of /^[[{]|[:,[{-]\s*[[{]/.test(bare) || this.#brackets > 0 ? bare : "") {
      if (sign === "[" || sign === "{") this.#brackets++;
      if (sign === "]" || sign === "}") this.#brackets = Math.max(0, this.#brackets - 1);
    }
  }

  #tab(place: Place, start: number, indent: number): Misplaced {
    const tab = { ...place, start: start + indent, end: start + indent + 1 };
    const hint = `Use spaces: the lines around it are indented by ${this.#open.at(-1) ?? 0}.`;
    return { place: tab, message: "a tab can't indent YAML", hint };
  }
}

function off(place: Place, line: number, indent: number, siblings: number): Misplaced {
  const message = `line ${line} is indented by ${indent}, its siblings by ${siblings}`;
  return { place, message, hint: "Lines that belong together begin at the same column." };
}

/** Matches the value behind `key: ` or `- ` on a line. */
const VALUE = /^\s*(?:-\s+)*(?:(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s#'"[\]{},&*!|>%@`:][^:]*?)\s*:\s+)(\S.*?)\s*$/;
/** Match text behind a closing sign. */
const GOES_ON = [/^\{[^{}]*\}\s*[^\s},]/, /^\{\{[^{}]*\}\}\s*[^\s},]/, /^\[[^[\]]*\]\s*[^\s\],]/];
const SIGN = /^[*&!'"@`%|>]|^- /;
const LONGEST = 80;
const COLON = /:(?:\s|$)/;

export function unquotedHint(file: SourceFile, at: number): string | undefined {
  const line = lineAt(file, at);
  const [, value] = VALUE.exec(line) ?? [];
  if (value === undefined) return COLON.test(line) || line.trim().startsWith("-") ? undefined : CONTINUED;
  if (value.startsWith("{") || value.startsWith("["))
    return GOES_ON.some((form) => form.test(value)) ? quoting(value) : IN_BRACKETS;
  return SIGN.test(value) ? quoting(value) : undefined;
}

const CONTINUED =
  "Indent each further line of a text deeper than its key. Or write a text of several lines behind >- or |, with each line indented.";
const IN_BRACKETS =
  "Put a text in quotes that begins with a bracket, a brace or one of * & ! ' \" @ ` %, or that holds a comma.";

function quoting(value: string): string {
  const [, , inner] = /^(['"])(.+)\1$/.exec(value) ?? [];
  if (inner !== undefined && value.length <= LONGEST)
    return `The text ends at the quote within it. Write ${quoted(inner)}.`;
  if (value.length > LONGEST) return "Put the whole text in quotes.";
  return `Put the whole text in quotes: ${quoted(value)}.`;
}

function quoted(text: string): string {
  return /["\\]/.test(text) ? `'${text.replaceAll("'", "''")}'` : `"${text}"`;
}

/** Returns the line of an offset, or the most that is looked at. */
export function lineAt({ text }: SourceFile, at: number): string {
  const start = lineStart(text, at);
  const [line = ""] = text.slice(start, start + 1_000).split(/\r?\n/);
  return line;
}
