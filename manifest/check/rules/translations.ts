/** Compares translations with their sources. */
import { landform } from "../../../provider/values/command-line.ts";
import { emptyPlaceOf, isOriginal, replacedLanguages } from "../../translate/lost.ts";
import type { ExchangedLanguage, LostLanguage, ReplacedLanguage } from "../../translate/lost.ts";
import { type Translation, differenceOf } from "../../translate/translations.ts";
import { didYouMean } from "../../../provider/values/nearest.ts";
import { instead } from "../../language/locales.ts";
import { locate } from "../../source/parse.ts";
import { counted, listed, shortened } from "../../../provider/values/wording.ts";
import { dotted } from "../../language/addresses.ts";
import { defineRule, type Finding } from "../subject.ts";

export const stale = defineRule({
  id: "stale",
  about: "A translation whose source has changed since.",
  level: "warning",
  unasked: "all",
  *check({ translations, standing, changed }) {
    const all = translations.filter((one) => standing.get(one) === "stale" && !changed?.made.has(one.entry.address));
    const isCaused = ({ source, target }: Translation): boolean =>
      [source, target].some((said) => said && (changed?.places.has(locate(said.place)) ?? true));
    for (const one of all.filter(isCaused)) {
      const { path, locale, source, target } = one;
      const still = target === undefined ? "nothing" : shortText(target.text);
      const message = `${path}: the source says ${shortText(source.text)} now (${locate(source.place)}), and its translation (${locale}) still says ${still}`;
      const hint = `Translate it again with ${landform("copy extract")} and copy import, or change it here. If it is still right: ${landform("copy accept", dotted(path))}`;
      yield finding(one, message, hint);
    }
    const before = all.filter((one) => !isCaused(one));
    const [first] = before;
    if (first === undefined) return;
    const were = before.length === 1 ? "1 translation was" : `${before.length} translations were`;
    const message = `${were} stale before this change: ${first.path}${before.length > 1 ? ", …" : ""}`;
    yield finding(first, message, `${landform("check")} names them.`);
  },
});

function shortText(text: string): string {
  return JSON.stringify(shortened(text, LONGEST));
}

const LONGEST = 40;

export const lostLanguage = defineRule({
  id: "lost-language",
  about:
    "A language has lost most of its translations, or all of its pages: a column, a file or the language itself was renamed, or cells were emptied or hold the original text. `up` needs `--force`.",
  level: "error",
  unasked: "all",
  *check({ manifest, lost, changed }) {
    for (const { locale, home, emptied } of lost.languages) {
      const [first] = emptied;
      if (first !== undefined) yield { ...finding(first, lostText({ locale, home, emptied }), LOST_HINT), holds: true };
    }
    for (const one of replacedLanguages(manifest, changed)) {
      const { path, place, was } = one;
      yield { at: { path, place }, message: replacedText(one), hint: `Write ${was} again.`, holds: true };
    }
  },
});

function replacedText({ was, now, path, pages }: ReplacedLanguage): string {
  const near = didYouMean(now, [was]) || ".";
  const go = pages.length === 1 ? "goes" : "go";
  return `${path}: the language is "${now}" now${near} The pages of ${was} go, and pages of ${now} come instead: ${listed(pages, 5)} ${go} (${pages.length})`;
}

export const lostTranslation = defineRule({
  id: "lost-translation",
  about: "A translation is gone, and the page shows the original text in its place.",
  level: "warning",
  unasked: "of changes",
  *check({ manifest, lost }) {
    for (const one of lost.single) {
      const place = emptyPlaceOf(manifest, one) ?? one.source.place;
      const message = `${one.path}: ${instead(one.locale, manifest.sourceLocale)}, because this translation is gone`;
      yield { ...finding(one, message, "Put the translation back."), at: { path: one.path, place } };
    }
  },
});

const LOST_HINT = "Put the texts back: look at the name of the file or of its column, and at its cells.";

function lostText({ locale, home, emptied }: LostLanguage): string {
  const lost = counted(emptied.length, "translation");
  const isOfSource = emptied.every((one) => one.target === undefined || isOriginal(one));
  const shown = isOfSource ? "the original texts" : "empty texts";
  return `${nameOf(home)} has lost ${lost} (${locale}), and the pages would show ${shown}: ${namesOf(emptied)}`;
}

export const exchangedLanguage = defineRule({
  id: "exchanged-language",
  about:
    "In the last run, or when they were accepted, the texts of this column or file belonged to another language. `up` needs `--force`.",
  level: "error",
  unasked: "all",
  *check({ exchanged }) {
    for (const one of exchanged) {
      const [first] = one.moved;
      if (first !== undefined) yield { ...finding(first, exchangedText(one), EXCHANGED_HINT), holds: true };
    }
  },
});

const EXCHANGED_HINT = `Look at the names of the files or columns. If that is right, accept it: ${landform("copy accept")}.`;

function exchangedText({ locale, home, holds, moved }: ExchangedLanguage): string {
  const others = holds === "source" ? "the original texts" : `the texts of ${holds}`;
  return `${nameOf(home)}: ${moved.length} texts of ${locale} are now ${others}: ${namesOf(moved)}`;
}

function nameOf(home: string): string {
  return home.replace(/^(.*)#(.*)$/, "column $2 of $1");
}

function namesOf(translations: readonly Translation[]): string {
  return translations.map(({ path }) => path).join(", ");
}

export const untracked = defineRule({
  id: "untracked-translation",
  about: "Translations that nobody has accepted, so Landform can't tell when their sources change.",
  level: "warning",
  *check({ manifest, translations, standing }) {
    // If nothing is translated, the layers of different languages may overlap.
    if (manifest.sourceLocale === undefined) return;
    const own = translations.filter((one) => standing.get(one) === "untracked");
    for (const [file, [first, ...more]] of Map.groupBy(own, ({ home }) => home.name)) {
      if (first === undefined) continue;
      const { path, locale } = first;
      const others = more.length === 0 ? "" : ` and ${more.length} more of ${file}`;
      const message = `${path}${others}: nobody has accepted this translation (${locale}), so Landform can't tell when its source changes`;
      yield finding(first, message, `If it fits the source as it is now: ${landform("copy accept")}.`);
    }
  },
});

export const lostPlaceholder = defineRule({
  id: "lost-placeholder",
  about: "A translation has lost a {{placeholder}} of its source, or has a new one.",
  level: "error",
  unasked: "of changes",
  *check({ translations }) {
    for (const one of translations) {
      const { path, locale, source, target } = one;
      const difference = target && differenceOf(source.text, target.text);
      if (difference === undefined) continue;
      const message = `${path}: the translation (${locale}) ${difference}`;
      yield finding(one, message, "Placeholders stay as they are, in any order.");
    }
  },
});

/** Matches several words. A single word may be the same in many languages. */
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

function finding({ path, source, target, others }: Translation, message: string, hint?: string): Finding {
  const place = target?.place ?? source.place;
  const related = [{ place: source.place, message: "the source is here" }];
  return { at: { place, path }, message, related, hint, also: others };
}
