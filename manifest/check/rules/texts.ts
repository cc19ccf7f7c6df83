/** Checks each text by itself: it is empty, a placeholder, or too long. */
import { z } from "zod";
import { didYouMean } from "../../../provider/values/nearest.ts";
import { matches, limitsBy } from "../../language/addresses.ts";
import { type ContentEntry, defineRule, type Finding, keySpot, mapIn } from "../subject.ts";
import type { Spot, Tree } from "../../declare/model.ts";
import { escaped, type Place } from "../../source/file.ts";
import { isMap } from "../../../provider/values/json.ts";
import { spotOf } from "../../declare/faults.ts";
import { placeholdersIn } from "../../../provider/values/placeholders.ts";

export const emptyText = defineRule({
  id: "empty-text",
  about: "A content key with nothing in it but blanks.",
  level: "warning",
  together: "if many",
  *check({ texts }) {
    for (const { value, spot, of, name } of texts) {
      if (of === undefined || value.trim() !== "" || isAltKey(name)) continue;
      yield { at: spot, message: `${spot.path} is empty`, hint: "Write the text, or leave the key out." };
    }
  },
});

/** TODO and its like count only in capitals: "todo" is a word in Spanish. */
const STAND_INS =
  /\blorem ipsum\b|\bdolor sit amet\b|(?<![\p{L}\p{N}])(?:TODO|TBD|FIXME|TK TK)(?![\p{L}\p{N}])|\[(?:placeholder|your [^\]]*|insert [^\]]*)\]/iu;
const EXACT = /^(?:TODO|TBD|FIXME|TK TK)$/i;

export const placeholderText = defineRule({
  id: "placeholder-text",
  about: "A placeholder for the final text: lorem ipsum, TODO, TBD, [your name].",
  level: "error",
  options: { words: z.array(z.string().min(1)).optional().describe("More words that count as placeholders.") },
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
        const message = `${spot.path} holds {{${name}}}, which is none of its variables${didYouMean(name, of.variables)}`;
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
        'The maximum number of characters, by content key or input (`publish.slug`), with * for any run of characters: `{ "hero.title": 60, "*.cta": 24 }`.',
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

let graphemes: Intl.Segmenter | undefined;

/** Counts as a reader does: an emoji of several code points is one. */
function lengthOf(text: string): number {
  // Loading the data of the segmenter takes a good part of the start, and few runs need it.
  graphemes ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return [...graphemes.segment(text)].length;
}

/** Matches any of these words as a whole. A word that begins or ends with a sign may stand next to letters there. */
function wordsExpression(words: readonly string[]): RegExp {
  const each = words.map((word) => {
    const [before, after] = [/^[\p{L}\p{N}]/u.test(word), /[\p{L}\p{N}]$/u.test(word)];
    const spaced = escaped(word).replaceAll(/\s+/g, "\\s+");
    return `${before ? "(?<![\\p{L}\\p{N}])" : ""}${spaced}${after ? "(?![\\p{L}\\p{N}])" : ""}`;
  });
  return new RegExp(each.join("|"), "iu");
}

export const forbiddenWords = defineRule({
  id: "forbidden-words",
  about: "A text has a forbidden word.",
  level: "error",
  options: {
    words: z.array(z.string().min(1)).optional().describe("Words, whole and in any case: `[guaranteed, risk free]`."),
  },
  *check({ texts }, { words = [] }) {
    if (words.length === 0) return;
    const expression = wordsExpression(words);
    for (const { value, spot } of texts) {
      const found = expression.exec(value)?.[0];
      if (found !== undefined) yield { at: spot, message: `${spot.path} says "${found}", which the rule forbids` };
    }
  },
});

export const requiredWords = defineRule({
  id: "required-words",
  about: "None of the texts has a required word.",
  level: "error",
  options: {
    words: z.array(z.string().min(1)).optional().describe("Words that each page or quiz must have, in any case."),
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

export const cutText = defineRule({
  id: "cut-text",
  about:
    "A text that YAML cuts off (at a # after a space, or as an anchor such as &name at the start), or reads as a list ([New]).",
  level: "warning",
  *check({ texts, contents }) {
    for (const { spot } of texts) yield* cutAt(spot);
    for (const one of contents)
      for (const [key, value] of Object.entries(one.content)) yield* listAt(keySpot(one, key), value);
  },
});

const QUOTE_HINT = "Put the whole text in quotes.";

function* cutAt(at: Spot): Generator<Finding> {
  const { file, start, end } = at.place;
  if (!isYaml(at.place) || /^["'|>]/.test(file.text.slice(start, end))) return;
  const [, comment] = /^[ \t]+(#(?!lint-off\b)[^\s#][^\r\n]*)/.exec(file.text.slice(end, end + 200)) ?? [];
  if (comment !== undefined)
    yield { at, message: `${at.path} ends before "${comment.slice(0, 30)}", which is a comment`, hint: QUOTE_HINT };
  const anchor = anchorBefore(at.place);
  if (anchor !== undefined)
    yield { at, message: `${at.path} begins behind "&${anchor}", an anchor that nothing refers to`, hint: QUOTE_HINT };
}

function anchorBefore({ file: { text }, start }: Place): string | undefined {
  const [, name] = /&([^\s,[\]{}]+)[ \t]+$/.exec(text.slice(Math.max(0, start - 200), start)) ?? [];
  if (name === undefined) return undefined;
  const isReferredTo = text.split(`*${name}`).some((rest, index) => index > 0 && /^(?:[\s,\]}]|$)/.test(rest));
  return isReferredTo ? undefined : name;
}

function* listAt(at: Spot, value: Tree): Generator<Finding> {
  const { file, start, end } = at.place;
  const written = file.text.slice(start, end);
  if (!isYaml(at.place) || !Array.isArray(value) || !/^\[[^[\]{},"']+\]$/.test(written)) return;
  yield { at, message: `${at.path} is a list of one text`, hint: `For a text with brackets, write "${written}".` };
}

function isYaml({ file }: Place): boolean {
  return /\.ya?ml$/i.test(file.name);
}

/** The last part of a content key that holds the address of a picture, or the picture's words. */
const SOURCE = /(^|[._-])(src|image|img|picture|photo)$/i;
const ALT = /(^|[._-])alt(?:[_-]?text)?$/i;

function isAltKey(key: string): boolean {
  return ALT.test(key);
}

export const missingAlt = defineRule({
  id: "missing-alt",
  about: "A picture without an alternative text.",
  level: "warning",
  together: "if many",
  *check({ contents }) {
    for (const one of contents) {
      yield* inContent(one);
      yield* inMarkup(one);
      yield* inNodes(one);
    }
  },
});

const ALT_HINT = "Say what the picture shows; for one that only decorates, switch the rule off on this line.";

/** An alternative text that is empty, or that still belongs to the template's picture. */
function* inContent(one: ContentEntry): Generator<Finding> {
  const { content, known } = one;
  for (const [key, value] of Object.entries(content)) {
    const at = keySpot(one, key);
    if (isAltKey(key) && typeof value === "string" && value.trim() === "")
      yield { at, message: `${at.path} is empty`, hint: ALT_HINT };
    if (!SOURCE.test(key)) continue;
    const alt = altOf(key, known?.keys ?? []);
    if (alt === undefined || Object.hasOwn(content, alt)) continue;
    yield { at, message: `${at.path} is a new picture, and its text "${alt}" is still the template's`, hint: ALT_HINT };
  }
}

function altOf(key: string, keys: readonly string[]): string | undefined {
  const stem = key.replace(SOURCE, "");
  return keys.find((name) => isAltKey(name) && (name.replace(ALT, "") === stem || name.replace(ALT, "") === key));
}

const IMAGES = /<img\b(?:[^>"']|"[^"]*"|'[^']*')*>/gi;

function* inMarkup(one: ContentEntry): Generator<Finding> {
  for (const [key, value] of Object.entries(one.content)) {
    if (typeof value !== "string" || !value.includes("<")) continue;
    const bare = [...value.matchAll(IMAGES)].find(([tag]) => !/\salt\s*=/i.test(tag));
    const at = keySpot(one, key);
    if (bare !== undefined) yield { at, message: `${at.path} has an <img> without alt`, hint: ALT_HINT };
  }
}

function* inNodes({ entry }: ContentEntry): Generator<Finding> {
  for (const [id, patch] of Object.entries(mapIn(entry.inputs["nodes"]))) {
    const misc = isMap(patch) ? patch["misc"] : undefined;
    if (!isMap(misc) || typeof misc["src"] !== "string" || misc["title"] !== undefined) continue;
    if (typeof misc["alt"] === "string" && misc["alt"].trim() !== "") continue;
    const at = spotOf(entry, ["nodes", id]);
    yield { at, message: `${at.path} sets the source of a picture and no alt`, hint: ALT_HINT };
  }
}
