/** Finds what spreadsheets and translation tools do to texts and prices without a word. */
import { cellOf } from "../../declare/texts.ts";
import { spotOf } from "../../declare/faults.ts";
import type { Entry } from "../../declare/model.ts";
import { defineRule, type Finding } from "../subject.ts";

const FORMULA_ERROR = /#(?:NAME\?|REF!|VALUE!|DIV\/0!|N\/A|NULL!|NUM!|SPILL!|CALC!)/;

export const formulaError = defineRule({
  id: "formula-error",
  about: "A text holds the error of a spreadsheet's formula: #NAME?, #REF!, #N/A.",
  level: "error",
  *check({ texts }) {
    for (const { value, spot } of texts) {
      const found = FORMULA_ERROR.exec(value)?.[0];
      if (found === undefined) continue;
      const hint =
        "A text that begins with = or + is a formula in a spreadsheet. Format the column as text and enter it again.";
      yield { at: spot, message: `${spot.path} says "${found}", the error of a formula`, hint };
    }
  },
});

/** UTF-8 that was read as Windows-1252: ü becomes Ã¼, a curly quote becomes â€œ, a hard space becomes Â and a space. */
const GARBLED =
  /Ã[\u0080-\u00bf\u0152-\u0192\u02c6-\u2122]|â[\u0080-\u00bf\u0152-\u2122]{2}|Â[\u00a0-\u00bf]|ï»¿|\ufffd/;

export const garbledText = defineRule({
  id: "garbled-text",
  about: "A text was saved in one encoding and read in another, so that ü became Ã¼.",
  level: "error",
  *check({ texts }) {
    for (const { value, spot } of texts) {
      const found = GARBLED.exec(value);
      if (found === null) continue;
      const around = value.slice(Math.max(0, found.index - 10), found.index + 10).trim();
      const hint = "Save the file as UTF-8 (in a spreadsheet: CSV UTF-8), from the copy whose letters are right.";
      yield { at: spot, message: `${spot.path} holds broken letters: "${around}"`, hint };
    }
  },
});

export const singleBraces = defineRule({
  id: "single-braces",
  about: "A text holds {name} for a variable that is written {{name}}.",
  level: "error",
  *check({ texts }) {
    for (const { value, spot, of } of texts) {
      if (of === undefined || !value.includes("{")) continue;
      const names = [...value.matchAll(/(?<![{$])\{\s*([\w.-]+)\s*\}(?!\})/g)].map(([, name = ""]) => name);
      for (const name of new Set(names.filter((one) => of.variables.includes(one)))) {
        const message = `${spot.path} says {${name}}, which visitors would read as it is`;
        yield { at: spot, message, hint: `Write {{${name}}} for the value of the variable.` };
      }
    }
  },
});

const ADDRESS_KEY = /(^|[._-])(url|href|link)$/i;
const LEADS_NOWHERE = /^\s*(?:#|javascript:.*|https?:\/\/)\s*$/i;

export const emptyLink = defineRule({
  id: "empty-link",
  about: "A link leads nowhere: #, javascript:void(0), https:// with nothing behind.",
  level: "warning",
  *check({ texts }) {
    for (const { value, spot, of, name } of texts) {
      if (of === undefined || !ADDRESS_KEY.test(name) || !LEADS_NOWHERE.test(value)) continue;
      yield {
        at: spot,
        message: `${spot.path} is "${value.trim()}", which leads nowhere`,
        hint: "Write the address, or leave the key out.",
      };
    }
  },
});

export const oddPrice = defineRule({
  id: "odd-price",
  about: "A price is 0, not below its comparison price, or was written with a dot for thousands (1.290).",
  level: "warning",
  *check({ manifest }) {
    for (const entry of manifest.entries) if ("price" in entry.definition.inputs.shape) yield* oddPricesIn(entry);
  },
});

const BETWEEN_THOUSANDS = /^["']?\d{1,3}[.,]\d{3}["']?$/;

function* oddPricesIn(entry: Entry): Generator<Finding> {
  const { price, comparePrice } = entry.inputs;
  if (price === 0) yield priced(entry, "price", "is 0: visitors would pay nothing");
  if (typeof price === "number" && typeof comparePrice === "number" && comparePrice > 0 && comparePrice <= price)
    yield priced(
      entry,
      "comparePrice",
      `(${comparePrice}) is not above price (${price}), so that nothing looks reduced`,
    );
  for (const field of ["price", "comparePrice"]) {
    if (typeof entry.inputs[field] !== "number") continue;
    const spot = spotOf(entry, [field]);
    const { file, start, end } = cellOf(spot) ?? spot.place;
    const written = file.text.slice(start, end);
    if (BETWEEN_THOUSANDS.test(written))
      yield priced(
        entry,
        field,
        `was written ${written} and means ${String(entry.inputs[field])}: is the dot one for thousands?`,
      );
  }
}

function priced(entry: Entry, field: string, what: string): Finding {
  const at = spotOf(entry, [field]);
  return { at, message: `${entry.address}.${field} ${what}` };
}
