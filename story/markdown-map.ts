/** Rows of steps as a map, in the language that code hosts draw. Pure. */
import { plain as wordsOf, type Row, type Step } from "./model.ts";

/** A map of more boxes is read by nobody. */
const MOST_ROWS = 8;
const MOST_STEPS = 12;

export function flowMap(rows: readonly Row[]): string[] {
  const known = rows.filter(({ steps = [] }) => steps.length > 0).slice(0, MOST_ROWS);
  if (known.length === 0) return [];
  const touched = known.flatMap((funnel, index) =>
    (funnel.steps ?? [])
      .slice(0, MOST_STEPS)
      .flatMap(({ mark }, step) => (mark === undefined ? [] : [`f${index}s${step}`])),
  );
  return [
    "",
    "```mermaid",
    "flowchart LR",
    ...known.flatMap(rowLines),
    ...(touched.length === 0
      ? []
      : ["classDef touched stroke:#d97706,stroke-width:3px", `class ${touched.join(",")} touched`]),
    "```",
  ];
}

function rowLines({ text, steps = [] }: Row, index: number): string[] {
  const shown = steps.slice(0, MOST_STEPS);
  const boxes = shown.map((step, place) => `f${index}s${place}["${boxText(step)}"]`);
  const more = steps.length > shown.length ? [`f${index}more["${steps.length - shown.length} more"]`] : [];
  return [`subgraph f${index}["${plain(wordsOf(text))}"]`, [...boxes, ...more].join(" --> "), "end"];
}

function boxText({ title, kind, mark }: Step): string {
  return `${plain(title)}<br/>${plain(kind)}${mark === undefined ? "" : ` (${mark.word})`}`;
}

const LONGEST = 40;

/** Nothing that the drawing's language or HTML has a meaning for: of names, letters and digits are enough to know them. */
function plain(text: string): string {
  const kept = text
    .replace(/[^\p{L}\p{N}\p{M} ./_-]/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  const cut = kept.slice(0, LONGEST).toWellFormed();
  // The one word that ends a block.
  return cut.replace(/\bend\b/gi, (word) => `${word[0] ?? ""}\u2060${word.slice(1)}`) || "…";
}
