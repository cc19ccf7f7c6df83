/** Makes texts of others safe for a terminal and a CI's log. Pure, and without imports, because each start reads it. */

/** Controls become their pictures (␛), and other signs that a terminal obeys are named. Line breaks and the joiners of emoji stay. */
export function printable(text: string): string {
  return text
    .toWellFormed()
    .replace(CONTROLS, (control) => (control === "\u007f" ? "␡" : String.fromCharCode(0x2400 + control.charCodeAt(0))))
    .replace(HIDDEN, (hidden) => named(hidden));
}

// eslint-disable-next-line no-control-regex -- that is what is looked for
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/g;
/** C1 controls, marks of direction, separators that break lines, and characters without width. */
const HIDDEN =
  /[\u0080-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

export function named(character: string): string {
  return `⟦U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟧`;
}

export function printableValue<T>(value: T): T {
  return mapTexts(value, printable);
}

/** Maps every text in a JSON value, with its keys, but for those that `open` names. It copies nothing that stays: a report may be large. */
export function mapTexts<T>(value: T, of: (text: string) => string, open?: (value: object) => ReadonlySet<string>): T {
  return mapped(value) as T;

  function mapped(here: unknown): unknown {
    if (typeof here === "string") return of(here);
    if (typeof here !== "object" || here === null) return here;
    if (Array.isArray(here)) {
      const fit = here.map(mapped);
      return fit.every((item, index) => Object.is(item, here[index])) ? here : fit;
    }
    const stays = open?.(here);
    const entries = Object.entries(here).map(([key, item]) =>
      stays?.has(key) === true ? ([key, key, item, item] as const) : ([key, of(key), item, mapped(item)] as const),
    );
    if (entries.every(([key, fitKey, item, fit]) => fitKey === key && Object.is(fit, item))) return here;
    return Object.fromEntries(entries.map(([, fitKey, , fit]) => [fitKey, fit]));
  }
}

/**
 * Makes text safe for a log. Runners of CI systems take `::name::` at the start of a line, even after blanks, and `##[`, `##vso[` and
 * `##teamcity[` anywhere for commands. Colours before `::` are looked through as well, though runners don't treat them as blanks.
 */
export function withoutCommands(text: string): string {
  return text.replace(COMMAND_START, "$1∶∶").replace(/##(?=\[|vso\[|teamcity\[)/gi, "＃＃");
}

// eslint-disable-next-line no-control-regex -- the escape that colours begin with
const COMMAND_START = /^((?:[^\S\n]|\u001b\[[\d;]*m)*)::/gm;

/** Keeps colours and removes everything else that takes effect on a terminal. */
export function shownText(text: string): string {
  const shown = text
    .split(COLOUR)
    .map((part, index) => (index % 2 === 1 ? part : printable(part)))
    .join("");
  return withoutCommands(shown);
}

// eslint-disable-next-line no-control-regex -- the escape that colours begin with
const COLOUR = /(\u001b\[[\d;]*m)/;

/** Returns JSON, escaped where a terminal or a CI's runner would obey it. Plain JSON keeps some controls. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value, undefined, 2);
  return text
    .replace(OBEYED, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .replace(/##(?=\[|vso\[|teamcity\[)/gi, "#\\u0023");
}

const OBEYED = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
