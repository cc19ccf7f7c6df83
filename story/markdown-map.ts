/** The touched funnels as a map of their steps, in the language that code hosts draw. Pure. */
import type { ChangeOp } from "../stack/report/model.ts";

interface MappedFunnel {
  name: string;
  steps?: readonly { pageType: string; to?: string; op?: ChangeOp }[];
}

/** A map of more boxes is read by nobody. */
const MOST_FUNNELS = 8;
const MOST_STEPS = 12;

export function funnelMap(funnels: readonly MappedFunnel[]): string[] {
  const known = funnels.filter(({ steps = [] }) => steps.length > 0).slice(0, MOST_FUNNELS);
  if (known.length === 0) return [];
  const touched = known.flatMap((funnel, index) =>
    (funnel.steps ?? [])
      .slice(0, MOST_STEPS)
      .flatMap(({ op }, step) => (op === undefined ? [] : [`f${index}s${step}`])),
  );
  return [
    "",
    "```mermaid",
    "flowchart LR",
    ...known.flatMap(funnelLines),
    ...(touched.length === 0
      ? []
      : ["classDef touched stroke:#d97706,stroke-width:3px", `class ${touched.join(",")} touched`]),
    "```",
  ];
}

function funnelLines({ name, steps = [] }: MappedFunnel, index: number): string[] {
  const shown = steps.slice(0, MOST_STEPS);
  const boxes = shown.map(({ pageType, to, op }, step) => `f${index}s${step}["${boxText(pageType, to, op)}"]`);
  const more = steps.length > shown.length ? [`f${index}more["${steps.length - shown.length} more"]`] : [];
  return [`subgraph f${index}["${plain(name)}"]`, [...boxes, ...more].join(" --> "), "end"];
}

function boxText(pageType: string, to: string | undefined, op: ChangeOp | undefined): string {
  const where = to === undefined ? "new" : plain(to);
  return `${where}<br/>${plain(pageType)}${op === undefined ? "" : ` (${op})`}`;
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
