/** Texts put into a data file by their keys: what stands there is replaced in its place, what doesn't comes behind. Pure. */
import { extname } from "node:path";
import { stringify } from "yaml";
import { quotedCell, readJson, scanCsv } from "../data/index.ts";
import type { Diagnostics } from "../source/diagnostics.ts";
import { scalarLike } from "../write/yaml/render.ts";
import { YamlEdit } from "../write/yaml/edit.ts";
import { SourceFile } from "../source/file.ts";
import type { Home } from "./translations.ts";
import { readXliff, type XliffUnit } from "../data/xliff.ts";
import { inlineOf, xliffOf, type Languages } from "../data/xliff-write.ts";

export interface NewText {
  readonly text: string;
  /** What it is a translation of. */
  readonly source: string;
}

export interface Setting {
  readonly home: Home;
  readonly languages: Languages;
  /** By key. */
  readonly texts: ReadonlyMap<string, NewText>;
}

/** `before`: undefined where there is no such file yet. Undefined where it can't be written; that is told. */
export function setTexts(before: string | undefined, setting: Setting, diagnostics: Diagnostics): string | undefined {
  const file = new SourceFile(setting.home.path, setting.home.name.replace(/#.*$/, ""), before ?? "");
  const format = FORMATS[extname(setting.home.path).toLowerCase()];
  if (format !== undefined) return format(file, setting, diagnostics);
  diagnostics.error("data", file.whole, `${file.name}: texts are written into ${Object.keys(FORMATS).join(", ")}`);
  return undefined;
}

type Format = (file: SourceFile, setting: Setting, diagnostics: Diagnostics) => string | undefined;

const FORMATS: Readonly<Record<string, Format>> = {
  ".csv": inCsv,
  ".tsv": inCsv,
  ".json": inJson,
  ".yaml": inYaml,
  ".yml": inYaml,
  ".xlf": inXliff,
  ".xliff": inXliff,
};

interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

function spliced(text: string, splices: readonly Splice[]): string {
  return [...splices]
    .sort((a, b) => b.start - a.start)
    .reduce((result, { start, end, text: now }) => result.slice(0, start) + now + result.slice(end), text);
}

function inCsv(file: SourceFile, { home, texts }: Setting, diagnostics: Diagnostics): string | undefined {
  const { key: keyColumn, value: valueColumn } = home.columns;
  const separator = file.path.toLowerCase().endsWith(".tsv") ? "\t" : ",";
  const start = file.text === "" ? `${keyColumn}${separator}${valueColumn}\n` : file.text;
  const whole = file.text === "" ? new SourceFile(file.path, file.name, start) : file;
  const csv = scanCsv(whole, diagnostics);
  if (csv === undefined) return undefined;
  const names = csv.header.map(({ value }) => value.trim());
  const [keyAt, valueAt] = [names.indexOf(keyColumn), names.indexOf(valueColumn)];
  if (keyAt === -1 || valueAt === -1) {
    diagnostics.error("data", whole.whole, `${file.name} has no column "${keyAt === -1 ? keyColumn : valueColumn}"`, {
      hint: `Its columns are ${names.join(", ")}: add it to the first line.`,
    });
    return undefined;
  }
  const rows = new Map(csv.rows.map((row) => [row[keyAt]?.value, row]));
  const splices: Splice[] = [];
  const added: string[] = [];
  for (const [key, { text }] of texts) {
    const cell = rows.get(key)?.[valueAt];
    if (cell === undefined) {
      const cells = names.map((_, index) => (index === keyAt ? key : index === valueAt ? text : undefined));
      added.push(
        cells.map((one) => (one === undefined ? "" : quotedCell(one, csv.separator, false))).join(csv.separator),
      );
    } else {
      const { start: from, end } = cell.place;
      splices.push({ start: from, end, text: quotedCell(text, csv.separator, cell.quoted) });
    }
  }
  const end = /\r\n|\n|\r/.exec(start)?.[0] ?? "\n";
  const body = spliced(start, splices);
  if (added.length === 0) return body;
  return `${body}${/[\r\n]$/.test(body) ? "" : end}${added.map((line) => line + end).join("")}`;
}

function inYaml({ text: before }: SourceFile, { texts }: Setting): string {
  if (before.trim() === "") {
    const scalars = [...texts].map(([key, { text }]) => [key, scalarLike(undefined, text)] as const);
    return stringify(Object.fromEntries(scalars), { lineWidth: 0 });
  }
  const edit = new YamlEdit(before);
  for (const [key, { text }] of texts) edit.set([key], scalarLike(edit.nodeAt([key]), text));
  return edit.print();
}

function inJson(file: SourceFile, { texts }: Setting, diagnostics: Diagnostics): string | undefined {
  const plain = Object.fromEntries([...texts].map(([key, { text }]) => [key, text]));
  if (file.text.trim() === "") return `${JSON.stringify(plain, undefined, 2)}\n`;
  const data = readJson(file, diagnostics);
  if (data?.kind !== "map") {
    if (data) diagnostics.error("data", data.place, `${file.name} holds no map of keys and texts`);
    return undefined;
  }
  const splices: Splice[] = [];
  const added: string[] = [];
  for (const [key, text] of Object.entries(plain)) {
    const place = data.entries.get(key)?.value.place;
    if (place === undefined) added.push(`${JSON.stringify(key)}: ${JSON.stringify(text)}`);
    else splices.push({ start: place.start, end: place.end, text: JSON.stringify(text) });
  }
  const last = [...data.entries.values()].at(-1);
  if (added.length > 0 && last === undefined)
    splices.push({ ...data.place, text: JSON.stringify(plain, undefined, 2) });
  else if (added.length > 0 && last !== undefined) {
    const lineStart = file.text.lastIndexOf("\n", last.keyPlace.start) + 1;
    const indent = file.text.slice(lineStart, last.keyPlace.start);
    const end = file.text.includes("\r\n") ? "\r\n" : "\n";
    const gap = lineStart > 0 && indent.trim() === "" ? `,${end}${indent}` : ", ";
    const at = last.value.place.end;
    splices.push({ start: at, end: at, text: added.map((one) => gap + one).join("") });
  }
  return spliced(file.text, splices);
}

function inXliff(file: SourceFile, { home, languages, texts }: Setting, diagnostics: Diagnostics): string | undefined {
  const units = [...texts].map(([key, { text, source }]) => ({
    of: home.name,
    key,
    source,
    target: text,
    unfinished: false,
  }));
  if (file.text.trim() === "") return xliffOf(units, languages);
  const xliff = readXliff(file, diagnostics);
  if (xliff === undefined) return undefined;
  const known = new Map(xliff.units.map((unit) => [unit.id, unit]));
  const splices: Splice[] = [];
  const added: string[] = [];
  for (const { key, ...unit } of units) {
    const there = known.get(key);
    if (there !== undefined) splices.push(...inUnit(there, unit));
    else added.push(...unitLines(xliffOf([{ key, ...unit }], languages)));
  }
  const end = file.text.lastIndexOf("</", file.text.lastIndexOf("</file"));
  const body = file.text.lastIndexOf("</body");
  if (added.length > 0 && body === -1) {
    diagnostics.error(
      "data",
      { ...file.whole, start: Math.max(0, end), end: Math.max(0, end) },
      `${file.name} has no <body>`,
    );
    return undefined;
  }
  const lineStart = file.text.lastIndexOf("\n", body) + 1;
  if (added.length > 0)
    splices.push({ start: lineStart, end: lineStart, text: added.map((line) => `${line}\n`).join("") });
  return spliced(file.text, splices);
}

/** The lines of the one unit. */
function unitLines(xliff: string): string[] {
  const lines = xliff.split("\n");
  return lines.slice(
    lines.findIndex((line) => line.includes("<trans-unit")),
    lines.findIndex((line) => line.includes("</trans-unit")) + 1,
  );
}

function inUnit({ source, target }: XliffUnit, now: { source: string; target: string }): Splice[] {
  const from =
    source.text === now.source ? [] : [{ ...source.whole, text: `<source>${inlineOf(now.source)}</source>` }];
  const text = inlineOf(now.target);
  if (target === undefined) {
    const { file, end } = source.whole;
    const lineStart = file.text.lastIndexOf("\n", source.whole.start) + 1;
    const indent = file.text.slice(lineStart, source.whole.start);
    const gap = indent.trim() === "" ? `\n${indent}` : "";
    return [...from, { start: end, end, text: `${gap}<target state="translated">${text}</target>` }];
  }
  const { file, start, end } = target.whole;
  const [tag = "<target>"] = /^<[^>]*?(?=\/?>)/.exec(file.text.slice(start, end)) ?? [];
  const opening = tag.replace(/(\sstate=)(?:"[^"]*"|'[^']*')/, '$1"translated"');
  return [...from, { start, end, text: `${opening}>${text}</${opening.slice(1).split(/\s/)[0] ?? "target"}>` }];
}
