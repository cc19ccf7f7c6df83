/** Words that may not be said, and words that have to be. */
import { z } from "zod";
import { matches } from "../pattern.ts";
import { defineRule } from "../rule.ts";
import { wordsExpression } from "./texts.ts";

export const forbiddenWords = defineRule({
  id: "forbidden-words",
  about: "A text says a word that may not be said.",
  level: "error",
  options: {
    words: z.array(z.string().min(1)).optional().describe("Words, whole and in any case: `[guaranteed, risk free]`."),
  },
  *check({ texts }, { words = [] }) {
    if (words.length === 0) return;
    const expression = wordsExpression(words);
    for (const { value, spot } of texts) {
      const found = expression.exec(value)?.[0];
      if (found !== undefined) yield { at: spot, message: `${spot.path} says "${found}", which may not be said` };
    }
  },
});

export const requiredWords = defineRule({
  id: "required-words",
  about: "None of the texts says a word that has to be said.",
  level: "error",
  options: {
    words: z.array(z.string().min(1)).optional().describe("Words that each page or quiz has to say, in any case."),
    in: z.array(z.string().min(1)).optional().describe("Content keys that are looked at: `[legal.*]`. Default: all."),
  },
  *check({ contents, texts }, { words = [], in: patterns = ["*"] }) {
    if (words.length === 0) return;
    const expressions = words.map((word) => ({ word, expression: wordsExpression([word]) }));
    const said = Map.groupBy(
      texts.filter(({ of, name }) => of !== undefined && patterns.some((pattern) => matches(pattern, name))),
      ({ of }) => of,
    );
    for (const one of contents) {
      const own = said.get(one) ?? [];
      const missing = expressions.filter(({ expression }) => !own.some(({ value }) => expression.test(value)));
      if (missing.length === 0) continue;
      const where = patterns.includes("*") ? "" : ` in ${patterns.join(", ")}`;
      const { address, place } = one.entry;
      const message = `${address} doesn't say ${missing.map(({ word }) => `"${word}"`).join(", ")}${where}`;
      yield { at: { place, path: address }, message };
    }
  },
});
