/**
 * Notes where the program makes its resources, beside the facts of the run: Pulumi's engine keeps to itself what the SDK tells it of that
 * (3.274, 2026-11-28), and the command line names the line of a failure.
 */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { dirname, isAbsolute, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { FACTS_VARIABLE } from "./run-facts.ts";

const HERE = fileURLToPath(import.meta.url);
/** Built, the package is in `dist`. */
const OWN_FOLDER = /^.*[\\/]dist[\\/]/.exec(HERE)?.[0] ?? dirname(HERE);
const POSITION = /[( ]((?:file:\/\/|\/|[A-Za-z]:[\\/]).*?):(\d+):(\d+)\)?$/;
const MOST_FRAMES = 10;

let due: string[] = [];

/** `made`: the function that was called on the way from the program. */
export function notePlace(type: string, name: string, made: (...args: never[]) => unknown): void {
  const facts = process.env[FACTS_VARIABLE];
  const place = facts === undefined ? undefined : placeBelow(made);
  if (facts === undefined || place === undefined) return;
  due.push(`${JSON.stringify([keyOf(type, name), ...place])}\n`);
  // Most programs make their resources at once.
  if (due.length === 1) queueMicrotask(() => write(facts));
}

function write(facts: string): void {
  const lines = due.join("");
  due = [];
  try {
    appendFileSync(fileBeside(facts), lines, { mode: 0o600 });
  } catch {
    // A failure is told without its line then.
  }
}

function placeBelow(made: (...args: never[]) => unknown): [file: string, line: string, column: string] | undefined {
  const { stackTraceLimit } = Error;
  const at: { stack?: string } = {};
  Error.stackTraceLimit = MOST_FRAMES;
  Error.captureStackTrace(at, made);
  const frames = String(at.stack).split("\n");
  Error.stackTraceLimit = stackTraceLimit;
  for (const frame of frames) {
    const [, where = "", line = "", column = ""] = POSITION.exec(frame) ?? [];
    const file = where.startsWith("file:") ? fileURLToPath(where) : where;
    if (isAbsolute(file) && !file.startsWith(OWN_FOLDER) && !/[\\/]node_modules[\\/]/.test(file))
      return [file, line, column];
  }
  return undefined;
}

function fileBeside(facts: string): string {
  return join(dirname(facts), "places.jsonl");
}

function keyOf(type: string, name: string): string {
  return `${type} ${name}`;
}

/** Tells where the program of a run makes a resource: `index.ts:4:3`. */
export type ProgramPlaces = (resource: { readonly type: string; readonly name: string }) => string | undefined;

/** Reads the file at once, as the run deletes it. Components may make resources of one name at several places: then none is told. */
export function placesBeside(facts: string, root: string): ProgramPlaces {
  const file = fileBeside(facts);
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  let places: Map<string, Set<string>> | undefined;
  return ({ type, name }) => {
    places ??= placesIn(text, root);
    const [place, ...others] = places.get(keyOf(type, name)) ?? [];
    return others.length === 0 ? place : undefined;
  };
}

function placesIn(text: string, root: string): Map<string, Set<string>> {
  const places = new Map<string, Set<string>>();
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const [key = "", path = "", ...position] = JSON.parse(line) as string[];
    const inside = relative(root, path);
    const file = inside.startsWith("..") || isAbsolute(inside) ? path : inside.replaceAll("\\", "/");
    places.set(key, (places.get(key) ?? new Set()).add([file, ...position].join(":")));
  }
  return places;
}
