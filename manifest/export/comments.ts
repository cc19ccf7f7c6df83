/** What comments of the written code say, in both languages. */
import { registry, type Kind } from "../../provider/registry.ts";
import { settingsOf, type LeftOut, type Model } from "./model.ts";

const PAGE =
  "The API doesn't show template, tags, product label, delay, variables, nodes: what you declare of them is managed.";

/** The same of a copy, in which every page that needs a template has one. */
const PAGE_OF_COPY =
  "The API doesn't show tags, product label, delay, variables, nodes: declare what the copy is to have of them.";

/** Inputs that the API never shows, so that no export has them. */
const HIDDEN: Partial<Record<Kind, string>> = {
  project: "A project's context (the brand brief) is not shown by the API.",
  site: "A site's description is not shown by the API.",
  page: PAGE,
  quiz: PAGE,
  product: "Not shown by the API, and so not here: variants, tiers, bundle items, trust badges, subscription terms.",
  videoPlayer: "Not shown by the API, and so not here: language, colour, controls, autoplay, muted, loop.",
};

export const HOOKS =
  "Hooks: the API never lists subscriptions, so none are here. Those that are declared are made anew.";

/** What stands above everything. `later` is what a later export does. */
export function headComment(model: Model, later: string): string[] {
  const title = commentText(model.title);
  if (!model.copy) return [`Exported from ${title}. ${later}`];
  const settings = settingsOf(model);
  const [first = ""] = settings;
  const only = [
    "Some things only you can tell, such as a page's template. Set each before the first run, or write the id instead:",
    `landform config set ${first} ID`,
    'One template for all pages is named by "landform export --as-new --template ID".',
  ];
  return [
    `A copy of ${title}: "landform up" makes everything of this anew.`,
    "Comments tell where something stands in for what the API doesn't show.",
    ...(settings.length > 0 ? only : []),
  ];
}

/** What stands above the things of a kind. */
export function sectionComment(model: Model, kind: Kind): string[] {
  const there = model.resources.some((resource) => resource.kind === kind && !("context" in resource.inputs));
  const told = kind === "quiz" && model.resources.some((resource) => resource.kind === "page");
  const hidden = model.copy && HIDDEN[kind] === PAGE ? PAGE_OF_COPY : HIDDEN[kind];
  const left = model.leftOut.filter((one) => one.kind === kind).map(leftOutText);
  return [...(there && !told && hidden !== undefined ? [hidden] : []), ...left];
}

/** Left-out things of kinds that have no others. */
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

/** A comment in lines of a width that can be read. */
export function commentLines(text: string): string[] {
  const lines: string[] = [];
  for (const word of commentText(text).split(" ")) {
    const line = lines.at(-1);
    if (line === undefined || line.length + word.length >= WIDTH) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}

/** A text that can't end the comment it stands in, nor hide what follows. */
export function commentText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ")
    .replaceAll("*/", "* /");
}
