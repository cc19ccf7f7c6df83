/** The order in which entries are registered: each after the ones that it refers to, otherwise in the order of the file. */
import type { Diagnostics } from "../source/diagnostics.ts";
import { deferredIn, type Entry, type Tree, type TreeMap } from "./model.ts";
import type { Place } from "../source/file.ts";
import { locate } from "../source/parse.ts";
import { isMap } from "../../provider/values/json.ts";
import { UNKNOWN } from "../../provider/values/paths.ts";

interface Need {
  readonly target: string;
  readonly place: Place;
}

/** Reports each cycle once and leaves out its members. */
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
  const left = new Set(waiting.keys());
  for (const start of waiting.keys()) {
    const cycle = left.has(start) ? cycleFrom(start, needs, left) : undefined;
    if (cycle) tellCycle(cycle, needs, byAddress, diagnostics);
  }
  return ordered;
}

export function needsOf({ inputs, options, place }: Entry): Need[] {
  const referred = [...deferredIn(inputs)].flatMap(({ origin, place: at }) =>
    origin.from === "resource" ? [{ target: origin.target, place: at }] : [],
  );
  return [...referred, ...options.dependsOn.map((target) => ({ target, place }))];
}

/** Follows the waiting entries until one comes again. It walks over each entry once. */
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
  diagnostics.error("cycle", entry.place, `these entries wait for each other: ${told}`, {
    path: first,
    hint: "Remove one of these references.",
    related: links,
  });
}

export function withReleases(entries: readonly Entry[], diagnostics: Diagnostics): Entry[] {
  const releaseOf = new Map<string, Entry>();
  for (const entry of entries)
    for (const target of membersOf(entry)) releaseOf.set(target, releaseOf.get(target) ?? entry);
  return entries.map((entry) => {
    if (isFilledIn(entry)) tellFilledIn(entry, diagnostics);
    else tellForeign(entry, diagnostics);
    tellTwice(entry, diagnostics);
    const release = releaseOf.get(entry.address);
    if (release) return released(entry, release, diagnostics);
    const after = entry.definition.public === "flow" ? followed(entry, releaseOf) : [];
    if (after.length === 0) return entry;
    return { ...entry, options: { ...entry.options, dependsOn: [...entry.options.dependsOn, ...after] } };
  });
}

export function membersOf({ definition, inputs }: Entry): string[] {
  const { gathers } = definition;
  if (gathers === undefined) return [];
  return [...deferredIn(inputs[gathers.members])].flatMap(({ origin }) =>
    origin.from === "resource" ? [origin.target] : [],
  );
}

/** Refuses a page from outside the manifest, because somebody else publishes it. */
function tellForeign(entry: Entry, diagnostics: Diagnostics): void {
  const { gathers } = entry.definition;
  const named = gathers === undefined ? undefined : entry.inputs[gathers.members];
  // A reference with a fault is reported already.
  const isFaulty = (page: Tree): boolean => isMap(page) && Object.values(page).includes(UNKNOWN);
  if (!Array.isArray(named) || named.length === membersOf(entry).length || named.some(isFaulty)) return;
  const message = ": a release publishes only pages of this manifest";
  diagnostics.fault("invalid-value", pathed(entry), message, "Name each by its key: pages: [offer, match].");
}

function pathed({ address, place }: Entry): { readonly path: string; readonly place: Place } {
  return { path: address, place };
}

function tellTwice(entry: Entry, diagnostics: Diagnostics): void {
  const members = membersOf(entry);
  const twice = members.find((target, index) => members.indexOf(target) < index);
  if (twice !== undefined)
    diagnostics.fault("invalid-value", pathed(entry), ` names ${twice} twice`, "Name each page once.");
}

function followed({ inputs, address }: Entry, releaseOf: ReadonlyMap<string, Entry>): string[] {
  const releases = [...deferredIn(inputs)].flatMap(({ origin }) =>
    origin.from === "resource" ? (releaseOf.get(origin.target)?.address ?? []) : [],
  );
  return [...new Set(releases)].filter((release) => release !== address);
}

function released(entry: Entry, release: Entry, diagnostics: Diagnostics): Entry {
  const { publish } = entry.inputs;
  if (typeof publish === "object" && publish !== null && !Array.isArray(publish))
    return { ...entry, inputs: { ...entry.inputs, publish: { ...(publish as TreeMap), release: release.key } } };
  const message = `${entry.address} has no publish, and ${release.address} publishes it`;
  diagnostics.error("invalid-value", entry.place, message, {
    path: entry.address,
    hint: "Say where: publish: { site: …, slug: … }. Or take it out of the release.",
    related: [{ place: release.place, message: `${release.address} names it` }],
  });
  return entry;
}

function isFilledIn({ definition, inputs }: Entry): boolean {
  const { publish } = inputs;
  if (definition.gathers !== undefined) return inputs[definition.gathers.drafts] !== undefined;
  return typeof publish === "object" && publish !== null && "release" in publish;
}

function tellFilledIn(entry: Entry, diagnostics: Diagnostics): void {
  const message = `: the release itself fills in ${entry.definition.gathers?.drafts ?? "publish.release"}`;
  diagnostics.fault("invalid-value", pathed(entry), message, "Remove it, and name the page under releases.");
}
