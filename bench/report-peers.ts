/** The comparisons as Markdown: other tools, Pulumi's checkpoints, memory and state. Pure. */
import { MODES, type Checkpoints } from "./checkpoints.ts";
import { kilobytes, megabytes, seconds, total } from "./format.ts";
import type { Memory } from "./memory.ts";
import { PEER_STEPS, type PeerStep } from "./peer-tools.ts";
import type { PeerResult, Peers } from "./peers.ts";
import { plotSvg, type Line } from "./plot.ts";

export function peerLines({ pages, latency, rounds, peers, leftOut, inputBytes }: Peers): string[] {
  const gone = peers.filter(({ failed }) => failed !== undefined);
  return [
    `${pages} pages, ten products, five funnels; ${latency} ms of latency; medians of ${rounds} interleaved ${rounds === 1 ? "run" : "runs"}. In a cell: time, CPU of all processes, the largest process, calls.`,
    ...leftOut.map((what) => `Left out: ${what}.`),
    ...gone.map(({ title, failed }) => `Given up: ${title}, at ${failed ?? ""}.`),
    "",
    `| | ${peers.map(({ title }) => title).join(" | ")} |`,
    `| --- | ${peers.map(() => "---:").join(" | ")} |`,
    ...PEER_STEPS.map((step) => `| ${step} | ${peers.map((peer) => cell(peer, step)).join(" | ")} |`),
    `| state, to the account as JSON | ${peers.map(({ stateBytes }) => stateCell(stateBytes, inputBytes)).join(" | ")} |`,
  ];
}

function cell({ took }: PeerResult, step: PeerStep): string {
  const one = took[step];
  if (one === undefined) return "-";
  return `${seconds(one.seconds)}, ${seconds(one.cpuSeconds)}, ${megabytes(one)}, ${total(one)}`;
}

function stateCell(bytes: number, inputBytes: number): string {
  return bytes === 0 ? "-" : `${kilobytes(bytes)}, ${(bytes / inputBytes).toFixed(1)}`;
}

/** Facts that the table doesn't show. */
export const PEER_NOTES = [
  "Each tool as it is usually used, with a folder for its state. An up of landform plans first, and so does one of OpenTofu; `pulumi` is run as landform runs it,",
  "and its up has no preview before it. Bare resources have the same inputs and a provider that does nothing. The hand-written provider makes one call each for",
  "a page's creation, texts and publication, reads a page and its content map, and makes an object twice where an answer is lost. With OpenTofu a page is three objects, which its",
  "provider reads twice a plan, and what somebody changed in a text is no drift.",
];

const DRAWN: readonly PeerStep[] = [
  "preview from empty",
  "up from empty",
  "preview without changes",
  "up without changes",
  "refresh",
  "drift of 1 %",
  "up of one content key",
  "destroy",
];

export interface Plot {
  /** The file's name in bench/plots. */
  readonly name: string;
  readonly title: string;
  readonly svg: string;
}

/** Makes a plot for each latency at which more than one size was measured. */
export function plotsOf(all: readonly Peers[]): Plot[] {
  const latencies = [...new Set(all.map(({ latency }) => latency))].sort((a, b) => a - b);
  return latencies.flatMap((latency) => {
    const cells = all.filter((one) => one.latency === latency).sort((a, b) => a.pages - b.pages);
    return cells.length < 2 ? [] : DRAWN.flatMap((step) => plotOf(step, latency, cells));
  });
}

function plotOf(step: PeerStep, latency: number, cells: readonly Peers[]): Plot[] {
  const titles = [...new Set(cells.flatMap(({ peers }) => peers.map(({ title }) => title)))];
  const lines = titles.map((title): Line => {
    const points = cells.flatMap(({ pages, peers }) => {
      const took = peers.find((peer) => peer.title === title)?.took[step];
      return took === undefined ? [] : [{ pages, seconds: took.seconds }];
    });
    return { title, points };
  });
  const title = `${step}, ${latency} ms a call`;
  const name = `${step.replaceAll(" %", "-percent").replaceAll(" ", "-")}-${latency}-ms.svg`;
  const drawn = lines.filter(({ points }) => points.length > 0);
  return drawn.length === 0 ? [] : [{ name, title, svg: plotSvg(title, drawn) }];
}

export function checkpointLines({ pages, rounds, took, leftOut }: Checkpoints): string[] {
  return [
    `landform on Pulumi's own engine, a program of ${pages} pages and ten products; medians of ${rounds} interleaved ${rounds === 1 ? "run" : "runs"}. Pulumi's default writes the state at each step;`,
    "the command line has it written once at the end.",
    ...leftOut.map((what) => `Left out: ${what}.`),
    "",
    "| State in | Written | up | CPU | Calls | destroy | CPU | Calls |",
    "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ...Object.entries(took).flatMap(([place, modes]) =>
      MODES.map((mode) => {
        const cells = [modes[mode].up, modes[mode].destroy].map(
          (one) => `${seconds(one.seconds)} | ${seconds(one.cpuSeconds)} | ${total(one)}`,
        );
        return `| ${place} | ${mode} | ${cells.join(" | ")} |`;
      }),
    ),
  ];
}

export function memoryLines({ pages, lives, inputBytes }: Memory): string[] {
  return [
    `The largest process of each command, ${pages} pages, ten products, five funnels, without latency; and what a page takes in the state, beside its declaration as JSON`,
    `(${Math.round(inputBytes)} bytes).`,
    "",
    `| | ${lives.map(({ title }) => title).join(" | ")} |`,
    `| --- | ${lives.map(() => "---:").join(" | ")} |`,
    ...PEER_STEPS.map((step) => {
      const cells = lives.map(({ took }) => (took[step] === undefined ? "-" : megabytes(took[step])));
      return `| ${step} | ${cells.join(" | ")} |`;
    }),
    `| a page in the state | ${lives.map(({ pageBytes = NaN }) => `${Math.round(pageBytes)} bytes, ${(pageBytes / inputBytes).toFixed(2)}`).join(" | ")} |`,
  ];
}
