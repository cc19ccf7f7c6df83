/** Plots time against the number of pages as an SVG, both axes logarithmic, one line a tool. Pure. */
export interface Line {
  readonly title: string;
  readonly points: readonly { readonly pages: number; readonly seconds: number }[];
}

const WIDTH = 900;
const HEIGHT = 420;
const PLOT = { left: 64, right: 520, top: 44, bottom: 364 };
const LABEL_HEIGHT = 17;

/** Most eyes can tell these apart, on light and dark grounds. The dashes tell them apart without colour. */
const COLOURS = ["#2a86c8", "#d55e00", "#009e73", "#b8860b", "#cc5fa3", "#5a8fd6", "#7f7f7f"];
const DASHES = ["", "8 3", "2 3", "10 3 2 3", "5 2", "1 4", "14 4"];

/** The plot has its own ground, so that it is readable everywhere. */
const STYLE = `
  .ground { fill: #ffffff } text { fill: #24292f; font: 13px system-ui, sans-serif } .title { font-size: 15px; font-weight: 600 }
  .grid { stroke: #d0d7de; stroke-width: 1 } .line { fill: none; stroke-width: 2 }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #0d1117 } text { fill: #e6edf3 } .grid { stroke: #30363d }
  }
`;

export function plotSvg(title: string, lines: readonly Line[]): string {
  const points = lines.flatMap((line) => line.points);
  const x = scale(
    points.map(({ pages }) => pages),
    PLOT.left + 12,
    PLOT.right - 12,
  );
  const [low, high] = decades(points.map(({ seconds }) => seconds));
  const y = scale([low, high], PLOT.bottom, PLOT.top);
  const sizes = [...new Set(points.map(({ pages }) => pages))].sort((a, b) => a - b);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escaped(title)}">`,
    `<style>${STYLE}</style>`,
    `<rect class="ground" width="${WIDTH}" height="${HEIGHT}" rx="6"/>`,
    `<text class="title" x="${PLOT.left}" y="24">${escaped(title)}</text>`,
    ...ticks(low, high).map((value) => horizontal(y(value), `${value} s`)),
    ...sizes.map((size) => vertical(x(size), String(size))),
    text((PLOT.left + PLOT.right) / 2, HEIGHT - 14, "middle", "pages (logarithmic)"),
    `<text transform="translate(16 ${(PLOT.top + PLOT.bottom) / 2}) rotate(-90)" text-anchor="middle">time (logarithmic)</text>`,
    ...lines.map((line, index) => drawn(line, index, x, y)),
    ...labels(lines, y),
    "</svg>",
    "",
  ].join("\n");
}

type Scale = (value: number) => number;

/** A single value stands in the middle. */
function scale(values: readonly number[], from: number, to: number): Scale {
  const [low, high] = [Math.log10(Math.min(...values)), Math.log10(Math.max(...values))];
  if (low === high) return () => (from + to) / 2;
  return (value) => round(from + ((Math.log10(value) - low) / (high - low)) * (to - from));
}

function decades(values: readonly number[]): [number, number] {
  const low = 10 ** Math.floor(Math.log10(Math.min(...values)));
  const high = 10 ** Math.ceil(Math.log10(Math.max(...values)));
  return [low, high === low ? low * 10 : high];
}

function ticks(low: number, high: number): number[] {
  const all: number[] = [];
  for (let decade = low; decade <= high * 1.01; decade *= 10)
    all.push(...[1, 2, 5].map((step) => Number((step * decade).toPrecision(1))));
  return all.filter((value) => value <= high * 1.01);
}

function drawn({ points }: Line, index: number, x: Scale, y: Scale): string {
  const [colour, dash] = looks(index);
  const places = points.map(({ pages, seconds }) => [x(pages), y(seconds)] as const);
  const path = places.map((place) => place.join(",")).join(" ");
  return [
    `<polyline class="line" stroke="${colour}" stroke-dasharray="${dash}" points="${path}"/>`,
    ...places.map(([cx, cy]) => `<circle cx="${cx}" cy="${cy}" r="3.5" fill="${colour}"/>`),
  ].join("");
}

/** Goes from the slowest line down. Each label is as near to the end of its line as the label above allows. */
function labels(lines: readonly Line[], y: Scale): string[] {
  const ends = lines
    .map(({ title, points }, index) => ({ title, index, at: y(points.at(-1)?.seconds ?? NaN) }))
    .sort((a, b) => a.at - b.at);
  let lowest = PLOT.top;
  return ends.map(({ title, index, at }, order) => {
    const room = (ends.length - 1 - order) * LABEL_HEIGHT;
    const place = Math.max(lowest, Math.min(at, PLOT.bottom - room));
    lowest = place + LABEL_HEIGHT;
    const [colour, dash] = looks(index);
    const from = PLOT.right + 10;
    return [
      `<line class="line" stroke="${colour}" stroke-dasharray="${dash}" x1="${from}" x2="${from + 26}" y1="${place}" y2="${place}"/>`,
      text(from + 32, place + 4, "start", title),
    ].join("");
  });
}

function looks(index: number): [string, string] {
  return [COLOURS[index % COLOURS.length] ?? "", DASHES[index % DASHES.length] ?? ""];
}

function horizontal(at: number, label: string): string {
  return `<line class="grid" x1="${PLOT.left}" x2="${PLOT.right}" y1="${at}" y2="${at}"/>${text(PLOT.left - 6, at + 4, "end", label)}`;
}

function vertical(at: number, label: string): string {
  return `<line class="grid" x1="${at}" x2="${at}" y1="${PLOT.top}" y2="${PLOT.bottom}"/>${text(at, PLOT.bottom + 18, "middle", label)}`;
}

function text(x: number, y: number, anchor: string, content: string): string {
  return `<text x="${x}" y="${y}" text-anchor="${anchor}">${escaped(content)}</text>`;
}

function escaped(content: string): string {
  return content.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
