/**
 * Runs a program in this process, as the SDK's runner does in its own process, and Pulumi's Automation API for inline programs. Its registrations go
 * to the engine over gRPC, as always.
 */
import { existsSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import * as pulumi from "@pulumi/pulumi";
import config from "@pulumi/pulumi/runtime/config.js";
import settings from "@pulumi/pulumi/runtime/settings.js";
import stack from "@pulumi/pulumi/runtime/stack.js";
import state from "@pulumi/pulumi/runtime/state.js";
import type * as native from "./native-import.ts";
import type { Child, ChildExit } from "../../engine/link/child.ts";
import type { ProgramRun } from "../../engine/program/process.ts";
import { manifest } from "../../manifest/run/manifest.ts";
import replay from "../../provider/pulumi/replay.ts";
import { exportOf } from "../../stack/engines/pulumi/operation.ts";

/** The SDK doesn't declare it (3.270). */
const { withLocalStorage } = state as unknown as { withLocalStorage: <T>(work: () => Promise<T>) => Promise<T> };

/** The SDK's own code for an error that the user has seen. */
const TOLD = 32;

/** A program that its engine has left hears so later, when nobody waits for it any more. */
const emit = process.emit.bind(process) as (...event: unknown[]) => boolean;
process.emit = ((...event: unknown[]) =>
  (event[0] === "unhandledRejection" && isOfTheWire(event[1])) || emit(...event)) as typeof process.emit;

export function programInProcess(run: ProgramRun): Child {
  const stopped = Promise.withResolvers<undefined>();
  const exited = inEnvironment(run.request.program?.env ?? {}, () => ended(run, stopped.promise));
  const stop = async (): Promise<void> => {
    stopped.resolve(undefined);
    await exited;
  };
  return { pid: undefined, exited, lastLines: () => [], stop };
}

const { load } = createRequire(import.meta.url)("./native-import.ts") as typeof native;

/** Returns the outputs of the program in this file or folder. The code of this process registers a landform.yaml and what an undo goes back to. */
export async function outputsOf(place: string): Promise<unknown> {
  const file = statSync(place).isDirectory() ? join(place, mainOf(place)) : place;
  if (process.env["LANDFORM_MANIFEST"] !== undefined) return manifest(process.env["LANDFORM_MANIFEST"])();
  const exported = basename(file) === "replay.ts" ? replay : exportOf(await load(pathToFileURL(file).href));
  return typeof exported === "function" ? (exported as () => unknown)() : exported;
}

function mainOf(folder: string): string {
  const file = join(folder, "package.json");
  const { main } = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as { main?: string }) : {};
  return main ?? "index.ts";
}

/** `stopped`: the engine has ended, and may answer no registration that is under way. */
function ended(
  { request, place, address, dryRun, parallel }: ProgramRun,
  stopped: Promise<undefined>,
): Promise<ChildExit> {
  return withLocalStorage(async () => {
    const { project, config: own } = request;
    settings.resetOptions(project, request.stack, parallel, address, address, dryRun, "organization");
    config.setAllConfig({ ...own.values }, [...own.secretKeys]);
    const failed = new Set<unknown>();
    const fail = (error: unknown): void => {
      if (failed.has(error)) return;
      failed.add(error);
      if (!isOfTheWire(error)) void pulumi.log.error(error instanceof Error ? error.message : String(error));
    };
    await withOwnRejections(async () => {
      const run = stack.runInPulumiStack(() => outputsOf(join(place.folder, place.entry)));
      await Promise.race([run, stopped]).catch(fail);
      await Promise.race([settings.disconnect(failed.size === 0).catch(fail), stopped]);
    }, fail);
    return { code: failed.size === 0 ? 0 : TOLD, signal: null };
  });
}

/** Tells if the engine refused the request: then the engine has reported it. */
function isOfTheWire(error: unknown): boolean {
  return typeof error === "object" && error !== null && "code" in error && "metadata" in error;
}

export async function inEnvironment<T>(
  own: Readonly<Record<string, string | undefined>>,
  work: () => Promise<T>,
): Promise<T> {
  const before = { ...process.env };
  for (const [name, value] of Object.entries(own)) if (value !== undefined) process.env[name] = value;
  try {
    return await work();
  } finally {
    for (const name of Object.keys(own))
      if (before[name] === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = before[name];
  }
}

/** Rejections that nobody waits for belong to the program, and not to a test. */
export async function withOwnRejections<T>(
  work: () => Promise<T>,
  onRejection: (error: unknown) => void = () => undefined,
): Promise<T> {
  const listeners = process.listeners("unhandledRejection");
  process.removeAllListeners("unhandledRejection");
  process.on("unhandledRejection", onRejection);
  try {
    return await work();
  } finally {
    // Node reports an unhandled rejection when the queue is empty.
    await new Promise((resolve) => setImmediate(resolve));
    process.removeAllListeners("unhandledRejection");
    for (const listener of listeners) process.on("unhandledRejection", listener);
  }
}
