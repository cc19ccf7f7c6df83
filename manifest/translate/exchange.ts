/** The texts for translators: written out, and read back. */
import { type Place, SourceFile } from "../source/file.ts";
import { csvLine, readCsv } from "../data/csv.ts";
import type { DataMap } from "../data/value.ts";
import { didYouMean } from "../../provider/values/nearest.ts";
import { type Diagnostics, tellRepeated } from "../source/diagnostics.ts";
import { readXliff, isUnfinished } from "../data/xliff.ts";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { readText, tellProblem, unreadable } from "../source/folder.ts";
import { type Unit, fitsXml } from "../data/xliff-write.ts";
import { isTreeMap, type Manifest } from "../declare/model.ts";
import { type CopyRecord, staleIn, type Translation } from "./translations.ts";
import { limitsBy } from "../language/addresses.ts";

/** A unit that came back. `source` is the translated text, if the file has it. */
export interface ReadUnit {
  readonly of: string;
  readonly key: string;
  readonly source: string | undefined;
  readonly target: string | undefined;
  /** `as-sent`: the unit has the state that it went out with, or none. Another text or another state finishes it. */
  readonly unfinished: boolean | "as-sent";
  readonly place: Place;
}

export interface CameBack {
  readonly units: readonly ReadUnit[];
  readonly language: string | undefined;
}

const COLUMNS = ["file", "key", "source", "target", "state", "limit", "address", "note"] as const;
const SENT = { open: "new", stale: "needs-translation" } as const;
const NEEDED = ["file", "key", "target"] as const;

export function csvOf(units: readonly Unit[]): string {
  const rows = units.map(({ of, key, source, target, unfinished, limit, address, note }) => {
    const state = target === undefined ? SENT.open : unfinished ? SENT.stale : "translated";
    return [of, key, source, target, state, limit === undefined ? undefined : String(limit), address, note];
  });
  return [COLUMNS, ...rows].map((row) => `${csvLine(row)}\r\n`).join("");
}

export function readUnitsCsv(file: SourceFile, diagnostics: Diagnostics): CameBack | undefined {
  const { items, columns: names = [] } = readCsv(file, diagnostics) ?? {};
  if (items === undefined) return undefined;
  const rows = items as readonly DataMap[];
  const missing = NEEDED.find((name) => !names.includes(name));
  if (missing !== undefined) {
    const message = `${file.name} has no column "${missing}"${didYouMean(missing, names)}`;
    diagnostics.error("data", file.whole, message, {
      hint: `Columns of translations are ${COLUMNS.join(", ")}.`,
    });
    return undefined;
  }
  const units = rows.map((row) => ({
    of: textIn(row, "file") ?? "",
    key: textIn(row, "key") ?? "",
    source: textIn(row, "source"),
    target: textIn(row, "target"),
    // Without the column nobody says that an unchanged text was looked at.
    unfinished: names.includes("state") ? unfinishedBy(textIn(row, "state")?.trim().toLowerCase()) : "as-sent",
    place: row.entries.get("target")?.value.place ?? row.place,
  }));
  return standTwice(file, units, diagnostics) ? undefined : { units, language: undefined };
}

/** A person who fills in a table leaves the states that it went out with. Any other state comes from a tool. */
function unfinishedBy(state: string | undefined): ReadUnit["unfinished"] {
  if (state === SENT.open) return false;
  return state === SENT.stale ? "as-sent" : isUnfinished(state);
}

function standTwice(file: SourceFile, units: readonly ReadUnit[], diagnostics: Diagnostics): boolean {
  const known = new Map<string, ReadUnit>();
  for (const unit of units) {
    const { of, key, place } = unit;
    const id = JSON.stringify([of, key]);
    const earlier = of === "" && key === "" ? undefined : known.get(id);
    known.set(id, unit);
    if (earlier === undefined) continue;
    tellRepeated(diagnostics, key, place, earlier.place, { message: `"${key}" of ${of} is written twice, first at` });
  }
  return diagnostics.failed;
}

function textIn(row: DataMap, column: string): string | undefined {
  const value = row.entries.get(column)?.value;
  return value?.kind === "scalar" && typeof value.value === "string" ? value.value : undefined;
}

/** Reads XLIFF that came back from translators, with any number of files in it. */
export function readUnitsXliff(file: SourceFile, diagnostics: Diagnostics): CameBack | undefined {
  const xliff = readXliff(file, diagnostics);
  if (xliff === undefined) return undefined;
  const units = xliff.units.map(({ original, id, source, target, place }) => ({
    of: original,
    key: id,
    source: source.text,
    target: target?.text,
    unfinished: isUnfinished(target?.state),
    place: target?.place ?? place,
  }));
  return { units, language: xliff.targetLanguage };
}

export function readForeignText(name: string, diagnostics: Diagnostics): SourceFile | undefined {
  const path = resolve(name);
  const result = existsSync(path) ? readText(path, name) : unreadable(name, "does not exist");
  if ("text" in result) return new SourceFile(path, name, result.text);
  tellProblem(diagnostics, result, { place: new SourceFile(path, name, "").whole, path: "" });
  return undefined;
}

export function tellContradictions(files: readonly CameBack[], diagnostics: Diagnostics): void {
  const known = new Map<string, ReadUnit>();
  for (const unit of files.flatMap(({ units }) => units.filter(isTaken))) {
    const id = JSON.stringify([unit.of, unit.key]);
    const earlier = known.get(id);
    if (earlier === undefined) known.set(id, unit);
    else if (textOf(earlier) !== textOf(unit)) {
      tellRepeated(diagnostics, unit.key, unit.place, earlier.place, {
        message: `"${unit.key}" of ${unit.of} has another translation at`,
        hint: "Import the one that is right, or take the text out of the other file.",
      });
    }
  }
}

function isTaken({ target, unfinished }: ReadUnit): boolean {
  return target !== undefined && target !== "" && unfinished !== true;
}

/** Ignores line ends, because each tool has its own. */
function textOf({ target = "" }: ReadUnit): string {
  return target.replaceAll(/\r\n?/g, "\n");
}

export function unitsOf(manifest: Manifest, translations: readonly Translation[], record: CopyRecord): Unit[] {
  const { limits = {} } = manifest.lint.get("too-long")?.options ?? {};
  const limit = limitsBy(limits as Readonly<Record<string, number>>);
  const stale = new Set(staleIn(translations, record));
  return translations.map((one) => ({
    of: one.home.name,
    key: one.key,
    source: one.source.text,
    target: one.target?.text,
    unfinished: stale.has(one),
    limit: limit(one.key),
    address: addressOf(one),
    note: noteAt(one.source.place),
  }));
}

export function unfitIn(translations: readonly Translation[]): Translation[] {
  return translations.filter(
    ({ key, source, target }) => !fitsXml(key) || !fitsXml(source.text) || !fitsXml(target?.text ?? ""),
  );
}

function addressOf({ entry }: Translation): string {
  const { publish } = entry.inputs;
  const slug = isTreeMap(publish) ? publish["slug"] : undefined;
  return typeof slug === "string" ? `${entry.address} /${slug.replace(/^\/+/, "")}` : entry.address;
}

/** Returns the YAML comments right above a text: they are notes for the translator. */
function noteAt({ file, start }: Place): string | undefined {
  if (!/\.ya?ml$/i.test(file.path)) return undefined;
  const lines = file.text.slice(0, start).split(/\r?\n/).slice(0, -1);
  const notes: string[] = [];
  for (let line = lines.pop()?.trim(); line?.startsWith("#") === true; line = lines.pop()?.trim())
    notes.unshift(line.replace(/^#+\s?/, ""));
  const told = notes.filter((note) => !/^(?:lint-off\b|yaml-language-server:)/.test(note));
  return told.length === 0 ? undefined : told.join("\n");
}
