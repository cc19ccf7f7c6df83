/** Each text by itself: nothing there, something that only held the place, or more than there is room for. */
import { z } from "zod";
import { placeholdersIn } from "../../../provider/kinds/page/variables.ts";
import { didYouMean } from "../../../provider/values/nearest.ts";
import { escaped, matches } from "../pattern.ts";
import { defineRule } from "../rule.ts";
import { isAltKey } from "./alt.ts";

export const emptyText = defineRule({
  id: "empty-text",
  about: "A content key with nothing in it but blanks.",
  level: "warning",
  *check({ texts }) {
    for (const { value, spot, of, name } of texts) {
      if (of === undefined || value.trim() !== "" || isAltKey(name)) continue;
      yield { at: spot, message: `${spot.path} is empty`, hint: "Write the text, or leave the key out." };
    }
  },
});

/** As they are written where something is yet to come: "todo" is a word in Spanish. */
const STAND_INS =
  /\blorem ipsum\b|\bdolor sit amet\b|(?<![\p{L}\p{N}])(?:TODO|TBD|FIXME|TK TK)(?![\p{L}\p{N}])|\[(?:placeholder|your [^\]]*|insert [^\]]*)\]/iu;
const EXACT = /^(?:TODO|TBD|FIXME|TK TK)$/i;

export const placeholderText = defineRule({
  id: "placeholder-text",
  about: "A text that only holds the place of one: lorem ipsum, TODO, TBD, [your name].",
  level: "error",
  options: { words: z.array(z.string().min(1)).optional().describe("Further words that hold a place.") },
  *check({ texts }, { words = [] }) {
    const further = words.length === 0 ? undefined : wordsExpression(words);
    for (const { value, spot } of texts) {
      const found = standIn(value) ?? further?.exec(value)?.[0];
      if (found === undefined) continue;
      yield { at: spot, message: `${spot.path} still says "${found}"`, hint: "Write what is meant for visitors." };
    }
  },
});

function standIn(text: string): string | undefined {
  const found = STAND_INS.exec(text)?.[0];
  return found === undefined || (EXACT.test(found) && found !== found.toUpperCase()) ? undefined : found;
}

export const unresolvedVariable = defineRule({
  id: "unresolved-variable",
  about: "A text holds {{name}}, and nothing gives that variable a value.",
  level: "error",
  *check({ texts }) {
    for (const { value, spot, of } of texts) {
      if (of === undefined || !value.includes("{{")) continue;
      const named = new Set(placeholdersIn(value));
      for (const name of [...named].filter((one) => !of.variables.includes(one))) {
        const message = `${spot.path} holds {{${name}}}, and ${of.entry.address} has no such variable${didYouMean(name, of.variables)}`;
        yield { at: spot, message, hint: `Give it a value: variables: { ${name}: … }.` };
      }
    }
  },
});

export const tooLong = defineRule({
  id: "too-long",
  about: "A text is longer than there is room for.",
  level: "error",
  options: {
    limits: z
      .record(z.string().min(1), z.number().int().min(1))
      .optional()
      .describe(
        'Most characters, by content key or input (`publish.slug`), with * for any run: `{ "hero.title": 60, "*.cta": 24 }`.',
      ),
  },
  *check({ texts }, { limits = {} }) {
    if (Object.keys(limits).length === 0) return;
    const limit = limitsBy(limits);
    for (const { value, spot, name } of texts) {
      const most = limit(name);
      if (most === undefined || value.length <= most) continue;
      const length = lengthOf(value);
      if (length > most) yield { at: spot, message: `${spot.path} has ${length} characters, and room for ${most}` };
    }
  },
});

/** The limit of a name: its own, or that of the longest pattern that it matches. */
export function limitsBy(limits: Readonly<Record<string, number>>): (name: string) => number | undefined {
  const patterns = Object.keys(limits).sort((a, b) => b.length - a.length);
  const known = new Map<string, number | undefined>();
  return (name) => {
    if (!known.has(name)) {
      const pattern = Object.hasOwn(limits, name) ? name : patterns.find((one) => matches(one, name));
      known.set(name, pattern === undefined ? undefined : limits[pattern]);
    }
    return known.get(name);
  };
}

let graphemes: Intl.Segmenter | undefined;

/** As a reader counts: an emoji of several code points is one. */
export function lengthOf(text: string): number {
  // Where its data are read is a good part of a start, and few need them.
  graphemes ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return [...graphemes.segment(text)].length;
}

/** Any of these words, whole; a word that begins or ends with a sign may stand against letters there. */
export function wordsExpression(words: readonly string[]): RegExp {
  const each = words.map((word) => {
    const [before, after] = [/^[\p{L}\p{N}]/u.test(word), /[\p{L}\p{N}]$/u.test(word)];
    const spaced = escaped(word).replaceAll(/\s+/g, "\\s+");
    return `${before ? "(?<![\\p{L}\\p{N}])" : ""}${spaced}${after ? "(?![\\p{L}\\p{N}])" : ""}`;
  });
  return new RegExp(each.join("|"), "iu");
}
