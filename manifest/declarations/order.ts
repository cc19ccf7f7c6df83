/** The order in which the entries are registered: each after what it refers to, otherwise as they are written. */
import type { Diagnostics } from "../diagnostics/diagnostics.ts";
import { deferredIn, type Entry } from "./model.ts";
import type { Place } from "../source/file.ts";
import { locate } from "../source/parse.ts";

interface Need {
  readonly target: string;
  readonly place: Place;
}

/** Cycles are told, each once; their members are left out. */
export function inOrder(entries: readonly Entry[], diagnostics: Diagnostics): Entry[] {
  const needs = new Map(entries.map((entry) => [entry.address, needsOf(entry)]));
  const waiting = new Map<string, number>();
  const dependents = new Map(entries.map(({ address }): [string, string[]] => [address, []]));
  for (const [address, of] of needs) {
    const targets = new Set(of.map(({ target }) => target).filter((target) => needs.has(target)));
    waiting.set(address, targets.size);
    for (const target of targets) dependents.get(target)?.push(address);
  }
  const byAddress = new Map(entries.map((entry) => [entry.address, entry]));
  const ordered = entries.filter(({ address }) => waiting.get(address) === 0);
  for (const entry of ordered) {
    waiting.delete(entry.address);
    for (const dependent of dependents.get(entry.address) ?? []) {
      const left = (waiting.get(dependent) ?? 0) - 1;
      waiting.set(dependent, left);
      const next = byAddress.get(dependent);
      if (left === 0 && next) ordered.push(next);
    }
  }
  tellCycles(needs, waiting, byAddress, diagnostics);
  return ordered;
}

/** What an entry refers to, whichever way. */
export function needsOf({ inputs, options, place }: Entry): Need[] {
  const referred = [...deferredIn(inputs)].flatMap(({ origin, place: at }) =>
    origin.from === "resource" ? [{ target: origin.target, place: at }] : [],
  );
  return [...referred, ...options.dependsOn.map((target) => ({ target, place }))];
}

function tellCycles(
  needs: ReadonlyMap<string, readonly Need[]>,
  waiting: ReadonlyMap<string, number>,
  entries: ReadonlyMap<string, Entry>,
  diagnostics: Diagnostics,
): void {
  const left = new Set(waiting.keys());
  for (const start of waiting.keys()) {
    const cycle = left.has(start) ? cycleFrom(start, needs, left) : undefined;
    if (cycle) tellCycle(cycle, needs, entries, diagnostics);
  }
}

/** Follows what waits until something comes again; what is walked over is not looked at again. */
function cycleFrom(
  start: string,
  needs: ReadonlyMap<string, readonly Need[]>,
  left: Set<string>,
): string[] | undefined {
  const walk: string[] = [];
  for (let here: string | undefined = start; here !== undefined;) {
    walk.push(here);
    left.delete(here);
    const targets: string[] = (needs.get(here) ?? []).map(({ target }) => target);
    const back = targets.find((target) => walk.includes(target));
    if (back !== undefined) return walk.slice(walk.indexOf(back));
    here = targets.find((target) => left.has(target));
  }
  return undefined;
}

function tellCycle(
  cycle: readonly string[],
  needs: ReadonlyMap<string, readonly Need[]>,
  entries: ReadonlyMap<string, Entry>,
  diagnostics: Diagnostics,
): void {
  const [first = ""] = cycle;
  const entry = entries.get(first);
  if (!entry) return;
  const links = cycle.map((address, index) => {
    const next = cycle[index + 1] ?? first;
    const place = needs.get(address)?.find(({ target }) => target === next)?.place ?? entry.place;
    return { place, message: `${address} needs ${next}` };
  });
  const told = links.map(({ place, message }) => `${message} (${locate(place)})`).join(", ");
  diagnostics.error("cycle", entry.place, `these wait for each other: ${told}`, {
    path: first,
    hint: "Take one of these references away.",
    related: links,
  });
}
