/**
 * The floor of a preview of a program: the SDK's own runner registers bare resources, and an engine answers at once, with no
 * state, no provider and nothing to decide. Run as a process of its own in the folder of such a program; `--sdk-as-it-is`: without
 * what programs do less here.
 */
import { enableCompileCache } from "node:module";
import { tmpdir } from "node:os";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import process from "node:process";

// The engine's sources, since the package has no modules of theirs: what was compiled is kept, as the command line keeps its own.
enableCompileCache(join(tmpdir(), "landform-bench-compiled"));
const { Events } = await import("../engine/events.ts");
const { loadSdk } = await import("../engine/link/sdk.ts");
const { createUrn } = await import("../engine/model/urn.ts");
const { serveMonitor } = await import("../engine/program/monitor.ts");
const { locate, startProgram } = await import("../engine/program/process.ts");

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
const exited = process.argv.includes("--sdk-as-it-is") ? startPlain() : start();
await done.promise;
const code = await exited;
monitor.close();
process.exitCode = code ?? 1;

/** As the engine starts a program. */
async function start() {
  const { exited } = startProgram({
    request: { ...facts, root, program: { typescript: false } },
    sdk,
    place: locate(root, {}),
    address: monitor.address,
    dryRun: true,
    parallel: facts.parallel,
    events: new Events(() => undefined, { planning: true, secrets: [] }),
  });
  return (await exited).code;
}

/** As Pulumi's language host does: nothing of ours is loaded. */
async function startPlain() {
  const { address } = monitor;
  const about = ["--organization", facts.organization, "--project", facts.project, "--stack", facts.stack];
  const run = [
    "--monitor",
    address,
    "--engine",
    address,
    ...about,
    "--pwd",
    root,
    "--dry-run",
    "--parallel",
    "32",
    ".",
  ];
  const config = { PULUMI_CONFIG: "{}", PULUMI_CONFIG_SECRET_KEYS: "[]" };
  const child = spawn(process.execPath, [sdk.runner, ...run], {
    cwd: root,
    env: { ...process.env, ...config },
    stdio: "inherit",
  });
  return (await once(child, "exit"))[0];
}
