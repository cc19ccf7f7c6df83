/** The goals, the measured values, and if they are met. Pure. */
import type { Took } from "./command.ts";
import { seconds, total } from "./format.ts";
import type { Life } from "./lifecycle.ts";
import type { Memory } from "./memory.ts";
import { type PeerStep, PLAIN_PULUMI, PROGRAM_ON_PULUMI } from "./peer-tools.ts";
import type { Peers } from "./peers.ts";
import type { Results } from "./results.ts";
import type { Growth } from "./scale.ts";
import { BARE_ON_PULUMI, FLOOR, type WithoutChanges } from "./without-changes.ts";

export interface Goal {
  readonly what: string;
  readonly atMost: number;
  /** Undefined if it was not measured. */
  readonly measured: number | undefined;
  readonly unit: "" | " s" | " MB" | " calls";
  /** The same by CPU, if the goal is about time. */
  readonly byCpu?: number | undefined;
}

export function goalsOf(results: Results): Goal[] {
  const { start, without, calls, latency, scale, memory, pictures, peers } = results;
  return [
    ...startGoals(start?.measured ?? {}),
    ...withoutGoals(without?.measured),
    ...callGoals(calls?.measured[0]),
    ...(latency?.measured ?? []).map(({ latency: ms, pages, callSeconds, leastSeconds }): Goal => {
      return ratio(`up, ${pages} pages at ${ms} ms: its calls, to the least`, 1.15, callSeconds / leastSeconds);
    }),
    ...(scale === undefined ? [] : growthGoals(scale.measured)),
    ...memoryGoals(memory?.measured),
    {
      ...{ what: "20 changed pages in pictures, CPU of all processes", atMost: 90, unit: " s" },
      measured: pictures?.measured.with.cpuSeconds,
    },
    ...(peers ?? []).flatMap(({ command, measured }) => (command.includes("--pulumi") ? peerGoals(measured) : [])),
  ];
}

export function goalLines(goals: readonly Goal[]): string[] {
  return [
    "| | At most | Measured | By CPU | Met |",
    "| --- | ---: | ---: | ---: | --- |",
    ...goals.map((goal) => {
      const { what, atMost, measured, unit, byCpu } = goal;
      const told = measured === undefined ? "-" : figure(measured, unit);
      const met = measured === undefined ? "not measured" : measured <= atMost ? "yes" : "no";
      return `| ${what} | ${atMost}${unit} | ${told} | ${byCpu === undefined ? "" : figure(byCpu, unit)} | ${met} |`;
    }),
  ];
}

function figure(value: number, unit: Goal["unit"]): string {
  if (unit === " s") return seconds(value);
  return unit === "" ? value.toFixed(2) : `${Math.round(value)}${unit}`;
}

function ratio(what: string, atMost: number, measured: number | undefined, byCpu?: number): Goal {
  return { what, atMost, measured, unit: "", byCpu };
}

/** Compares the first with the second. */
function between(what: string, atMost: number, one: Took | undefined, other: Took | undefined): Goal {
  if (one === undefined || other === undefined) return ratio(what, atMost, undefined);
  return ratio(what, atMost, one.seconds / other.seconds, one.cpuSeconds / other.cpuSeconds);
}

function startGoals(took: Readonly<Record<string, Took>>): Goal[] {
  const base = took["node -e 0"];
  const timed = (title: string, atMost: number): Goal => {
    return { what: title, atMost, measured: took[title]?.seconds, unit: " s", byCpu: took[title]?.cpuSeconds };
  };
  return [
    between("`landform --version`, to `node -e 0`", 2, took["landform --version"], base),
    between("`landform --help`, to `node -e 0`", 2, took["landform --help"], base),
    { what: "`landform check`, CPU", atMost: 0.2, measured: took["landform check"]?.cpuSeconds, unit: " s" },
    ...["landform.yaml", "program"].flatMap((form) => [
      timed(`landform preview, ${form}, 10 resources`, 1),
      timed(`landform up --yes, ${form}, 10 resources`, 1.5),
    ]),
  ];
}

function withoutGoals(without: WithoutChanges | undefined): Goal[] {
  const { pages = 1_000, took = {} } = without ?? {};
  const size = `${pages} pages without changes:`;
  const [preview, up] = [took["preview, program"], took["up, program"]];
  return [
    between(`${size} preview of a program, to the floor`, 1.3, preview, took[FLOOR]),
    between(`${size} preview of a program, to Pulumi's bare resources`, 0.5, preview, took[BARE_ON_PULUMI]),
    between(`${size} up of a program, to its preview`, 1.2, up, preview),
  ];
}

function callGoals(life: Life | undefined): Goal[] {
  if (life === undefined) return [];
  const { took, size } = life;
  const up = took["up from empty"]?.calls ?? {};
  const eachPage = Object.values(up).reduce((sum, count) => sum + Math.floor(count / size.pages), 0);
  const objects = Math.ceil(size.pages / 100) + 4;
  const [refresh, change] = [took.refresh, took["up of one content key"]];
  const counted = (what: string, atMost: number, measured: number | undefined): Goal => {
    return { what, atMost, measured, unit: " calls" };
  };
  return [
    counted("a page, up from empty: five, and the map", 6, eachPage),
    counted(
      `a refresh of ${size.pages} pages: one per 100 of each kind, and 6`,
      objects + 6,
      refresh && total(refresh),
    ),
    counted("one changed key, with its plan", 10, change && total(change)),
  ];
}

function growthGoals({ small, large }: Growth): Goal[] {
  const factor = large.size.pages / small.size.pages;
  const steps = Object.entries(large.took).map(([step, one]) => ({
    step,
    one,
    before: small.took[step as keyof typeof small.took],
  }));
  const ratios = steps.map(({ one, before }) => one.cpuSeconds / (before?.cpuSeconds ?? NaN) / factor);
  const largest = Math.max(...steps.map(({ one }) => one.megabytes));
  return [
    ratio(`growth of the CPU to ${large.size.pages} pages, the step that grows most`, 1.1, Math.max(...ratios)),
    { what: `largest process, ${large.size.pages} pages`, atMost: 1_000, measured: largest, unit: " MB" },
  ];
}

function memoryGoals(memory: Memory | undefined): Goal[] {
  const { pages = 100, inputBytes = NaN, lives = [] } = memory ?? {};
  const largest = (title: string, measured: number | undefined): Goal => {
    return { what: `largest process, ${pages} pages${title}`, atMost: 150, measured, unit: " MB" };
  };
  const page = "a page in the state, to its declaration as JSON";
  if (lives.length === 0) return [largest("", undefined), ratio(page, 3, undefined)];
  return lives.flatMap(({ title, took, pageBytes = NaN }) => [
    largest(`, ${title}`, Math.max(...Object.values(took).map((one) => one.megabytes))),
    ratio(`${page}, ${title}`, 3, pageBytes / inputBytes),
  ]);
}

/** An up of landform plans first. Pulumi's own is measured without its preview. */
const TO_PLAIN_PULUMI: Readonly<Partial<Record<PeerStep, number>>> = {
  "preview from empty": 1.15,
  "up from empty": 1.5,
  "preview without changes": 1.15,
  "up without changes": 1.5,
  refresh: 1.15,
  "up of one content key": 1.5,
  destroy: 1.15,
};

function peerGoals({ pages, peers }: Peers): Goal[] {
  const [own, plain] = [PROGRAM_ON_PULUMI, PLAIN_PULUMI].map((title) => peers.find((peer) => peer.title === title));
  return Object.entries(TO_PLAIN_PULUMI).map(([name, atMost]) => {
    const step = name as PeerStep;
    const what = `${pages} pages, ${step}: landform on Pulumi's engine, to pulumi alone`;
    return between(what, atMost, own?.took[step], plain?.took[step]);
  });
}
