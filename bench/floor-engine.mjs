/**
 * The floor of a preview of a program: the SDK's own runner registers bare resources, and an engine answers at once, with no
 * state, no provider and nothing to decide. Run as a process of its own in the folder of such a program.
 */
import process from "node:process";
import { Events } from "../dist/engine/events.js";
import { loadSdk } from "../dist/engine/host/sdk.js";
import { createUrn } from "../dist/engine/model/urn.js";
import { serveMonitor } from "../dist/engine/program/monitor.js";
import { locate, startProgram } from "../dist/engine/program/process.js";

const root = process.cwd();
const sdk = loadSdk(root);
const config = { values: {}, secretKeys: [] };
const facts = { project: "bench", stack: "dev", organization: "organization", dryRun: true, parallel: 32, config };
const done = Promise.withResolvers();
const monitor = await serveMonitor(sdk, facts, {
  register: (request) => {
    const urn = createUrn(facts.stack, facts.project, undefined, request.getType(), request.getName());
    return Promise.resolve({ urn, id: request.getCustom() ? "id" : "", outputs: {}, failed: false });
  },
  registerOutputs: () => Promise.resolve(),
  programDone: () => {
    done.resolve();
    return Promise.resolve();
  },
  unsupported: (feature) => done.reject(new Error(feature)),
  log: (_, message) => process.stderr.write(`${message}\n`),
});
const child = startProgram({
  request: { ...facts, root, program: { typescript: false } },
  sdk,
  place: locate(root, {}),
  address: monitor.address,
  dryRun: true,
  parallel: facts.parallel,
  events: new Events(() => undefined, { planning: true, secrets: [] }),
});
await done.promise;
const { code } = await child.exited;
monitor.close();
process.exitCode = code ?? 1;
