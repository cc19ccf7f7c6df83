/**
 * Measures speed as ratios within one run, CPU, memory, and counts of API calls: `npm run bench -- [PART...] [--pages 200] [--pulumi]`. Parts: start,
 * calls, lives, without, entry, latency, scale, memory, pictures, checkpoints, peers; without a name, all of them. It keeps the results in bench/results.json,
 * part by part, and writes bench/RESULTS.md and bench/plots from all of them. `--pulumi`: also measures lives on Pulumi's engine, and of the peers what
 * landform adds to Pulumi alone. `--rounds 5`: the
 * rounds of repeated parts. Peers take lists, `--pages 50,200,1000 --latency 0,25,100`, and keep each size at each latency by itself.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { findPulumi } from "../scripts/get-pulumi.ts";
import { measureCheckpoints } from "./checkpoints.ts";
import { measureLatency } from "./latency.ts";
import { live } from "./lifecycle.ts";
import { measureMemory } from "./memory.ts";
import { measurePeers, type Peers } from "./peers.ts";
import { measurePictures } from "./pictures.ts";
import { plotsOf } from "./report-peers.ts";
import { resultsMarkdown } from "./report.ts";
import type { Part, Results } from "./results.ts";
import { measureOneEntry } from "./one-entry.ts";
import { measureGrowth } from "./scale.ts";
import { measureStarts } from "./start.ts";
import { measureWithoutChanges } from "./without-changes.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pages: { type: "string" },
    latency: { type: "string" },
    rounds: { type: "string" },
    pulumi: { type: "boolean" },
  },
});
const listed = (text: string): number[] => text.split(",").map(Number);
const pages = (usual: number): number => listed(values.pages ?? String(usual))[0] ?? usual;
const rounds = (usual: number): number => Number(values.rounds ?? usual);
const embedded = { engine: "embedded", form: "manifest" } as const;

type Once = Required<Omit<Results, "peers">>;
const parts: { readonly [Name in keyof Once]: () => Promise<Once[Name]["measured"]> } = {
  start: async () => Object.fromEntries(await measureStarts()),
  calls: async () => [
    await live({ ...embedded, size: { pages: pages(50) } }, undefined),
    await live({ ...embedded, size: { pages: pages(50), variables: true } }, undefined),
  ],
  lives: async () => {
    const size = { pages: pages(200) };
    const program = { form: "program", size } as const;
    return [
      await live({ ...embedded, size }, undefined),
      await live({ engine: "embedded", ...program }, undefined),
      ...(values.pulumi === true ? [await live({ engine: "pulumi", ...program }, findPulumi())] : []),
    ];
  },
  without: () => measureWithoutChanges(pages(1_000), rounds(5)),
  entry: () => measureOneEntry(pages(1_000), rounds(3)),
  latency: async () => [
    await measureLatency(25, pages(200)),
    await measureLatency(100, pages(200)),
    await measureLatency(100, pages(200) * 5),
  ],
  scale: () => measureGrowth(pages(10_000)),
  memory: () => measureMemory(pages(100)),
  pictures: () => measurePictures(pages(20)),
  checkpoints: () => measureCheckpoints(pages(200), rounds(1)),
};

const FOLDER = new URL("./", import.meta.url);
const KEPT = new URL("results.json", FOLDER);
const PLOTS = new URL("plots/", FOLDER);

/** Names a part that fails, and goes on with the others. */
async function measured<Measured>(
  title: string,
  measure: () => Promise<Measured>,
): Promise<Part<Measured> | undefined> {
  const load = (loadavg()[0] ?? 0).toFixed(1);
  try {
    return {
      command: ["npm run bench --", ...process.argv.slice(2)].join(" "),
      machine: `${cpus().length} cores, load ${load} before, Node ${process.versions.node}`,
      at: new Date().toISOString().slice(0, 10),
      measured: await measure(),
    };
  } catch (error) {
    console.error(`The part ${title} failed:`, error);
    process.exitCode = 1;
    return undefined;
  }
}

function keep(change: (before: Results) => Results): void {
  const results = change((existsSync(KEPT) ? JSON.parse(readFileSync(KEPT, "utf8")) : {}) as Results);
  writeFileSync(KEPT, `${JSON.stringify(results)}\n`);
  writeFileSync(new URL("RESULTS.md", FOLDER), resultsMarkdown(results));
  mkdirSync(PLOTS, { recursive: true });
  for (const { name, svg } of plotsOf((results.peers ?? []).map((part) => part.measured)))
    writeFileSync(new URL(name, PLOTS), svg);
}

async function keepPeers(size: number, latency: number): Promise<void> {
  const part = await measured(`peers, ${size} pages, ${latency} ms`, () =>
    measurePeers(size, { latency, rounds: rounds(3), forPulumi: values.pulumi === true }),
  );
  if (part === undefined) return;
  const isOther = ({ measured: one }: Part<Peers>): boolean => one.pages !== size || one.latency !== latency;
  const order = (a: Part<Peers>, b: Part<Peers>): number =>
    a.measured.latency - b.measured.latency || a.measured.pages - b.measured.pages;
  keep((before) => ({ ...before, peers: [...(before.peers ?? []).filter(isOther), part].sort(order) }));
}

const names = [...(Object.keys(parts) as (keyof Once)[]), "peers" as const];
const unknown = positionals.filter((name) => !(names as string[]).includes(name));
if (unknown.length > 0) throw new Error(`there is no part ${unknown.join(", ")}: ${names.join(", ")}`);
for (const name of names.filter((one) => positionals.length === 0 || positionals.includes(one))) {
  if (name === "peers") {
    for (const latency of listed(values.latency ?? "0"))
      for (const size of listed(values.pages ?? "50")) await keepPeers(size, latency);
  } else {
    const part = await measured<unknown>(name, parts[name]);
    if (part !== undefined) keep((before) => ({ ...before, [name]: part }));
  }
}
