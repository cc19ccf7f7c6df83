/** The reaction to SIGINT: a host that Pulumi started ends, because Pulumi waits for it. The embedded engine's own host goes on. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { thorough } from "../suite/parts.ts";

const hook = pathToFileURL(join(import.meta.dirname, "../../dist/stack/engines/child-hook.js")).href;
const host = createRequire(import.meta.url).resolve("@pulumi/pulumi/cmd/dynamic-provider/index.js");

let child: ChildProcess | undefined;
afterEach(() => child?.kill("SIGKILL"));

/** Resolves when the host has printed its port: then its handlers are in place. */
async function startHost(channel: "ipc" | "ignore"): Promise<ChildProcess> {
  const stdio = ["ignore", "pipe", "inherit", channel] as const;
  child = spawn(process.execPath, ["--import", hook, host, "127.0.0.1:0"], { stdio: [...stdio] });
  if (child.stdout === null) throw new TypeError("no pipe");
  await once(child.stdout, "data");
  return child;
}

test("a host that Pulumi started ends when Pulumi says so", async () => {
  const started = await startHost("ignore");
  started.kill("SIGINT");
  expect(await once(started, "exit")).toEqual([null, "SIGINT"]);
});

test("the embedded engine's host outlives a Ctrl-C in the terminal, and ends with the engine", async () => {
  const started = await startHost("ipc");
  started.kill("SIGINT");
  started.kill("SIGTERM");
  expect(await once(started, "exit")).toEqual([null, "SIGTERM"]);
});

thorough("a program whose command line was killed ends, though it may not leave by itself", async () => {
  const folder = mkdtempSync(join(tmpdir(), "landform-hook-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = join(folder, "cmd/run/index.cjs");
  mkdirSync(join(folder, "cmd/run"), { recursive: true });
  // Behaves like the SDK, which would go on for ever if it were told not to leave.
  const goesOn = 'process.on("uncaughtException", () => {}); setInterval(() => {}, 1000);';
  writeFileSync(program, `${goesOn} console.log(process.pid);`);
  const start = `require("node:child_process").spawn(process.execPath, ["--import", ${JSON.stringify(hook)}, ${JSON.stringify(program)}], { stdio: "inherit" })`;
  child = spawn(process.execPath, ["-e", start], { stdio: ["ignore", "pipe", "inherit"] });
  if (child.stdout === null) throw new TypeError("no pipe");
  const [told] = (await once(child.stdout, "data")) as [Buffer];
  const pid = Number(told.toString());
  onTestFinished(() => {
    if (isThere(pid)) process.kill(pid, "SIGKILL");
  });
  child.kill("SIGKILL");
  await vi.waitFor(() => expect(isThere(pid)).toBe(false), { timeout: 20_000, interval: 100 });
});

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
