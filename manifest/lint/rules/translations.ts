/** Translations against what they are translations of. */
import type { Translation } from "../../copy/translations.ts";
import { differenceOf, differenceText } from "../../copy/placeholders.ts";
import { locate } from "../../source/parse.ts";
import { defineRule, type Finding } from "../rule.ts";

export const stale = defineRule({
  id: "stale",
  about: "A translation whose source has changed since.",
  level: "warning",
  *check({ stale }) {
    for (const one of stale) {
      const { path, locale, source } = one;
      const message = `${path}: its source has changed since it was translated (${locale}): ${locate(source.place)}`;
      yield finding(one, message, "Translate it anew: npx landform copy extract, and copy import; or change it here.");
    }
  },
});

export const lostPlaceholder = defineRule({
  id: "lost-placeholder",
  about: "A translation has lost a {{placeholder}} of its source, or has one of its own.",
  level: "error",
  *check({ translations }) {
    for (const one of translations) {
      const { path, locale, source, target } = one;
      const difference = target && differenceOf(source.text, target.text);
      if (difference === undefined) continue;
      const message = `${path}: the translation (${locale}) ${differenceText(difference)}`;
      yield finding(one, message, "Placeholders stay as they are, in any order.");
    }
  },
});

/** A word that is the same in many languages is none to talk of. */
const SENTENCE = /\p{L}+[^\p{L}{}<>/]+\p{L}+/u;
const ADDRESS = /^\s*(?:[a-z]+:)?\/\/\S*\s*$/i;

export const sameAsSource = defineRule({
  id: "same-as-source",
  about: "A translation of several words that is the same as its source.",
  level: "warning",
  *check({ translations }) {
    for (const one of translations) {
      const { path, locale, source, target } = one;
      const bare = source.text.replaceAll(/\{\{[^{}]*\}\}/g, "");
      if (target?.text !== source.text || !SENTENCE.test(bare) || ADDRESS.test(bare)) continue;
      yield finding(one, `${path}: the translation (${locale}) is the same as its source`);
    }
  },
});

function finding({ path, source, target }: Translation, message: string, hint?: string): Finding {
  const place = target?.place ?? source.place;
  const related = [{ place: source.place, message: "the source is here" }];
  return { at: { place, path }, message, related, ...(hint !== undefined && { hint }) };
}
