/**
 * Speed as ratios within one run, CPU, memory, and counts of API calls: `npm run bench -- [--pages 1000] [--pulumi]`.
 * Writes bench/RESULTS.md. `--pulumi`: on its engine, too.
 */
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { findPulumi } from "../scripts/get-pulumi.ts";
import { live, type Life } from "./lifecycle.ts";
import { resultsMarkdown } from "./report.ts";
import { measureStarts } from "./start.ts";

const { values } = parseArgs({ options: { pages: { type: "string", default: "1000" }, pulumi: { type: "boolean" } } });
const pages = Number(values.pages);

const starts = await measureStarts();
const lives: Life[] = [
  await live("embedded", "manifest", pages, undefined),
  await live("embedded", "program", pages, undefined),
];
if (values.pulumi === true) lives.push(await live("pulumi", "program", pages, findPulumi()));

const command = `npm run bench -- --pages ${pages}${values.pulumi === true ? " --pulumi" : ""}`;
const machine = `${cpus().length} cores, Node ${process.versions.node}`;
writeFileSync(new URL("RESULTS.md", import.meta.url), resultsMarkdown({ command, machine, pages, starts, lives }));
