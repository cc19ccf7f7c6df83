/** The benchmark's results as Markdown. Pure. */

export interface Measurement {
  readonly title: string;
  readonly seconds: number;
  /** Calls of the service, by method and route. */
  readonly calls: Record<string, number>;
}

export interface Run {
  readonly engine: string;
  readonly measurements: readonly Measurement[];
  readonly peakMegabytes: number | undefined;
}

export function resultsMarkdown(runs: readonly Run[], { pages, machine }: { pages: number; machine: string }): string {
  const [embedded, real] = runs;
  const lines = [
    "# Results",
    "",
    `Written by \`npm run bench -- --pages ${pages}\` on ${machine}. Each page is made from a template and has one content key;`,
    "the service is the emulator, without latency; 16 resources at once. Pulumi's engine runs the program in the benchmark's own",
    "process, which has loaded the SDK already; the embedded one starts a process for it each time, as the command line does.",
    "",
    "| Step | Calls of the service | embedded | pulumi | pulumi / embedded |",
    "| --- | ---: | ---: | ---: | ---: |",
    ...(embedded?.measurements ?? []).map((step, index) => row(step, real?.measurements[index])),
    "",
    `Highest memory of an embedded engine's process, one a step: ${embedded?.peakMegabytes ?? "?"} MB (the program and the provider host are processes of their own).`,
    "",
    "## Calls by operation, embedded engine",
    "",
    ...(embedded?.measurements ?? []).flatMap(callLines),
  ];
  return `${lines.join("\n").trimEnd()}\n`;
}

function row(step: Measurement, other: Measurement | undefined): string {
  const ratio = other ? (other.seconds / step.seconds).toFixed(1) : "";
  return `| ${step.title} | ${total(step)} | ${seconds(step)} | ${other ? seconds(other) : "not measured"} | ${ratio} |`;
}

function callLines(step: Measurement): string[] {
  const calls = Object.entries(step.calls).sort(([, a], [, b]) => b - a);
  return [`- ${step.title}: ${calls.map(([call, count]) => `${count} × ${call}`).join(", ") || "none"}`];
}

function total({ calls }: Measurement): number {
  return Object.values(calls).reduce((sum, count) => sum + count, 0);
}

function seconds(step: Measurement): string {
  return `${step.seconds.toFixed(1)} s`;
}
