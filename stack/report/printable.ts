/** Texts of others, made fit for a terminal and a CI's log, in which nothing of them acts. Pure, and without imports, since each start reads it. */

/**
 * Without anything that a terminal or a text's direction obeys: controls become their pictures (␛), and the rest is
 * named. Line breaks stay; so do the joiners of emoji.
 */
export function printable(text: string): string {
  return text
    .toWellFormed()
    .replace(CONTROLS, (control) => (control === "\u007f" ? "␡" : String.fromCharCode(0x2400 + control.charCodeAt(0))))
    .replace(HIDDEN, (hidden) => named(hidden));
}

// eslint-disable-next-line no-control-regex -- that is what is looked for
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/g;
/** C1 controls, marks of direction, separators that break lines, and what takes no room at all. */
const HIDDEN =
  /[\u0080-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

export function named(character: string): string {
  return `⟦U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟧`;
}

/** The same for every text in a value, keys included. What is fit already is not copied: a report may be large. */
export function printableValue<T>(value: T): T {
  return mapped(value) as T;
}

function mapped(value: unknown): unknown {
  if (typeof value === "string") return printable(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const fit = value.map(mapped);
    return fit.every((item, index) => Object.is(item, value[index])) ? value : fit;
  }
  const entries = Object.entries(value).map(([key, item]) => [printable(key), mapped(item), key, item] as const);
  if (entries.every(([fitKey, fit, key, item]) => fitKey === key && Object.is(fit, item))) return value;
  return Object.fromEntries(entries.map(([fitKey, fit]) => [fitKey, fit]));
}

/**
 * Text for a log: runners of CI systems take `::name::` at the start of a line, behind blanks too, and `##[`, `##vso[` and
 * `##teamcity[` anywhere for commands. Colours of ours before it are no blanks to them, and are looked through all the same.
 */
export function withoutCommands(text: string): string {
  return text.replace(COMMAND_START, "$1∶∶").replace(/##(?=\[|vso\[|teamcity\[)/gi, "＃＃");
}

// eslint-disable-next-line no-control-regex -- the escape that colours begin with
const COMMAND_START = /^((?:[^\S\n]|\u001b\[[\d;]*m)*)::/gm;

/** Of what acts on a terminal, colours alone are left. */
export function shownText(text: string): string {
  const shown = text
    .split(COLOUR)
    .map((part, index) => (index % 2 === 1 ? part : printable(part)))
    .join("");
  return withoutCommands(shown);
}

// eslint-disable-next-line no-control-regex -- the escape that colours begin with
const COLOUR = /(\u001b\[[\d;]*m)/;

/** JSON, escaped where a terminal or a CI's runner would obey what is written: JSON itself leaves some controls as they are. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value, undefined, 2);
  return text
    .replace(OBEYED, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .replace(/##(?=\[|vso\[|teamcity\[)/gi, "#\\u0023");
}

const OBEYED = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
