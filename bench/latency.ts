/** How far an up is from what its calls take at least: so many of them at a time, each as long as the service takes. */
import { apiDefaults } from "../provider/api/config.ts";
import { live } from "./lifecycle.ts";

export interface AtLatency {
  readonly latency: number;
  readonly pages: number;
  readonly calls: number;
  /** From the first call to the last answer. */
  readonly callSeconds: number;
  readonly seconds: number;
  /** Calls × latency / calls at a time. */
  readonly leastSeconds: number;
}

export async function measureLatency(latency: number, pages: number): Promise<AtLatency> {
  const life = await live(
    { engine: "embedded", form: "manifest", size: { pages }, latency, steps: ["up from empty"] },
    undefined,
  );
  const took = life.took["up from empty"];
  if (took === undefined) throw new TypeError("nothing was measured");
  const calls = Object.values(took.calls).reduce((sum, count) => sum + count, 0);
  const leastSeconds = (calls * latency) / 1000 / apiDefaults.maxConcurrency;
  return { latency, pages, calls, callSeconds: took.callSeconds + latency / 1000, seconds: took.seconds, leastSeconds };
}
