/** Writes XLIFF 1.2, which the translation services take. Placeholders become elements, so that nobody translates them. */

/** A text to translate, or a translated one. */
export interface Unit {
  /** The address of the entry that has the text (`pages.offer-de`). */
  readonly of: string;
  readonly key: string;
  readonly source: string;
  readonly target: string | undefined;
  /** True if the translation belongs to an earlier source, or is not finished. */
  readonly unfinished: boolean;
  /** The highest number of characters. */
  readonly limit?: number | undefined;
  /** The address where visitors see it. */
  readonly address?: string | undefined;
  readonly note?: string | undefined;
}

export interface Languages {
  readonly source: string;
  readonly target: string;
}

export const NAMESPACE = "urn:oasis:names:tc:xliff:document:1.2";

/** Characters that XML 1.0 can't hold in any way. */
const IMPOSSIBLE = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;

export function fitsXml(text: string): boolean {
  return !IMPOSSIBLE.test(text);
}

export function xliffOf(units: readonly Unit[], languages: Languages): string {
  const files = [...Map.groupBy(units, ({ of }) => of)].map(([of, own]) => fileOf(of, own, languages));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<xliff version="1.2" xmlns="${NAMESPACE}">`,
    ...files.flat(),
    "</xliff>",
    "",
  ].join("\n");
}

function fileOf(of: string, units: readonly Unit[], { source, target }: Languages): string[] {
  const attributes = `original=${quoted(of)} datatype="plaintext" source-language=${quoted(source)} target-language=${quoted(target)}`;
  return [`  <file ${attributes}>`, "    <body>", ...units.flatMap(unitOf), "    </body>", "  </file>"];
}

function unitOf({ key, source, target, unfinished, limit, address, note }: Unit): string[] {
  const size = limit === undefined ? "" : ` maxwidth="${limit}" size-unit="char"`;
  const state = unfinished ? "needs-translation" : "translated";
  return [
    `      <trans-unit id=${quoted(key)} xml:space="preserve"${size}>`,
    `        <source>${inlineOf(source)}</source>`,
    ...(target === undefined ? [] : [`        <target state="${state}">${inlineOf(target)}</target>`]),
    ...(address === undefined
      ? []
      : [
          `        <context-group purpose="location"><context context-type="x-address">${escaped(address)}</context></context-group>`,
        ]),
    ...(note === undefined ? [] : [`        <note>${escaped(note)}</note>`]),
    "      </trans-unit>",
  ];
}

export function inlineOf(text: string): string {
  return pieces(text)
    .map((piece, index) =>
      index % 2 === 0 ? escaped(piece) : `<x id="${(index + 1) / 2}" ctype="x-variable" equiv-text=${quoted(piece)}/>`,
    )
    .join("");
}

/** A parser would read a bare carriage return as a line feed. */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("\r", "&#13;");
}

function quoted(text: string): string {
  const inner = escaped(text).replaceAll('"', "&quot;").replaceAll("\t", "&#9;").replaceAll("\n", "&#10;");
  return `"${inner}"`;
}

/** Splits a text into pieces: every second one is a placeholder. */
export function pieces(text: string): string[] {
  return text.split(/(\{\{\s*[^{}]+?\s*\}\})/);
}
