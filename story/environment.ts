/** Tells a preview environment as a story for its change: its addresses beside those of the base. Pure. */
import type { EnvironmentDown, EnvironmentUp, PreviewPage } from "../stack/env/types.ts";
import { leftOutText, NOTHING_TOUCHED, pagesText, stayingText } from "../stack/env/show.ts";
import type { PagePicture, Pictures } from "../stack/report/shown.ts";
import { printableValue } from "../stack/report/printable.ts";
import { printMarkdown } from "./markdown.ts";
import type { Finding, Row, Section, Sentence, Story } from "./model.ts";
import { calledBy, titleOf } from "../stack/report/words.ts";
import { totalsText } from "../stack/report/verdict.ts";
import { counted, listed } from "../provider/values/wording.ts";
import { foldOf, GOES_ON, lookNotes, lookText, pictureText, screenText } from "./pictures.ts";

export type PreviewOutcome =
  | { readonly end: "up"; readonly up: EnvironmentUp; readonly pictures?: ShownPictures | undefined }
  | { readonly end: "down"; readonly down: EnvironmentDown; readonly why: string }
  /** An error ended it before anything else was known. */
  | { readonly end: "error"; readonly doing: "deployed" | "taken away"; readonly message: string };

/** The pictures that a code host keeps for a preview's note. */
export interface ShownPictures extends Pick<Pictures, "alike" | "missing" | "fromCode"> {
  readonly shown: readonly ShownPicture[];
  /** The number of pages whose pictures found no place. */
  readonly others: number;
  /** Why the code host keeps none. */
  readonly unkept?: string;
}

export interface ShownPicture {
  readonly picture: Omit<PagePicture, "before" | "after">;
  /** Undefined for a page that can't be shown. */
  readonly url?: string | undefined;
}

interface PreviewTold {
  readonly project: string;
  /** The environment's name. */
  readonly name: string;
  readonly outcome: PreviewOutcome;
  /** The line about the run. */
  readonly line: string;
}

/** The other part of the note needs most of the room. */
const LONGEST = 20_000;

export function previewMarkdown({ line, ...told }: PreviewTold, most = LONGEST): string {
  const largest = Math.min(most, LONGEST) - line.length - 2;
  return `${printMarkdown(previewStory(told), { largest, elsewhere: "the run's log" })}\n\n${line}`;
}

function previewStory(given: Omit<PreviewTold, "line">): Story {
  const { outcome, project, name } = printableValue(given);
  const { verdict, facts = [], ...parts } = partsOf(outcome);
  return {
    title: `Preview ${name}`,
    verdict: ["Preview ", { code: name }, verdict],
    facts: [[{ code: project }], ...facts],
    milliseconds: 0,
    ...{ urgent: [], summary: [], findings: [], sections: [], advice: [] },
    resources: { id: "changes", title: "", rows: [] },
    ...parts,
  };
}

interface Parts extends Pick<Story, "ending">, Partial<Pick<Story, "facts" | "urgent" | "sections" | "advice">> {
  /** Goes behind the preview's name. */
  readonly verdict: string;
}

function partsOf(outcome: PreviewOutcome): Parts {
  switch (outcome.end) {
    case "up":
      return partsOfUp(outcome.up, outcome.pictures);
    case "down":
      return partsOfDown(outcome.down, outcome.why);
    case "error":
      return { ending: "failed", verdict: ` could not be ${outcome.doing}`, urgent: [failure(outcome.message)] };
  }
}

function partsOfUp(up: EnvironmentUp, pictures: ShownPictures | undefined): Parts {
  const { code, environment, report, leftOut, besides = [], staying = 0, emptyOf } = up;
  if (emptyOf !== undefined && code === 0) return { ending: "look", verdict: ": none", facts: [NOTHING_TOUCHED] };
  const failed = report === undefined ? "failed" : `failed, ${totalsText(report)}`;
  return {
    ending: code === 0 ? "look" : "failed",
    verdict: `: ${code === 0 ? pagesText(up.pages) : failed}`,
    facts: [
      ...(environment?.base === undefined ? [] : [["a preview of ", { code: environment.base }]]),
      ...(besides.length === 0 ? [] : [`with ${listed(besides)}`]),
      ...(staying === 0 ? [] : [stayingText(staying)]),
      ...(environment === undefined ? [] : [`until ${environment.expiresAt.slice(0, 10)} at the latest`]),
      ...(environment?.hooks === true ? ["with hooks"] : []),
    ],
    urgent: (report?.failures ?? []).map(({ message, source }) => failure(message, source)),
    sections: [
      ...pageSections(up, pictures).map((one) => ({ ...one, isMain: true as const })),
      { id: "left-out", title: "Left out of the preview", rows: leftOut.map((one) => ({ text: leftOutText(one) })) },
    ].filter(({ rows }) => rows.length > 0),
  };
}

/** More pages than these, which look as before, are folded. */
const MOST_OTHERS = 5;

/** A reviewer opens the changed pages. They are never cut off behind the others. */
function pageSections({ pages, staying }: EnvironmentUp, pictures: ShownPictures | undefined): Section[] {
  const notes = pictures === undefined ? [] : pictureNotes(pictures);
  const all = (pictures?.shown ?? []).map(({ picture }) => picture);
  const pageRow = (page: PreviewPage): Row => {
    const shown = pictures?.shown.find(({ picture }) => picture.urn === page.urn);
    return { ...rowOf(page), ...(shown && lookOf(shown, foldOf(shown.picture, all))) };
  };
  const changed = pages.filter((one) => one.changed === true).map(pageRow);
  const others = pages.filter((one) => one.changed !== true).map(pageRow);
  if (changed.length === 0) return [{ id: "pages", title: "All pages of the preview", rows: others, notes }];
  const title = staying ? "Pages that lead to them" : "The other pages of the preview";
  return [
    { id: "changed", title: "Pages that the code changes", rows: changed, notes },
    { id: "pages", title, rows: others, isFolded: others.length > MOST_OTHERS },
  ];
}

function pictureNotes({ shown, others, unkept, ...looks }: ShownPictures): string[] {
  const both = shown.some(({ url, picture }) => url !== undefined && picture.kind === "changed");
  const have = others === 1 ? "has its" : "have their";
  return [
    ...(both ? ["Left: the public page. Right: the preview."] : []),
    ...lookNotes(looks),
    ...(others === 0 ? [] : [`${counted(others, "more page")} ${have} pictures only in the report of --html.`]),
    ...(unkept === undefined ? [] : [`The pictures could not be kept: ${unkept}.`]),
  ];
}

function failure(text: string, source?: string): Finding {
  return { weight: "failure", text, source };
}

function rowOf({ url, editUrl, baseUrl, ...one }: PreviewPage): Row {
  const place: Sentence =
    url === undefined ? ["draft", ...(editUrl === undefined ? [] : [", ", { link: editUrl }])] : [{ link: url }];
  const base: Sentence = baseUrl === undefined ? [] : [" (now: ", { link: baseUrl }, ")"];
  return { text: [`${calledBy(one)} `, ...place, ...base] };
}

function lookOf({ picture, url }: ShownPicture, fold: string | undefined): Pick<Row, "notes" | "image"> {
  if (picture.kind === "failed") return { notes: [`no picture: ${picture.notes.join(", ")}`] };
  const look = [`${screenText(picture)}: ${lookText(picture)}`, ...picture.notes];
  if (url === undefined) return { notes: [look.join(", ")] };
  const notes = [[...look, ...(picture.goesOn === true ? [GOES_ON] : [])].join(", ")];
  const sides = picture.kind === "changed" ? ", before and after" : "";
  return { notes, image: { url, alt: `${pictureText(picture)}${sides}`, fold } };
}

const MOST_RETIRED = 5;

function partsOfDown({ left, report }: EnvironmentDown, why: string): Parts {
  const retired = (report?.changes ?? []).filter(({ stays }) => stays === "retired").map(titleOf);
  const facts = [
    `taken away: ${why}`,
    ...(retired.length === 0 ? [] : [`stays in the account, emptied and retired: ${listed(retired, MOST_RETIRED)}`]),
  ];
  if (left.length === 0) return { ending: "gone", verdict: " is gone", facts };
  const rows = left.map(({ id, why: reason, ...one }): Row => ({ text: `${titleOf(one)}: ${reason}`, id }));
  return {
    ending: "warn",
    verdict: ` is gone, except for ${counted(left.length, "object")}`,
    facts,
    sections: [{ id: "left", title: "Still there", rows }],
    advice: [{ command: "env gc", arguments: [], reason: "tries again" }],
  };
}
