/** The reaction to SIGINT: a host that Pulumi started ends, because Pulumi waits for it. The embedded engine's own host goes on. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, expect, test } from "vitest";

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
