/** Texts that YAML reads otherwise than they look: sound YAML, and hardly what was meant. */
import type { Spot, Tree } from "../../declarations/model.ts";
import type { Place } from "../../source/file.ts";
import { defineRule, type Finding } from "../rule.ts";
import { keySpot } from "../subject.ts";

export const cutText = defineRule({
  id: "cut-text",
  about: "A text that YAML cuts (#1 behind a blank, &name at its front), or takes for a list ([New]).",
  level: "warning",
  *check({ texts, contents }) {
    for (const { spot } of texts) yield* cutAt(spot);
    for (const one of contents)
      for (const [key, value] of Object.entries(one.content)) yield* listAt(keySpot(one, key), value);
  },
});

const HINT = "Put the whole text in quotes.";

function* cutAt(at: Spot): Generator<Finding> {
  const { file, start, end } = at.place;
  if (!isYaml(at.place) || /^["'|>]/.test(file.text.slice(start, end))) return;
  const [, comment] = /^[ \t]+(#(?!lint-off\b)[^\s#][^\r\n]*)/.exec(file.text.slice(end, end + 200)) ?? [];
  if (comment !== undefined)
    yield { at, message: `${at.path} ends before "${comment.slice(0, 30)}", which is a comment`, hint: HINT };
  const anchor = anchorBefore(at.place);
  if (anchor !== undefined)
    yield { at, message: `${at.path} begins behind "&${anchor}", an anchor that nothing refers to`, hint: HINT };
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
