/** The comments in written code, in both languages. */
import { landform } from "../../provider/values/command-line.ts";
import type { AnyDefinition } from "../../provider/definition/define.ts";
import { registry, type Kind } from "../../provider/kinds/registry.ts";
import { settingsOf, type LeftOut, type Model } from "../match/model.ts";

const ALL = Object.entries(registry) as [Kind, AnyDefinition][];

/** Returns the comment at the top. `later` says how a later export behaves. */
export function headComment(model: Model, later: string): string[] {
  const title = commentText(model.title);
  if (!model.copy) return [`Exported from ${title}. ${later}`];
  const settings = settingsOf(model);
  const [first = ""] = settings;
  const only = [
    "Some things only you can tell, such as a page's template. Set each before the first run, or write the id instead:",
    landform("config set", first, "ID"),
    `One template for all pages is named by "${landform("export", "--as-new", "--template", "ID")}".`,
  ];
  return [
    `A copy of ${title}: "${landform("up")}" makes everything of this anew.`,
    "Comments tell where something stands in for what the API doesn't show.",
    ...(settings.length > 0 ? only : []),
  ];
}

/** Returns the comment above the objects of a kind. It doesn't repeat the comment of another kind. */
export function sectionComment(model: Model, kind: Kind): string[] {
  const hidden = hiddenIn(model, kind);
  const said = ALL.slice(0, KINDS.indexOf(kind)).some(([earlier]) => hiddenIn(model, earlier) === hidden);
  const left = model.leftOut.filter((one) => one.kind === kind).map(leftOutText);
  return [...(hidden !== undefined && !said ? [hidden] : []), ...left];
}

const KINDS = ALL.map(([kind]) => kind);

/** Returns the fields that the API never shows of this kind, if the model has such objects. */
function hiddenIn({ resources, copy }: Model, kind: Kind): string | undefined {
  const { exporting }: AnyDefinition = registry[kind];
  const { text, ofCopy = text, unless = "" } = exporting?.hidden ?? {};
  const there = resources.some((resource) => resource.kind === kind && !(unless in resource.inputs));
  return there ? (copy ? ofCopy : text) : undefined;
}

/** Returns a comment on the kinds that the API never lists. */
export function neverListed(): string[] {
  return ALL.flatMap(([, { collection, exporting }]) => (collection ? [] : (exporting?.hidden?.text ?? [])));
}

/** Returns the left-out objects of kinds that have no others. */
export function leftOutOnly(model: Model): string[] {
  const kinds = new Set(model.resources.map(({ kind }) => kind));
  return model.leftOut.filter(({ kind }) => !kinds.has(kind)).map(leftOutText);
}

function leftOutText({ kind, id, name, reason }: LeftOut): string {
  return `Left out: ${registry[kind].kind} ${JSON.stringify(name)} (${id}), ${reason}.`;
}

export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const WIDTH = 116;

/** Wraps comments into readable lines, each behind the mark of the language. */
export function comment(texts: readonly string[], mark: string): string {
  return texts
    .flatMap(commentLines)
    .map((line) => mark + line)
    .join("\n");
}

function commentLines(text: string): string[] {
  const lines: string[] = [];
  for (const word of commentText(text).split(" ")) {
    const line = lines.at(-1);
    if (line === undefined || line.length + word.length >= WIDTH) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}

/** Returns a text that can neither end its comment nor hide what follows. */
export function commentText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ")
    .replaceAll("*/", "* /");
}
