/** The benchmark's results as Markdown. Pure. */
import type { Took } from "./command.ts";
import type { Life } from "./lifecycle.ts";
import type { Starts } from "./start.ts";

export interface Results {
  readonly command: string;
  readonly machine: string;
  readonly pages: number;
  readonly starts: Starts;
  readonly lives: readonly Life[];
}

export function resultsMarkdown({ command, machine, pages, starts, lives }: Results): string {
  return [
    "# Results",
    "",
    `Written by \`${command}\` on ${machine}. Whole processes, as a user starts them; the service is the emulator, without latency.`,
    "Times of one machine say nothing about another's: ratios within one run and counts of calls do.",
    "",
    "## Start",
    "",
    "Medians of 7 interleaved runs; CPU of all processes of a command. Nothing has changed, so no call is made but those of the preflight.",
    "",
    "| Command | Time | to `node -e 0` | CPU | Calls |",
    "| --- | ---: | ---: | ---: | ---: |",
    ...startRows(starts),
    "",
    `## ${pages} pages`,
    "",
    `${pages} pages of a template with two variables, each with one content key and published on one site, in one project.`,
    "",
    "| Step | Engine | Form | Time | CPU | Largest process | Calls |",
    "| --- | --- | --- | ---: | ---: | ---: | ---: |",
    ...lives.flatMap(lifeRows),
    "",
    "## Calls by operation",
    "",
    ...lives.slice(0, 1).flatMap(({ steps }) => Object.entries(steps).map(callLine)),
    "",
  ].join("\n");
}

function startRows(starts: Starts): string[] {
  const base = starts.get("node -e 0")?.seconds ?? NaN;
  return [...starts].map(
    ([title, took]) =>
      `| \`${title}\` | ${seconds(took.seconds)} | ${(took.seconds / base).toFixed(1)} | ${seconds(took.cpuSeconds)} | ${total(took)} |`,
  );
}

function lifeRows({ engine, form, steps }: Life): string[] {
  return Object.entries(steps).map(([title, took]) => {
    const used = `${seconds(took.seconds)} | ${seconds(took.cpuSeconds)} | ${Math.round(took.megabytes)} MB | ${total(took)}`;
    return `| ${title} | ${engine} | ${form === "manifest" ? "landform.yaml" : "program"} | ${used} |`;
  });
}

function callLine([title, { calls }]: [string, Took]): string {
  const most = Object.entries(calls).sort(([, a], [, b]) => b - a);
  return `- ${title}: ${most.map(([call, count]) => `${count} × ${call}`).join(", ") || "none"}`;
}

function total({ calls }: Took): number {
  return Object.values(calls).reduce((sum, count) => sum + count, 0);
}

function seconds(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : 1)} s`;
}
