/**
 * Releases of a manifest: the pages that they name are told which release publishes them, and what leads visitors through
 * those pages changes after it.
 */
import type { Diagnostics } from "../diagnostics/diagnostics.ts";
import { isMap } from "../../provider/values/json.ts";
import { UNKNOWN } from "../../provider/values/unknown.ts";
import { deferredIn, type Entry, type Tree, type TreeMap } from "./model.ts";

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

/** Addresses of the pages that a release names. */
export function membersOf({ definition, inputs }: Entry): string[] {
  const { gathers } = definition;
  if (gathers === undefined) return [];
  return [...deferredIn(inputs[gathers])].flatMap(({ origin }) => (origin.from === "resource" ? [origin.target] : []));
}

/** What is wrong with a reference is told already. */
function isFaulty(page: Tree): boolean {
  return isMap(page) && Object.values(page).includes(UNKNOWN);
}

/** What is not of this manifest has a publication that is somebody else's. */
function tellForeign(entry: Entry, diagnostics: Diagnostics): void {
  const { gathers } = entry.definition;
  const named = gathers === undefined ? undefined : entry.inputs[gathers];
  if (!Array.isArray(named) || named.length === membersOf(entry).length || named.some(isFaulty)) return;
  diagnostics.error("invalid-value", entry.place, `${entry.address}: a release publishes what this manifest declares`, {
    path: entry.address,
    hint: "Name each by its key: pages: [offer, match].",
  });
}

function tellTwice(entry: Entry, diagnostics: Diagnostics): void {
  const members = membersOf(entry);
  const twice = members.find((target, index) => members.indexOf(target) < index);
  if (twice === undefined) return;
  diagnostics.error("invalid-value", entry.place, `${entry.address} names ${twice} twice`, {
    path: entry.address,
    hint: "Name each page once.",
  });
}

function followed({ inputs, address }: Entry, releaseOf: ReadonlyMap<string, Entry>): string[] {
  const releases = [...deferredIn(inputs)].flatMap(({ origin }) =>
    origin.from === "resource" ? (releaseOf.get(origin.target)?.address ?? []) : [],
  );
  return [...new Set(releases)].filter((release) => release !== address);
}

function released(entry: Entry, release: Entry, diagnostics: Diagnostics): Entry {
  const { publish } = entry.inputs;
  if (typeof publish === "object" && publish !== null && !Array.isArray(publish)) {
    return { ...entry, inputs: { ...entry.inputs, publish: { ...(publish as TreeMap), release: release.key } } };
  }
  diagnostics.error(
    "invalid-value",
    entry.place,
    `${entry.address} has no publish, and ${release.address} publishes it`,
    {
      path: entry.address,
      hint: "Say where: publish: { site: …, slug: … }. Or take it out of the release.",
      related: [{ place: release.place, message: `${release.address} names it` }],
    },
  );
  return entry;
}

function isFilledIn({ definition, inputs }: Entry): boolean {
  const { publish } = inputs;
  if (definition.gathers !== undefined) return inputs["drafts"] !== undefined;
  return typeof publish === "object" && publish !== null && "release" in publish;
}

function tellFilledIn(entry: Entry, diagnostics: Diagnostics): void {
  const what = entry.definition.gathers === undefined ? "publish.release" : "drafts";
  diagnostics.error("invalid-value", entry.place, `${entry.address}: ${what} is filled in by the release itself`, {
    path: entry.address,
    hint: "Remove it, and name the page under releases.",
  });
}
