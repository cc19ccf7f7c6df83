/** Makes the machine's key anew, again and again: PULUMI_HOME and how often are handed in. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { machineKey } from "../../cli/history/keys.ts";

const { home, times } = workerData as { home: string; times: number };
const keys: string[] = [];
for (let time = 0; time < times; time++) {
  if (time > 0) rmSync(join(home, "landform/history.key"));
  keys.push(machineKey({ PULUMI_HOME: home }));
}
parentPort?.postMessage(keys);
