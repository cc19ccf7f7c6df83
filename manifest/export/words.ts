/** What comments of the written code say, in both languages. */
import { registry, type Kind } from "../../provider/registry.ts";
import type { LeftOut, Model } from "./model.ts";

/** Inputs that the API never shows, so that no export has them. */
const HIDDEN: Partial<Record<Kind, string>> = {
  project: "A project's context (the brand brief) is not shown by the API.",
  site: "A site's description is not shown by the API.",
  page: "Not shown by the API, and so not here: template, tags, product label, delay, variables, nodes. What is declared is managed.",
  quiz: "Not shown by the API, and so not here: template, tags, product label, delay, variables, nodes. What is declared is managed.",
  product: "Not shown by the API, and so not here: variants, tiers, bundle items, trust badges, subscription terms.",
  videoPlayer: "Not shown by the API, and so not here: language, colour, controls, autoplay, muted, loop.",
};

export const HOOKS =
  "Hooks: the API never lists subscriptions, so none are here. Those that are declared are made anew.";

/** What stands above the things of a kind. */
export function sectionComment(model: Model, kind: Kind): string[] {
  const hidden = HIDDEN[kind];
  const there = model.resources.some((resource) => resource.kind === kind && !("context" in resource.inputs));
  const left = model.leftOut.filter((one) => one.kind === kind).map(leftOutText);
  return [...(there && hidden !== undefined ? [hidden] : []), ...left];
}

/** Left-out things of kinds that have no others. */
export function leftOutOnly(model: Model): string[] {
  const kinds = new Set(model.resources.map(({ kind }) => kind));
  return model.leftOut.filter(({ kind }) => !kinds.has(kind)).map(leftOutText);
}

function leftOutText({ kind, id, name, reason }: LeftOut): string {
  return `Left out: ${registry[kind].kind} ${JSON.stringify(name)} (${id}), ${reason}.`;
}

/** A text that can't end the comment it stands in, nor hide what follows. */
export function commentText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ")
    .replaceAll("*/", "* /");
}
