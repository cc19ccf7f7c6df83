import { existsSync, statSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { basename, dirname, join, resolve } from "node:path";
import { ProgramError } from "../errors.ts";
import type { Events } from "../events.ts";
import { FRAMES_VARIABLE } from "../sdk/framed-client.ts";
import { type Child, type ChildExit, expectNode, type OnLine, startNode } from "../link/child.ts";
import { childEnvironment, loadSdk, runnerFor, type Sdk } from "../link/sdk.ts";
import { shortType } from "../model/urn.ts";
import type { OperationRequest, ProgramOptions } from "../request.ts";
import { ORGANIZATION } from "../state/layout.ts";
import { isPlainSdk } from "../sdk/switch.ts";

/** The folder and the entry of a program, as Pulumi derives them from the project's folder and `main`. */
export interface ProgramPlace {
  folder: string;
  entry: string;
}

export function locate(root: string, program: ProgramOptions): ProgramPlace {
  const path = resolve(root, program.entry ?? "");
  if (!existsSync(path)) throw new ProgramError(`the program ${path} does not exist. Check \`main\` in Pulumi.yaml`);
  return statSync(path).isDirectory() ? { folder: path, entry: "." } : { folder: dirname(path), entry: basename(path) };
}

export interface ProgramRun {
  request: OperationRequest;
  sdk: Sdk;
  place: ProgramPlace;
  address: string;
  dryRun: boolean;
  parallel: number;
  events: Events;
}

/** Prepares a program: its process and this one load their modules while the run is made ready. */
export async function expectProgram({ root, program = {}, spares }: ExpectedProgram): Promise<void> {
  try {
    const { folder } = locate(root, program);
    expectNode({ script: runnerFor(folder), ...processOf({ program, spares }, folder) });
    // Work that others have begun is under way after this.
    await setImmediate();
    loadSdk(folder);
  } catch {
    // The start reports the faults of the program.
  }
}

type ExpectedProgram = Pick<OperationRequest, "root" | "program" | "spares">;

function processOf({ program = {}, spares }: Omit<ExpectedProgram, "root">, cwd: string, env: NodeJS.ProcessEnv = {}) {
  return {
    nodeArgs: program.nodeArgs ?? [],
    cwd,
    env: childEnvironment({ ...process.env, ...env, ...program.env }),
    preload: program.preload,
    spares: program.preload === undefined ? undefined : spares,
  };
}

/** Starts the program with the SDK's own runner, as Pulumi's Node language host does. */
export function startProgram(run: ProgramRun): Child {
  const { request, sdk, place, address } = run;
  return startNode({
    ...processOf(request, place.folder, {
      ...environment(request),
      ...(isPlainSdk() ? {} : { [FRAMES_VARIABLE]: address }),
    }),
    script: sdk.runner,
    args: [
      ...["--monitor", address, "--engine", address],
      ...["--organization", ORGANIZATION],
      ...["--project", request.project, "--root-directory", request.root],
      ...["--stack", request.stack, "--pwd", place.folder],
      ...(run.dryRun ? ["--dry-run"] : []),
      ...["--parallel", String(run.parallel), place.entry],
    ],
    onLine: teller(run.events),
  });
}

function environment({ config, program }: OperationRequest): NodeJS.ProcessEnv {
  return {
    PULUMI_CONFIG: JSON.stringify(config.values),
    PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(config.secretKeys),
    PULUMI_NODEJS_TYPESCRIPT: program?.typescript === false ? undefined : "true",
    ...(program?.tsconfig === undefined ? {} : { PULUMI_NODEJS_TSCONFIG_PATH: program.tsconfig }),
  };
}

/** The SDK's own words for a program that left while something was waiting. It writes nothing after them. */
const LEFT_EARLY = /^The Pulumi runtime detected that (the program exited|\d+ promises? (was|were) still active)/;
const WAITING = /^\s*\* "(.*)" \[(.*?)\] was waiting for (.*)$/;

/** Reports the program's lines. `earlyEnd` reports the SDK's words about the end, in the user's terms. */
function teller(events: Events): OnLine {
  let ending = false;
  return (line, stream) => {
    ending ||= stream === "stderr" && LEFT_EARLY.test(line);
    if (!ending) events.printed(line, stream);
  };
}

/** Returns the reason why a program ended by itself too early. `reported`: the errors that it told the user before. */
export function earlyEnd(
  exit: ChildExit,
  child: Child,
  place: ProgramPlace,
  reported: readonly string[],
): ProgramError {
  const name = join(place.folder, place.entry === "." ? "" : place.entry);
  if (exit.error !== undefined) return new ProgramError(`${name} could not be started: ${exit.error.message}`);
  if (exit.signal !== null) return new ProgramError(`${name} was ended by ${exit.signal}`);
  if (reported.length > 0) return new ProgramError(reported.join("\n"));
  const lines = child.lastLines();
  const waiting = waitingError(name, lines);
  if (waiting !== undefined) return waiting;
  if (exit.code === 0 || lines.some((line) => LEFT_EARLY.test(line)))
    return new ProgramError(
      `${name} ended before Pulumi's runtime was done with it: process.exit() was called. ${NEVER}`,
    );
  return new ProgramError([`${name} failed with exit code ${exit.code ?? "?"}`, ...lines].join("\n"));
}

/** Names the resources that wait, by the SDK's words about them. Returns undefined if it names none. */
export function waitingError(name: string, lines: readonly string[]): ProgramError | undefined {
  const waiting = lines.flatMap((line) => {
    const [, resource, type = "", what] = WAITING.exec(line) ?? [];
    return resource === undefined ? [] : [`- ${shortType(type)} "${resource}" waits for ${what}`];
  });
  if (waiting.length === 0) return undefined;
  return new ProgramError([`${name} ended before it was done:`, ...waiting, NEVER].join("\n"));
}

const NEVER =
  "Something in it waits for something that never comes, such as a promise that nothing resolves, or it ended by itself. Nothing was deleted";

/** Makes the error of a program whose module never came to its end: nobody knows what else it would have registered. */
export function unfinishedProgram(): ProgramError {
  return new ProgramError(
    "the program did not come to its end: an `await` in it waits for something that never comes. Nothing was deleted",
  );
}
