/** Finds prices that a spreadsheet has changed without a word, and prices that a slip of the hand has. */
import { z } from "zod";
import { cellOf } from "../../declare/texts.ts";
import { spotOf } from "../../declare/faults.ts";
import type { Entry, Manifest } from "../../declare/model.ts";
import { valueName } from "../../translate/translations.ts";
import { textAt } from "../../source/file.ts";
import { defineRule, type Finding } from "../subject.ts";

const FIELDS = ["price", "comparePrice"] as const;
type PriceField = (typeof FIELDS)[number];

function pricedIn({ entries }: Manifest): Entry[] {
  return entries.filter(({ definition }) => "price" in definition.inputs.shape);
}

export const oddPrice = defineRule({
  id: "odd-price",
  about:
    "A price is 0, is not below its comparison price, or was written with a dot for thousands (1.290). If the two columns of a table seem exchanged, `up` needs `--force`.",
  level: "warning",
  unasked: "of changes",
  options: {
    least: z
      .number()
      .min(0)
      .optional()
      .describe("The lowest price that is not odd; 0 allows free products. Default: all above 0."),
    most: z.number().min(0).optional().describe("The highest price that is not odd."),
  },
  *check({ manifest }, { least, most }) {
    const isOdd = (price: number): boolean =>
      (least === undefined ? price === 0 : price < least) || price > (most ?? price);
    for (const own of Map.groupBy(pricedIn(manifest), ({ address, one }) => one?.of ?? address).values()) {
      const exchanged = exchangedIn(own);
      if (exchanged !== undefined) yield exchanged;
      for (const entry of own) {
        if (exchanged === undefined) yield* notReduced(entry);
        const { price } = entry.inputs;
        if (typeof price === "number" && isOdd(price)) yield odd(entry, price, { least, most });
        for (const field of FIELDS) yield* thousandsIn(entry, field);
      }
    }
  },
});

function odd(
  entry: Entry,
  price: number,
  { least = 0, most = price }: { least?: number | undefined; most?: number | undefined },
): Finding {
  if (price > most) return priced(entry, "price", `is ${price}, and the highest of this project is ${most}`);
  if (price === 0) return priced(entry, "price", "is 0: visitors would pay nothing");
  return priced(entry, "price", `is ${price}, and the lowest of this project is ${least}`);
}

function isReduced({ inputs: { price, comparePrice } }: Entry): boolean | undefined {
  if (typeof price !== "number" || typeof comparePrice !== "number" || comparePrice === 0) return undefined;
  return price < comparePrice;
}

function* notReduced(entry: Entry): Generator<Finding> {
  const { price, comparePrice } = entry.inputs;
  if (isReduced(entry) !== false) return;
  const what = `(${Number(comparePrice)}) is not above price (${Number(price)}), so that nothing looks reduced`;
  yield priced(entry, "comparePrice", what);
}

/** The fewest rows of a table that tell of its columns. */
const FEWEST_ROWS = 3;

/** Reports a table once. Most of its prices are above their comparison prices. */
function exchangedIn(rows: readonly Entry[]): Finding | undefined {
  const compared = rows.filter((entry) => isReduced(entry) !== undefined);
  const above = compared.filter(({ inputs: { price, comparePrice } }) => Number(price) > Number(comparePrice));
  const [first] = above;
  if (first === undefined || above.length < FEWEST_ROWS || above.length * 2 <= compared.length) return undefined;
  const what = `is above comparePrice, as in ${above.length} of ${compared.length} rows: are the two columns exchanged?`;
  return { ...priced(first, "price", what), holds: true };
}

const BETWEEN_THOUSANDS = /^["']?\d{1,3}[.,]\d{3}["']?$/;

function* thousandsIn(entry: Entry, field: PriceField): Generator<Finding> {
  const value = entry.inputs[field];
  if (typeof value !== "number") return;
  const spot = spotOf(entry, [field]);
  const written = textAt(cellOf(spot) ?? spot.place);
  const what = `was written ${written} and means ${value}: if the dot is one for thousands, leave it out`;
  if (BETWEEN_THOUSANDS.test(written)) yield priced(entry, field, what);
}

/** A decimal point that moves by one place. */
const SLIP = 10;

export const priceChange = defineRule({
  id: "price-change",
  about:
    "A plan changes a price by more than 30 percent. If the new price is 0, a tenth of the old one, or ten times as much, `up` needs `--force`. Only a plan can tell, because it knows the prices of the last run.",
  level: "warning",
  unasked: "of changes",
  together: "by rank",
  options: {
    percent: z.number().min(0).optional().describe("The largest change that is not odd, in percent. Default: 30."),
  },
  *check({ manifest, changed }, { percent = 30 }) {
    if (changed === undefined) return;
    for (const entry of pricedIn(manifest)) {
      for (const field of FIELDS) {
        const [was, now] = [changed.was.get(valueName(entry.address, [field])), entry.inputs[field]];
        if (typeof was !== "number" || typeof now !== "number") continue;
        // A product without a price gets its first one, and a comparison price of 0 stands for none.
        if (was === 0 || (now === 0 && field === "comparePrice")) continue;
        const share = decimal((Math.abs(now - was) * 100) / was);
        if (share <= percent) continue;
        const shown = share < 100 ? Math.round(share * 10) / 10 : Math.round(share);
        const what = `goes ${now < was ? "down" : "up"} from ${was} to ${now}, by ${shown} %`;
        const told = (count: number): string => `the largest of ${count} changes by more than ${percent} %`;
        const holds = decimal(Math.max(was, now) / Math.min(was, now)) >= SLIP;
        yield { ...priced(entry, field, what), holds, among: { rank: share, told } };
      }
    }
  },
});

/** Binary fractions miss decimal ones by a hair: 29.9 is less than ten times 2.99. */
function decimal(number: number): number {
  return Math.round(number * 1e6) / 1e6;
}

function priced(entry: Entry, field: PriceField, what: string): Finding {
  const at = spotOf(entry, [field]);
  return { at, message: `${at.path} ${what}` };
}
