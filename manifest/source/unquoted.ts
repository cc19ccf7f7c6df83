/** A text that YAML takes for something else, by the sign that it begins with or by a line of it: what to write instead. */
import type { SourceFile } from "./file.ts";

/** What stands behind `key: ` or `- ` on a line. */
const VALUE = /^\s*(?:-\s+)*(?:(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s#'"[\]{},&*!|>%@`:][^:]*?)\s*:\s+)(\S.*?)\s*$/;
/** Behind what closes there is more. */
const GOES_ON = [/^\{[^{}]*\}\s*[^\s},]/, /^\{\{[^{}]*\}\}\s*[^\s},]/, /^\[[^[\]]*\]\s*[^\s\],]/];
const SIGN = /^[*&!'"@`%|>]|^- /;
const LONGEST = 80;
const KEY = /:(?:\s|$)/;

/** Undefined where it looks like another mistake. */
export function unquotedHint(file: SourceFile, at: number): string | undefined {
  const line = lineAt(file, at);
  const [, value] = VALUE.exec(line) ?? [];
  if (value === undefined) return KEY.test(line) || line.trim().startsWith("-") ? undefined : CONTINUED;
  if (value.startsWith("{") || value.startsWith("["))
    return GOES_ON.some((form) => form.test(value)) ? quoting(value) : IN_BRACKETS;
  return SIGN.test(value) ? quoting(value) : undefined;
}

const CONTINUED =
  "Each further line of a text is indented deeper than its key. A text of several lines is surest behind >- or |, each line of it indented.";
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

function lineAt({ text }: SourceFile, at: number): string {
  const start = text.lastIndexOf("\n", at - 1) + 1;
  const [line = ""] = text.slice(start, start + 1_000).split(/\r?\n/);
  return line;
}
