/** Compares an up with the least time that its calls need: so many at a time, each as long as the service takes. */
import { fileURLToPath } from "node:url";
import { startEmulator } from "../emulator/index.ts";
import { apiDefaults } from "../provider/api/config.ts";
import { node } from "./command.ts";
import { live } from "./lifecycle.ts";

export interface AtLatency {
  readonly latency: number;
  readonly pages: number;
  readonly calls: number;
  /** The time from the first call to the last answer. */
  readonly callSeconds: number;
  readonly seconds: number;
  /** Calls × latency / calls at a time. */
  readonly leastSeconds: number;
  /** The time that as many calls take in a client that does nothing else. */
  readonly bareSeconds?: number;
}

const CLIENT = fileURLToPath(new URL("bare-client.mjs", import.meta.url));

export async function measureLatency(latency: number, pages: number): Promise<AtLatency> {
  const life = await live(
    { engine: "embedded", form: "manifest", size: { pages }, latency, steps: ["up from empty"] },
    undefined,
  );
  const took = life.took["up from empty"];
  if (took === undefined) throw new TypeError("nothing was measured");
  const calls = Object.values(took.calls).reduce((sum, count) => sum + count, 0);
  const leastSeconds = (calls * latency) / 1000 / apiDefaults.maxConcurrency;
  const callSeconds = took.callSeconds + latency / 1000;
  return {
    latency,
    pages,
    calls,
    callSeconds,
    seconds: took.seconds,
    leastSeconds,
    bareSeconds: await bare(latency, calls),
  };
}

async function bare(latency: number, calls: number): Promise<number> {
  const emulator = await startEmulator({ latency });
  const place = { folder: import.meta.dirname, emulator, env: process.env };
  const { callSeconds } = await node(place, CLIENT, String(calls), String(apiDefaults.maxConcurrency));
  await emulator.close();
  return callSeconds + latency / 1000;
}
