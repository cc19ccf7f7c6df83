/** Texts of others in Markdown: nothing in them becomes a picture, a link, a mention, a tag or a table's bar. Pure. */

/** Takes no room, and parts what a code host would make a link or a mention of. */
const APART = "\u200b";

/**
 * As text that stays text. Signs are written as entities, which are no marks of Markdown, and are read the same inside of
 * HTML. Line breaks stay.
 */
export function inert(text: string): string {
  return text
    .replaceAll("@", `@${APART}`)
    .replace(/#(?=\w)/g, `#${APART}`)
    .replace(/:(?=\/\/)/g, `:${APART}`)
    .replace(/\b(www|GH)(?=[.-])/gi, `$1${APART}`)
    .replace(/^(\s*)([#+=-]|\d+[.)])/gm, (_, blanks: string, mark: string) => `${blanks}${APART}${mark}`)
    .replace(/[&<>"'*_`[\]|~\\!^]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** The same on one line, as a table's cell and a title need it. */
export function inertLine(text: string): string {
  return inert(text.replaceAll("\n", " "));
}

/** As it is, within a line of code. */
export function code(text: string): string {
  const line = text.replaceAll("\n", "⏎").replaceAll("|", "\\|");
  const fence = fenceOf(line, 1);
  const pad = /^`|`$|^ .* $/.test(line) ? " " : "";
  return line === "" ? "" : `${fence}${pad}${line}${pad}${fence}`;
}

/** Lines as they are, as a block of code. */
export function fenced(lines: readonly string[]): string {
  const text = lines.map((line) => line.replaceAll("\n", "⏎")).join("\n");
  const fence = fenceOf(text, 3);
  return `${fence}\n${text}\n${fence}`;
}

function fenceOf(text: string, shortest: number): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  return "`".repeat(Math.max(shortest, longest + 1));
}

/** The address of a page, which is there to be opened; anything else is told as it is. */
export function linked(address: string): string {
  return ADDRESS.test(address) ? address : code(address);
}

const ADDRESS = /^https?:\/\/[\w.-]+(:\d+)?(\/[\w~%/.-]*)?$/;
