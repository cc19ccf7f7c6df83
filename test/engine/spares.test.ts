/** A waiting host knows as much of its run as a host started for it, and nothing of any other run. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { expectNode, startNode } from "../../engine/link/child.ts";
import { Events } from "../../engine/events.ts";
import type { HostOptions } from "../../engine/link/wire.ts";
import { LightProcess } from "../../engine/link/light-process.ts";
import { loadSdk } from "../../engine/link/sdk.ts";
import { Spares } from "../../engine/sdk/spares.ts";
import type { WaitingProcesses } from "../../engine/request.ts";

const ROOT = join(import.meta.dirname, "../..");
const URN = "urn:pulumi:dev::test::pulumi-nodejs:dynamic/test:Odd::one";
const PROVIDER = 'exports.handler=()=>require("./provider.cjs").odd';
const identity = {
  urn: "urn:pulumi:dev::test::pulumi:providers:pulumi-nodejs::default",
  id: "id",
  inputs: { "test:greeting": "hello" },
};

/** The host reports the values that it saw when it loaded, and when it is asked. */
const SOURCE = `
const loaded = process.env.LANDFORM_RUN ?? "no run";
let greeting;
exports.odd = {
  configure: (request) => void (greeting = request.config.get("greeting")),
  create: async () => ({ id: "made", outs: { loaded, asked: process.env.LANDFORM_RUN ?? null, greeting, pid: process.pid } }),
};
`;

let folder: string;
let spares: Spares;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "landform-spares-"));
  writeFileSync(join(folder, "provider.cjs"), SOURCE);
  spares = new Spares();
});
afterEach(() => {
  spares.close();
  rmSync(folder, { recursive: true });
});

async function seen(run: string, kept: WaitingProcesses | undefined = spares): Promise<Record<string, unknown>> {
  const events = new Events(() => undefined, { planning: false, secrets: [] });
  const env = { ...process.env, LANDFORM_RUN: run };
  const options: HostOptions = { sdk: () => loadSdk(ROOT), cwd: folder, project: "test", env, events, spares: kept };
  const host = new LightProcess(options, ["./provider.cjs"]);
  host.configure(identity);
  try {
    const { properties } = await host.call("create", URN, {
      properties: { __provider: PROVIDER },
      timeout: 0,
    });
    return properties;
  } finally {
    await host.close();
  }
}

test("the next run's host waits with everything loaded, and is told its run", async () => {
  expect(await seen("first")).toMatchObject({ loaded: "first", asked: "first", greeting: "hello" });
  spares.renew();
  expect(await seen("second")).toMatchObject({ loaded: "no run", asked: "second", greeting: "hello" });
});

test("one that waits is used once", async () => {
  const first = await seen("first");
  spares.renew();
  const second = await seen("second");
  const third = await seen("third");
  expect(third).toMatchObject({ loaded: "third", asked: "third" });
  expect(new Set([first["pid"], second["pid"], third["pid"]]).size).toBe(3);
});

test("what is expected waits with its packages loaded, and begins with what it is told", async () => {
  writeFileSync(join(folder, "package.cjs"), `globalThis.loaded = process.env.LANDFORM_RUN ?? "no run";`);
  const script = join(folder, "program.cjs");
  writeFileSync(script, `console.log(globalThis.loaded, process.env.LANDFORM_RUN, process.argv.slice(2).join());`);
  const start = { script, cwd: folder, preload: ["./package.cjs", "./no-such-package.cjs"], spares };
  const run = async (name: string): Promise<string[]> => {
    const lines: string[] = [];
    const env = { ...process.env, LANDFORM_RUN: name };
    const child = startNode({ ...start, env, args: ["a", "b"], onLine: (line) => lines.push(line) });
    expect(await child.exited).toMatchObject({ code: 0 });
    return lines;
  };
  const expected = { ...start, env: { ...process.env, LANDFORM_RUN: "before" } };
  expectNode(expected);
  expectNode(expected);
  expect(await run("first")).toEqual(["no run first a,b"]);
  expect(await run("second")).toEqual(["undefined second a,b"]);
});

test("what it forks, and its workers, begin by themselves, whether it waited or not", async () => {
  writeFileSync(
    join(folder, "told.cjs"),
    `process.once("message", (told) => (process.send(told), process.disconnect()));`,
  );
  writeFileSync(join(folder, "untold.cjs"), `console.log("built");`);
  writeFileSync(join(folder, "worker.cjs"), `require("node:worker_threads").parentPort.postMessage("worked");`);
  const script = join(folder, "program.cjs");
  writeFileSync(
    script,
    `const { fork } = require("node:child_process");
    const { Worker } = require("node:worker_threads");
    console.log(process.execArgv.filter((one) => !one.includes("/child-hook.")).length, typeof process.send, process.connected);
    fork("./told.cjs").on("message", (told) => console.log(JSON.stringify(told))).send({ env: { A: "a" }, args: ["b"] });
    fork("./untold.cjs").on("exit", (code) => console.log("untold", code));
    for (const options of [{}, { execArgv: process.execArgv }])
      new Worker("./worker.cjs", options).on("message", console.log).on("exit", (code) => console.log("worker", code));`,
  );
  const expected = ["untold 0", "built", "worked", "worked", "worker 0", "worker 0", '{"env":{"A":"a"},"args":["b"]}'];
  for (const [kept, bound, own] of [
    [undefined, false, "0 undefined undefined"],
    [spares, false, "0 undefined undefined"],
    [undefined, true, "0 function true"],
  ] as const) {
    const lines: string[] = [];
    const start = { script, cwd: folder, preload: [], env: process.env, bound, spares: kept };
    expectNode(start);
    const child = startNode({ ...start, args: [], onLine: (line) => lines.push(line) });
    await expect.poll(() => lines.toSorted(), { timeout: 20_000 }).toEqual([...expected, own].toSorted());
    await child.stop();
  }
});
