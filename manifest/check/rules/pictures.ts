/** Pictures without words for those who don't see them. */
import { isMap } from "../../../provider/values/json.ts";
import { spotOf } from "../../declare/check.ts";
import { defineRule, type Finding } from "../rule.ts";
import { keySpot, mapIn, type ContentEntry } from "../subject.ts";

/** The last part of a content key that holds a picture's address, and of its words. */
const SOURCE = /(^|[._-])(src|image|img|picture|photo)$/i;
const ALT = /(^|[._-])alt(?:[_-]?text)?$/i;

export function isAltKey(key: string): boolean {
  return ALT.test(key);
}

export const missingAlt = defineRule({
  id: "missing-alt",
  about: "A picture without an alternative text.",
  level: "warning",
  *check({ contents }) {
    for (const one of contents) {
      yield* inContent(one);
      yield* inMarkup(one);
      yield* inNodes(one);
    }
  },
});

const HINT = "Say what the picture shows; for one that only decorates, switch the rule off on this line.";

/** An alternative text that is empty, or that still belongs to the template's picture. */
function* inContent(one: ContentEntry): Generator<Finding> {
  const { content, known } = one;
  for (const [key, value] of Object.entries(content)) {
    const at = keySpot(one, key);
    if (isAltKey(key) && typeof value === "string" && value.trim() === "")
      yield { at, message: `${at.path} is empty`, hint: HINT };
    if (!SOURCE.test(key)) continue;
    const alt = altOf(key, known?.keys ?? []);
    if (alt === undefined || Object.hasOwn(content, alt)) continue;
    yield { at, message: `${at.path} is a picture of its own, and "${alt}" is still the template's`, hint: HINT };
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
    if (bare !== undefined) yield { at, message: `${at.path} has an <img> without alt`, hint: HINT };
  }
}

function* inNodes({ entry }: ContentEntry): Generator<Finding> {
  for (const [id, patch] of Object.entries(mapIn(entry.inputs["nodes"]))) {
    const misc = isMap(patch) ? patch["misc"] : undefined;
    if (!isMap(misc) || typeof misc["src"] !== "string" || misc["title"] !== undefined) continue;
    if (typeof misc["alt"] === "string" && misc["alt"].trim() !== "") continue;
    const at = spotOf(entry, ["nodes", id]);
    yield { at, message: `${at.path} sets the source of a picture and no alt`, hint: HINT };
  }
}
