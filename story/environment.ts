/** Tells a preview environment as a story for its change: its addresses beside those of the base. Pure. */
import type { EnvironmentDown, EnvironmentUp, PreviewPage } from "../stack/env/types.ts";
import { leftOutText, pagesText } from "../stack/env/show.ts";
import type { Report } from "../stack/report/model.ts";
import { printableValue } from "../stack/report/printable.ts";
import { printMarkdown } from "./markdown.ts";
import type { Finding, Row, Section, Sentence, Story } from "./model.ts";
import { titleOf } from "../stack/report/words.ts";
import { totalsText, type Ending } from "../stack/report/verdict.ts";

export type PreviewOutcome =
  | { readonly end: "up"; readonly up: EnvironmentUp }
  | { readonly end: "down"; readonly down: EnvironmentDown; readonly why: string }
  /** An error ended it before anything else was known. */
  | { readonly end: "error"; readonly doing: "deployed" | "taken away"; readonly message: string };

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
  const about = (ending: Ending, verdict: Sentence[], facts: Sentence[], parts: Partial<Story> = {}): Story => ({
    title: `Preview ${name}`,
    ending,
    verdict: ["Preview ", { code: name }, ...verdict.flat()],
    facts: [[{ code: project }], ...facts],
    milliseconds: 0,
    ...{ urgent: [], summary: [], findings: [] },
    resources: { id: "changes", title: "", rows: [] },
    sections: [],
    advice: [],
    ...parts,
  });
  switch (outcome.end) {
    case "up":
      return upStory(outcome.up, about);
    case "down":
      return downStory(outcome.down, outcome.why, about);
    case "error":
      return about("failed", [` could not be ${outcome.doing}`], [], { urgent: [failure(outcome.message)] });
  }
}

type About = (ending: Ending, verdict: Sentence[], facts: Sentence[], parts?: Partial<Story>) => Story;

function upStory({ code, environment, report, pages, leftOut }: EnvironmentUp, about: About): Story {
  const verdict = code === 0 ? pagesText(pages) : failedText(report);
  const facts: Sentence[] = [
    ...(environment?.base === undefined ? [] : [["a preview of ", { code: environment.base }]]),
    ...(environment === undefined ? [] : [`until ${environment.expiresAt.slice(0, 10)} at the latest`]),
    ...(environment?.hooks === true ? ["with hooks"] : []),
  ];
  return about(code === 0 ? "look" : "failed", [`: ${verdict}`], facts, {
    urgent: (report?.failures ?? []).map(({ message, source }) => failure(message, source)),
    sections: [
      pageSections(pages).map((one) => ({ ...one, isMain: true as const })),
      section(
        "left-out",
        "Left out of the preview",
        leftOut.map((one) => ({ text: leftOutText(one) })),
      ),
    ].flat(),
  });
}

/** A reviewer opens the changed pages. They are never cut off behind the others. */
function pageSections(pages: readonly PreviewPage[]): Section[] {
  const changed = pages.filter((one) => one.changed === true);
  const others = pages.filter((one) => one.changed !== true);
  if (changed.length === 0 || others.length === 0)
    return section("pages", "All pages of the preview", pages.map(pageRow));
  return [
    ...section("changed", "Pages that the code changes", changed.map(pageRow)),
    ...section("pages", "The other pages of the preview", others.map(pageRow)),
  ];
}

function section(id: string, title: string, rows: readonly Row[]): Section[] {
  return rows.length === 0 ? [] : [{ id, title, rows }];
}

function failure(text: string, source?: string): Finding {
  return { weight: "failure", text, source };
}

function failedText(report: Report | undefined): string {
  return report === undefined ? "failed" : `failed, ${totalsText(report)}`;
}

function pageRow({ url, editUrl, baseUrl, ...one }: PreviewPage): Row {
  const place: Sentence =
    url === undefined ? ["draft", ...(editUrl === undefined ? [] : [", ", { link: editUrl }])] : [{ link: url }];
  const base: Sentence = baseUrl === undefined ? [] : [" (now: ", { link: baseUrl }, ")"];
  return { text: [`${titleOf(one)} `, ...place, ...base] };
}

function downStory({ left }: EnvironmentDown, why: string, about: About): Story {
  if (left.length === 0) return about("gone", [" is gone"], [`taken away: ${why}`]);
  const rows = left.map(({ id, why: reason, ...one }): Row => ({ text: `${titleOf(one)}: ${reason}`, id }));
  const count = left.length === 1 ? "1 object" : `${left.length} objects`;
  return about("warn", [` is gone, except for ${count}`], [`taken away: ${why}`], {
    sections: [{ id: "left", title: "Still there", rows }],
    advice: [{ command: "env gc", arguments: [], reason: "tries again" }],
  });
}
