/** Finds what spreadsheets and translation tools do to texts without a word. */
import { normalSlug } from "../../../provider/values/addresses.ts";
import { propertyPath } from "../../../provider/values/paths.ts";
import { scanCsv } from "../../data/csv.ts";
import { cellOf } from "../../declare/texts.ts";
import type { Spot } from "../../declare/model.ts";
import { Diagnostics } from "../../source/diagnostics.ts";
import type { Place, SourceFile } from "../../source/file.ts";
import { listed } from "../../../provider/values/wording.ts";
import { defineRule, type Finding, mapIn, type Subject } from "../subject.ts";

/** In English, German, French and Spanish, and as LibreOffice writes them. */
const FORMULA_ERROR =
  /#(?:NAME\?|REF!|VALUE!|DIV\/0!|N\/A|NULL!|NUM!|SPILL!|CALC!|BEZUG!|WERT!|ZAHL!|NV\b|ÜBERLAUF!|NOM\s?\?|VALEUR!|NOMBRE\s?!|¡(?:REF|VALOR|NUM|DIV\/0)!|¿NOMBRE\?)|\bErr:5\d\d\b/;

export const formulaError = defineRule({
  id: "formula-error",
  about: "A text holds the error of a spreadsheet's formula: #NAME?, #BEZUG!, Err:508. `up` needs `--force`.",
  level: "error",
  unasked: "of changes",
  *check({ texts }) {
    for (const { value, spot } of texts) {
      const part = FORMULA_ERROR.exec(value)?.[0];
      if (part === undefined) continue;
      const hint =
        "A text that begins with = or + is a formula in a spreadsheet. Format the column as text and enter it again.";
      yield { at: spot, part, holds: true, message: `${spot.path} says "${part}", the error of a formula`, hint };
    }
  },
});

/** UTF-8 that was read as Windows-1252: ü becomes Ã¼, a curly quote becomes â€œ, a hard space becomes Â and a space. */
const GARBLED =
  /Ã[\u0080-\u00bf\u0152-\u0192\u02c6-\u2122]|â[\u0080-\u00bf\u0152-\u2122]{2}|Â[\u00a0-\u00bf]|ï»¿|\ufffd/;

/** ü, ä, ö, ß, é, è, ñ, ó, ç and the sign for an unknown letter. Other pairs may be meant: "IRMÃ” ends with a quote. */
const SURELY_GARBLED = /Ã[¼¤¶Ÿ©¨±³§]|ï»¿|\ufffd/;

export const garbledText = defineRule({
  id: "garbled-text",
  about:
    "A text was saved in one encoding and read in another, so ü became Ã¼. If the letters are certainly broken, `up` needs `--force`.",
  level: "error",
  unasked: "of changes",
  *check({ texts }) {
    for (const { value, spot } of texts) {
      const found = GARBLED.exec(value);
      if (found === null) continue;
      const around = value.slice(Math.max(0, found.index - 10), found.index + 10).trim();
      const hint = "Save the file as UTF-8 (in a spreadsheet: CSV UTF-8), from the copy whose letters are right.";
      const holds = SURELY_GARBLED.test(value);
      yield { at: spot, part: found[0], holds, message: `${spot.path} holds broken letters: "${around}"`, hint };
    }
  },
});

export const singleBraces = defineRule({
  id: "single-braces",
  about: "A text holds {name} for a variable that is written {{name}}.",
  level: "error",
  unasked: "of changes",
  *check({ texts }) {
    for (const { value, spot, of } of texts) {
      if (of === undefined || !value.includes("{")) continue;
      const found = [...value.matchAll(/(?<![{$])\{\s*([\w.-]+)\s*\}(?!\})/g)];
      const names = new Map(found.map(([part, name = ""]) => [name, part]));
      for (const [name, part] of names) {
        if (!of.variables.includes(name)) continue;
        const message = `${spot.path} says {${name}}, which visitors would read as it is`;
        yield { at: spot, part, message, hint: `Write {{${name}}} for the value of the variable.` };
      }
    }
  },
});

/** `cta.url`, `more_link`, `ctaUrl` */
const ADDRESS_KEY = /(?:^|[._-])(?:url|href|link|URL|Url|HREF|Href|LINK|Link)$|[a-z](?:Url|URL|Href|Link)$/;
const LEADS_NOWHERE = /^\s*(?:#|javascript:.*|https?:\/\/)\s*$/i;

export const emptyLink = defineRule({
  id: "empty-link",
  about:
    "A link leads nowhere: #, javascript:void(0), https:// with nothing behind. If several pages have the same link, it is reported once.",
  level: "warning",
  unasked: "of changes",
  together: "from two",
  *check({ texts }) {
    for (const { value, spot, name } of texts) {
      if (!ADDRESS_KEY.test(name) || !LEADS_NOWHERE.test(value)) continue;
      yield {
        at: spot,
        message: `${spot.path} is "${value.trim()}", which leads nowhere`,
        hint: "Write the address, or leave the key out.",
      };
    }
  },
});

/** The days from 1900 to 2009-07-06 and to 2064-04-08, as spreadsheets count them. */
const [FIRST_DAY, LAST_DAY] = [40_000, 60_000];
const DAY_KEY = /(?:^|[._-])(?:date|day|deadline|until|datum|fecha)$/i;
const DATE = /^\s*(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{4}|\d{1,2}[./]\d{1,2}[./]\d{2})\s*$/;

export const dateNumber = defineRule({
  id: "date-number",
  about:
    "A date has become the number that a spreadsheet keeps for it (44276), and the name of its key or column suggests a date.",
  level: "error",
  unasked: "of changes",
  *check({ texts, translations }) {
    const columns = Map.groupBy(texts, ({ entry, name }) =>
      JSON.stringify([entry.kind, entry.one?.of ?? entry.address, name]),
    );
    const dated = new Set([...columns].flatMap(([column, own]) => (own.some(isDate) ? [column] : [])));
    const sources = new Map(translations.map(({ path, source }) => [path, source.text]));
    for (const [column, own] of columns) {
      for (const { name, value, spot } of own) {
        // A sentence tells nothing of its cells, but the names of their columns do.
        const cells = (spot.from ?? []).map((cell) => ({ cell, part: cell.file.text.slice(cell.start, cell.end) }));
        const day = cells.find(({ cell, part }) => value !== part && isDayNumber(part) && DAY_KEY.test(columnOf(cell)));
        if (day !== undefined) {
          const message = `${spot.path} says ${day.part}, the number of a spreadsheet for ${dayOf(Number(day.part))}`;
          yield { at: spot, part: day.part, message, hint: AS_TEXT };
        }
        if (!isDayNumber(value)) continue;
        const isNamed = [name, columnOf(cellOf(spot) ?? spot.place)].some((one) => DAY_KEY.test(one));
        const isMeant = isNamed || dated.has(column) || isDate({ value: sources.get(spot.path) ?? "" });
        if (!isMeant) continue;
        const message = `${spot.path} is ${value.trim()}, the number of a spreadsheet for ${dayOf(Number(value))}`;
        yield { at: spot, message, hint: AS_TEXT };
      }
    }
  },
});

const AS_TEXT = "Format the column as text, and enter the date as visitors read it.";

function columnOf({ file, start }: Place): string {
  if (!isTable(file)) return "";
  const { header = [], rows = [] } = scanCsv(file, new Diagnostics()) ?? {};
  const at = rows.map((row) => row.findIndex(({ place }) => place.start === start)).find((found) => found !== -1);
  return header[at ?? -1]?.value.trim() ?? "";
}

function isTable({ path }: SourceFile): boolean {
  return /\.[ct]sv$/i.test(path);
}

function isDate({ value }: { readonly value: string }): boolean {
  return DATE.test(value);
}

function isDayNumber(text: string): boolean {
  return /^\s*\d{5}\s*$/.test(text) && Number(text) >= FIRST_DAY && Number(text) <= LAST_DAY;
}

/** Returns the date of a day's number: 25,569 is the first day of 1970. */
function dayOf(day: number): string {
  return new Date((day - 25_569) * 86_400_000).toISOString().slice(0, 10);
}

export const rootSlug = defineRule({
  id: "root-slug",
  about: "The slug comes from an empty cell: the page would be at the root of its site, or its path would lack a part.",
  level: "error",
  unasked: "of changes",
  *check(subject) {
    yield* emptyPathsIn(subject);
  },
});

/** `en/`, `en//x`: an empty cell beside a slash. */
const EMPTY_PART = /.\/$|\/\//;

function* emptyPathsIn({ manifest }: Subject): Generator<Finding> {
  for (const { address, inputs, places } of manifest.entries) {
    const { slug = "" } = mapIn(inputs["publish"]);
    const at = places.get(propertyPath(["publish", "slug"]));
    const cell = at?.from?.find(({ start, end }) => start === end);
    if (at === undefined || cell === undefined || typeof slug !== "string") continue;
    const path = normalSlug(slug);
    if (path !== "" && !EMPTY_PART.test(slug)) continue;
    const [where, what, home] =
      path === ""
        ? ["the root of its site", "its slug", "the home page of the site"]
        : [`/${path}`, "a part of its slug", "meant to be there"];
    yield {
      at: { path: at.path, place: cell, by: at.place },
      message: `${address} is published at ${where}, because the cell of ${what} is empty`,
      hint: `Write the path, or / if the page is ${home}.`,
    };
  }
}

interface MovedText {
  readonly at: Spot;
  readonly cell: Place;
  readonly was: string;
  readonly now: string;
}

/** People exchange two or three texts on purpose. */
const FEWEST_MOVED = 4;

export const movedRows = defineRule({
  id: "moved-rows",
  about:
    "Somebody seems to have sorted one column alone: most changed rows of it get texts that other rows had in the last run. If all of them do, `up` needs `--force`. Items of a numbered list may change places.",
  level: "warning",
  unasked: "of changes",
  *check(subject) {
    for (const [file, texts] of Map.groupBy(changedCells(subject), ({ cell }) => cell.file)) {
      const found = columnsIn(file, texts).flatMap(({ column, own, isInOrder, keyOf }) => {
        const moved = own.filter((one) => own.some((other) => other !== one && other.was === one.now));
        const isMost = moved.length >= FEWEST_MOVED && moved.length * 5 >= own.length * 4;
        const isVaried = new Set(moved.map(({ now }) => now)).size >= FEWEST_MOVED - 1;
        // People put the items of a list into another order.
        const isList = new Set(moved.map((one) => keyOf(one).replaceAll(/\d+/g, ""))).size === 1;
        return isMost && isVaried && (isInOrder || !isList)
          ? [{ column, moved, isAll: moved.length === own.length }]
          : [];
      });
      const [first] = found;
      const [one] = first?.moved ?? [];
      if (first === undefined || one === undefined) continue;
      const columns = `${found.length === 1 ? "column" : "columns"} ${listed(
        found.map(({ column }) => column),
        5,
      )}`;
      const message = `${file.name}: ${first.moved.length} rows have the texts that other rows had in the last run (${columns}): was one column sorted without the others?`;
      yield { at: one.at, holds: found.some(({ isAll }) => isAll), message };
    }
  },
});

/** Several pages may take their text from one cell. */
function changedCells({ texts, changed }: Subject): MovedText[] {
  const cells = new Map<string, MovedText>();
  for (const { entry, name, value, spot, of } of texts) {
    const path = of === undefined ? name : propertyPath(["content", name]);
    const was = changed?.was.get(`${entry.address} ${path}`);
    const cell = cellOf(spot) ?? spot.from?.[0] ?? spot.place;
    if (typeof was !== "string" || !isTable(cell.file)) continue;
    const key = `${cell.file.path} ${cell.start}`;
    if (!cells.has(key)) cells.set(key, { at: spot, cell, was, now: value });
  }
  return [...cells.values()];
}

interface Column {
  readonly column: string;
  readonly own: readonly MovedText[];
  /** True if a spreadsheet has sorted it, or may have. */
  readonly isInOrder: boolean;
  readonly keyOf: (text: MovedText) => string;
}

function columnsIn(file: SourceFile, texts: readonly MovedText[]): Column[] {
  const { header = [], rows = [] } = scanCsv(file, new Diagnostics()) ?? {};
  const spots = new Map(
    rows.flatMap((row) => row.map(({ place }, at) => [place.start, { at, key: row[0]?.value ?? "" }] as const)),
  );
  return [...Map.groupBy(texts, ({ cell }) => spots.get(cell.start)?.at ?? -1)].map(([at, own]) => {
    const values = rows.flatMap((row) => row[at]?.value ?? []).filter((value) => value !== "");
    const follows = values.slice(1).map((value, index) => (values[index] ?? "").localeCompare(value));
    const isInOrder = follows.every((one) => one <= 0) || follows.every((one) => one >= 0);
    const keyOf = ({ cell }: MovedText): string => spots.get(cell.start)?.key ?? "";
    return { column: header[at]?.value ?? "", own, isInOrder, keyOf };
  });
}
