/** The benchmark's results as Markdown. Pure. */
import type { Took } from "./command.ts";
import { kilobytes, megabytes, seconds, total } from "./format.ts";
import { goalLines, goalsOf } from "./goals.ts";
import type { AtLatency } from "./latency.ts";
import type { Life } from "./lifecycle.ts";
import type { OneEntry } from "./one-entry.ts";
import type { Peers } from "./peers.ts";
import { REASONS, STEPS, type StepTitle } from "./reasons.ts";
import { checkpointLines, memoryLines, PEER_NOTES, peerLines, plotsOf } from "./report-peers.ts";
import type { PreviewPictures } from "./pictures.ts";
import type { Part, Results } from "./results.ts";
import type { Growth } from "./scale.ts";
import { FLOOR, type WithoutChanges } from "./without-changes.ts";

export function resultsMarkdown(results: Results): string {
  const { start, calls, lives, without, entry, latency, scale, memory, pictures, checkpoints, peers = [] } = results;
  return [
    "# Results",
    "",
    "Written by `npm run bench`, part by part; each says when and by what. Whole processes, as a user starts them; the service is the emulator.",
    "Times of one machine say nothing about another's: ratios within one run and counts of calls do.",
    "",
    "## Goals",
    "",
    "Of the parts below, as they were measured last. A ratio is one of times within one run.",
    "",
    ...goalLines(goalsOf(results)),
    "",
    ...section("Start", start, startLines),
    ...section("Calls, and why each is made", calls, callLines),
    ...section("The life of an account", lives, lifeLines),
    ...section("Without changes", without, withoutLines),
    ...section("One entry", entry, entryLines),
    ...section("Latency", latency, latencyLines),
    ...section("Growth", scale, growthLines),
    ...section("Memory and state", memory, memoryLines),
    ...section("Pictures of a preview", pictures, pictureLines),
    ...section("When Pulumi writes its state", checkpoints, checkpointLines),
    ...(peers.length === 0 ? [] : ["## Beside other tools", "", ...PEER_NOTES, "", ...plotLines(peers)]),
    ...peers.flatMap((one) =>
      section(`Beside other tools: ${one.measured.pages} pages, ${one.measured.latency} ms a call`, one, peerLines),
    ),
  ].join("\n");
}

function section<Measured>(
  title: string,
  part: Part<Measured> | undefined,
  lines: (measured: Measured) => string[],
): string[] {
  if (part === undefined) return [];
  const by = `\`${part.command}\`, ${part.at}, ${part.machine}.`;
  return [`## ${title}`, "", by, "", ...lines(part.measured), ""];
}

function pictureLines({ pages, pairs, with: took, without }: PreviewPictures): string[] {
  return [
    `The preview of ${pages} pages that have all changed, in a report with ${pairs} pairs of pictures. CPU of all processes, the browser's too: the`,
    "time on one core.",
    "",
    "| `env up` | Time | CPU |",
    "| --- | ---: | ---: |",
    `| without pictures | ${seconds(without.seconds)} | ${seconds(without.cpuSeconds)} |`,
    `| with \`--html\` | ${seconds(took.seconds)} | ${seconds(took.cpuSeconds)} |`,
    "",
    "Unchanged pages of four templates: of 512 pictures on 2026-11-29 none differed, at a load of 16.",
    '`LANDFORM_TESTS=soak npx vitest run --maxWorkers=1 test/browser/pictures.test.ts -t "none differs"`',
  ];
}

function plotLines(peers: readonly Part<Peers>[]): string[] {
  const plots = plotsOf(peers.map(({ measured }) => measured));
  return plots.flatMap(({ name, title }) => [`![Time against the number of pages: ${title}](plots/${name})`, ""]);
}

function startLines(took: Readonly<Record<string, Took>>): string[] {
  const base = took["node -e 0"]?.seconds ?? NaN;
  return [
    "Medians of 7 interleaved runs; CPU of all processes of a command. Nothing has changed, so no call is made.",
    "",
    "| Command | Time | to `node -e 0` | CPU | Calls |",
    "| --- | ---: | ---: | ---: | ---: |",
    ...Object.entries(took).map(
      ([title, one]) =>
        `| \`${title}\` | ${seconds(one.seconds)} | ${(one.seconds / base).toFixed(1)} | ${seconds(one.cpuSeconds)} | ${total(one)} |`,
    ),
  ];
}

function callLines(lives: readonly Life[]): string[] {
  const [plain, variables] = lives;
  const pages = plain?.size.pages ?? 0;
  return [
    `${pages} pages of twenty texts each, from a template and published on one site, ten products and five funnels in one project; the second column has`,
    "`variables` for the placeholders of the template. The same counts are a test (`test/calls`).",
    "",
    ...STEPS.flatMap((step) => stepLines(step, plain?.took[step], variables?.took[step])),
    ...PROMISES,
  ];
}

function stepLines(step: StepTitle, plain: Took | undefined, variables: Took | undefined): string[] {
  const calls = Object.keys({ ...plain?.calls, ...variables?.calls }).sort(
    (a, b) => (variables?.calls[b] ?? 0) - (variables?.calls[a] ?? 0) || (a < b ? -1 : 1),
  );
  const sums = [plain, variables].map((took) => (took === undefined ? "-" : total(took)));
  if (calls.length === 0) return [`### ${step}: none`, ""];
  return [
    `### ${step}: ${sums.join(" / ")}`,
    "",
    "| Call | Without | With variables | Why |",
    "| --- | ---: | ---: | --- |",
    ...calls.map(
      (call) =>
        `| ${call} | ${plain?.calls[call] ?? 0} | ${variables?.calls[call] ?? 0} | ${REASONS[step][call] ?? "?"} |`,
    ),
    "",
  ];
}

/** Steps that could make fewer calls by giving up a promise. */
const PROMISES = [
  "### What is kept, though it costs a call",
  "",
  "- **A page that is made: seven, not five and a map.** The seventh reads the builder after the publication. Edits of others in a later draft",
  "  are told from it, by name; the content map shows fields alone, and dates tell nothing where a service doesn't move them.",
  "- **With variables two more**: the texts that hold a placeholder have to be read before it is replaced, since the page forgets it, and a",
  "  changed value could not be rendered again.",
  "- **One changed key: four for its plan, and ten.** Beside the account, content, readiness and publication: what is written over (for",
  "  undo), edits of others before and after, what the service made of the text, whether somebody moved the page, and updated_at,",
  "  without which the next refresh would read the map.",
];

function lifeLines(lives: readonly Life[]): string[] {
  return [
    "| Step | Engine | Form | Pages | Time | CPU | Largest process | Calls |",
    "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: |",
    ...lives.flatMap(lifeRows),
  ];
}

function lifeRows({ engine, form, size, took }: Life): string[] {
  return Object.entries(took).map(([step, one]) => {
    const used = `${seconds(one.seconds)} | ${seconds(one.cpuSeconds)} | ${megabytes(one)} | ${total(one)}`;
    return `| ${step} | ${engine} | ${form === "manifest" ? "landform.yaml" : "program"} | ${size.pages} | ${used} |`;
  });
}

function withoutLines({ pages, rounds, took }: WithoutChanges): string[] {
  const floor = took[FLOOR];
  return [
    `${pages} pages, ten products, five funnels; medians of ${rounds} interleaved runs. The goal of a program's preview is 1.3 of the floor, of its up 1.2 of its preview.`,
    "",
    "| | Time | CPU | to the floor (CPU) | to the program's preview (CPU) |",
    "| --- | ---: | ---: | ---: | ---: |",
    ...Object.entries(took).map(([title, one]) => {
      const to = (other: Took | undefined): string => (one.cpuSeconds / (other?.cpuSeconds ?? NaN)).toFixed(2);
      return `| ${title} | ${seconds(one.seconds)} | ${seconds(one.cpuSeconds)} | ${to(floor)} | ${to(took["preview, program"])} |`;
    }),
  ];
}

function entryLines({ pages, rounds, lines, took }: OneEntry): string[] {
  return [
    `${pages} pages of twenty texts each: a landform.yaml of ${lines.entry} lines with one entry and \`each\` over a CSV file, beside the same pages written out in ${lines.written} lines.`,
    `Medians of ${rounds} interleaved runs; the ratio is that of the CPU.`,
    "",
    "| | One entry | CPU | Written out | CPU | Ratio | Calls |",
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ...Object.entries(took).map(([title, { entry, written }]) => {
      const ratio = (entry.cpuSeconds / written.cpuSeconds).toFixed(2);
      return `| ${title} | ${used(entry)} | ${used(written)} | ${ratio} | ${total(entry)} / ${total(written)} |`;
    }),
  ];
}

function used(took: Took): string {
  return `${seconds(took.seconds)} | ${seconds(took.cpuSeconds)}`;
}

function latencyLines(all: readonly AtLatency[]): string[] {
  return [
    "An up from empty of a landform.yaml on the embedded engine. The least is calls × latency / calls at a time (16, the default); the goal is 1.15 of it.",
    "The bare client is a process that makes as many calls and does nothing else.",
    "",
    "| Latency | Pages | Calls | Least | Bare client | Ratio | First call to last answer | Ratio | Whole command |",
    "| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ...all.map(({ latency, pages, calls, leastSeconds, bareSeconds = NaN, callSeconds, seconds: whole }) =>
      [
        "",
        `${latency} ms`,
        pages,
        calls,
        seconds(leastSeconds),
        seconds(bareSeconds),
        (bareSeconds / leastSeconds).toFixed(2),
        seconds(callSeconds),
        (callSeconds / leastSeconds).toFixed(2),
        seconds(whole),
        "",
      ]
        .join(" | ")
        .trim(),
    ),
  ];
}

function growthLines({ small, large, bytes, printed }: Growth): string[] {
  const factor = large.size.pages / small.size.pages;
  return [
    `The embedded engine with ${small.size.pages} and with ${large.size.pages} pages (one entry of a landform.yaml over a CSV file). Growth is CPU(${large.size.pages}) / CPU(${small.size.pages}) / ${factor}: 1 is linear.`,
    "",
    "| Step | CPU | CPU | Growth | Largest process | Calls |",
    "| --- | ---: | ---: | ---: | ---: | ---: |",
    ...STEPS.flatMap((step) => {
      const [a, b] = [small.took[step], large.took[step]];
      if (a === undefined || b === undefined) return [];
      const growth = (b.cpuSeconds / a.cpuSeconds / factor).toFixed(2);
      return [
        `| ${step} | ${seconds(a.cpuSeconds)} | ${seconds(b.cpuSeconds)} | ${growth} | ${megabytes(b)} | ${total(b)} |`,
      ];
    }),
    "",
    `State after the up: ${kilobytes(bytes.small)} and ${kilobytes(bytes.large)}. Printed by the up: ${kilobytes(printed.small)} and ${kilobytes(printed.large)}.`,
  ];
}
