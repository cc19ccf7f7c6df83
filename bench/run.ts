/**
 * Speed as ratios within one run, CPU, memory, and counts of API calls: `npm run bench -- [PART...] [--pages 200] [--pulumi]`.
 * Parts: start, calls, lives, without, entry, latency, scale; all of them where none is named. What is measured is kept in
 * bench/results.json, and bench/RESULTS.md is written from all of it. `--pulumi`: lives on its engine, too.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { findPulumi } from "../scripts/get-pulumi.ts";
import { measureLatency } from "./latency.ts";
import { live } from "./lifecycle.ts";
import { resultsMarkdown, type Part, type Results } from "./report.ts";
import { measureOneEntry } from "./one-entry.ts";
import { measureGrowth } from "./scale.ts";
import { measureStarts } from "./start.ts";
import { measureWithoutChanges } from "./without-changes.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { pages: { type: "string" }, rounds: { type: "string" }, pulumi: { type: "boolean" } },
});
const pages = (usual: number): number => Number(values.pages ?? usual);
const embedded = { engine: "embedded", form: "manifest" } as const;

const parts: { readonly [Name in keyof Required<Results>]: () => Promise<Required<Results>[Name]["measured"]> } = {
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
  without: () => measureWithoutChanges(pages(1_000), Number(values.rounds ?? 5)),
  entry: () => measureOneEntry(pages(1_000), Number(values.rounds ?? 3)),
  latency: async () => [
    await measureLatency(25, pages(200)),
    await measureLatency(100, pages(200)),
    await measureLatency(100, pages(200) * 5),
  ],
  scale: () => measureGrowth(pages(10_000)),
};

const kept = new URL("results.json", import.meta.url);
const names = Object.keys(parts) as (keyof Results)[];
const unknown = positionals.filter((name) => !(names as string[]).includes(name));
if (unknown.length > 0) throw new Error(`there is no part ${unknown.join(", ")}: ${names.join(", ")}`);
for (const name of names.filter((one) => positionals.length === 0 || positionals.includes(one))) {
  const part: Part<unknown> = {
    command: ["npm run bench --", ...process.argv.slice(2)].join(" "),
    machine: `${cpus().length} cores, load ${(loadavg()[0] ?? 0).toFixed(1)} before, Node ${process.versions.node}`,
    at: new Date().toISOString().slice(0, 10),
    measured: await parts[name](),
  };
  const before = (existsSync(kept) ? JSON.parse(readFileSync(kept, "utf8")) : {}) as Results;
  const results: Results = { ...before, [name]: part };
  writeFileSync(kept, `${JSON.stringify(results)}\n`);
  writeFileSync(new URL("RESULTS.md", import.meta.url), resultsMarkdown(results));
}
