/** The embedded engine in a process of its own, so that its memory can be told from the emulator's. Speaks over IPC. */
import { EmbeddedEngine } from "../test/pulumi/embedded.ts";
import type { OperationRequest } from "../test/pulumi/engine.ts";
import type { Sandbox } from "../test/pulumi/sandbox.ts";

export type BenchRequest = { readonly open: Sandbox } | { readonly run: OperationRequest };
export interface BenchReply {
  readonly error?: string;
  /** Highest resident memory of this process so far. */
  readonly peakMegabytes: number;
}

const engine = new EmbeddedEngine();

async function serve(request: BenchRequest): Promise<void> {
  if ("open" in request) return engine.open(request.open);
  const { result, output } = await engine.run(request.run);
  if (result !== "succeeded") throw new Error(output);
}

process.on("message", (request: BenchRequest) => {
  const peakMegabytes = (): number => Math.round(process.resourceUsage().maxRSS / 1024);
  serve(request).then(
    () => process.send?.({ peakMegabytes: peakMegabytes() }),
    (error: unknown) => process.send?.({ error: String(error), peakMegabytes: peakMegabytes() }),
  );
});
