/**
 * Speed as ratios within one run, memory, and counts of API calls: `npm run bench -- [--pages 1000]`. Writes
 * bench/RESULTS.md. Times of one machine say nothing about another's; the ratio and the counts do.
 */
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { startEmulator, type Emulator } from "../emulator/index.ts";
import type { OperationKind } from "../test/pulumi/engine.ts";
import { pulumiPath } from "../test/pulumi/real.ts";
import { createSandbox, removeSandbox, type Sandbox } from "../test/pulumi/sandbox.ts";
import { EmbeddedInChild, RealPulumi, type BenchEngine } from "./engines.ts";
import { resultsMarkdown, type Measurement, type Run } from "./report.ts";

const { values } = parseArgs({ options: { pages: { type: "string", default: "1000" } } });
const pages = Number(values.pages);

function writeProgram(sandbox: Sandbox, headline: string): void {
  const text = `import { Page } from "landform";
export default async () => {
  for (let index = 0; index < ${pages}; index++) {
    new Page("page-" + index, { templateId: "tpl-hero", content: { "hero.title": index === 0 ? ${JSON.stringify(headline)} : "Hello" } });
  }
};
`;
  writeFileSync(join(sandbox.work, "index.js"), text);
}

async function measure(start: () => BenchEngine): Promise<Run> {
  const emulator = await startEmulator();
  process.env["LANDFORM_BASE_URL"] = emulator.baseUrl;
  process.env["LANDFORM_API_KEY"] = emulator.apiKey;
  const engine = start();
  const sandbox = createSandbox();
  const measurements: Measurement[] = [];
  const step = async (title: string, kind: OperationKind): Promise<void> => {
    measurements.push(await timed(emulator, title, () => engine.run({ sandbox, kind, options: { parallel: 16 } })));
    console.log(engine.name, measurements.at(-1));
    await engine.renew();
  };
  try {
    await engine.open(sandbox);
    writeProgram(sandbox, "Hello");
    await step(`up, ${pages} new pages`, "up");
    await step("preview, nothing changed", "preview");
    await step("first refresh after the apply", "refresh");
    await step("up, nothing changed", "up");
    writeProgram(sandbox, "Changed");
    await step("up, one content key changed", "up");
    await step("destroy", "destroy");
    return { engine: engine.name, measurements, peakMegabytes: engine.peakMegabytes() };
  } finally {
    await engine.close();
    removeSandbox(sandbox);
    await emulator.close();
  }
}

async function timed(emulator: Emulator, title: string, run: () => Promise<void>): Promise<Measurement> {
  emulator.requests.length = 0;
  const start = performance.now();
  await run();
  const seconds = (performance.now() - start) / 1000;
  const calls = new Map<string, number>();
  for (const { method, route } of emulator.requests) {
    const call = `${method} ${route}`;
    calls.set(call, (calls.get(call) ?? 0) + 1);
  }
  return { title, seconds, calls: Object.fromEntries(calls) };
}

process.env["PATH"] = `${fileURLToPath(new URL("../node_modules/.bin", import.meta.url))}:${process.env["PATH"] ?? ""}`;
const runs = [await measure(() => new EmbeddedInChild())];
if (pulumiPath) runs.push(await measure(() => new RealPulumi()));
else console.log("No Pulumi engine here (npm run get-pulumi): measured on the embedded engine alone.");
const machine = `${cpus().length} cores, Node ${process.versions.node}`;
writeFileSync(new URL("RESULTS.md", import.meta.url), resultsMarkdown(runs, { pages, machine }));
