/**
 * Which object of the account is which resource of the code. A name or an address has to be the same, and it has to be where
 * the code has it; what else is the same is shown as evidence, and tells namesakes apart. Where it doesn't, nobody is chosen. Pure.
 */
import { objectKey, type ObjectKey } from "../../provider/definition/object-key.ts";
import { keyOfType } from "../../provider/kinds/registry.ts";
import { homesAt } from "./homes.ts";
import { isDeepStrictEqual } from "node:util";
import type { Json } from "../../engine/index.ts";

/** A resource that a plan would create. */
export interface Declared {
  urn: string;
  /** `Page` */
  type: string;
  name: string;
  /** Inputs by their path, as far as they are known before anything exists. */
  inputs: ReadonlyMap<string, Json>;
  /** What it is in or on, by input: its id, or nothing where that is only planned, too. */
  homes: ReadonlyMap<string, string | undefined>;
  /** How many levels of such homes its kind has above it. */
  depth: number;
}

/** An object that may be it. */
export interface Candidate {
  id: string;
  /** What the app shows. */
  label: string;
  /** The declared inputs, as the service shows them; none for what it doesn't show. */
  live: ReadonlyMap<string, Json>;
  /** What it is in, as far as the service shows that. */
  homes: ReadonlyMap<string, string>;
}

export interface Match {
  declared: Declared;
  candidate: Candidate;
  same: string[];
  different: string[];
  /** It is in something else than the code says: somebody else's, as likely as not. */
  elsewhere: boolean;
}

export interface Unclear {
  declared: Declared;
  candidates: Match[];
}

export interface Matching {
  matches: Match[];
  unclear: Unclear[];
  /** Nothing in the account is like it. */
  absent: Declared[];
}

/** What says by itself that it may be the one. */
const TELLING = ["name", "publish.slug"];

interface Wanted {
  declared: Declared;
  candidates: readonly Candidate[];
}

/** What others are in is looked for before them. */
export function matchUp(wanted: readonly Wanted[]): Matching {
  const found = new Set<ObjectKey>();
  const byDepth = Map.groupBy(wanted, ({ declared }) => declared.depth);
  const stages = [...byDepth].sort(([one], [other]) => one - other).map(([, stage]) => stage);
  const parts = stages.map((stage): Matching => {
    const part = matched(stage, found);
    for (const { declared, candidate } of part.matches) found.add(keyOfType(declared.type, candidate.id));
    return part;
  });
  return {
    matches: parts.flatMap(({ matches }) => matches),
    unclear: parts.flatMap(({ unclear }) => unclear),
    absent: parts.flatMap(({ absent }) => absent),
  };
}

function matched(wanted: readonly Wanted[], found: ReadonlySet<ObjectKey>): Matching {
  const likely = wanted.map(({ declared, candidates }) => ({ declared, best: bestOf(declared, candidates, found) }));
  const takers = Map.groupBy(
    likely.flatMap(({ declared, best }) => (best.length === 1 ? [{ declared, id: best[0]?.candidate.id }] : [])),
    ({ id, declared }) => `${declared.type} ${id ?? ""}`,
  );
  const alone = ({ declared, candidate, elsewhere }: Match): boolean =>
    !elsewhere && takers.get(`${declared.type} ${candidate.id}`)?.length === 1;
  return {
    matches: likely.flatMap(({ best }) => (best.length === 1 ? best.filter(alone) : [])),
    unclear: likely
      .filter(({ best }) => best.length > 1 || best.some((match) => !alone(match)))
      .map(({ declared, best }) => ({ declared, candidates: best })),
    absent: likely.flatMap(({ declared, best }) => (best.length === 0 ? [declared] : [])),
  };
}

/** Those with the most in common; more than one where that doesn't tell them apart. One that is elsewhere only where no other is. */
function bestOf(declared: Declared, candidates: readonly Candidate[], found: ReadonlySet<ObjectKey>): Match[] {
  const telling = candidates
    .map((candidate) => compared(declared, candidate, found))
    .filter(({ same }) => TELLING.some((input) => same.includes(input)));
  const atHome = telling.filter(({ elsewhere }) => !elsewhere);
  const all = atHome.length > 0 ? atHome : telling;
  const most = Math.max(...all.map(({ same }) => same.length));
  const best = all.filter(({ same }) => same.length === most);
  const least = Math.min(...best.map(({ different }) => different.length));
  return best.filter(({ different }) => different.length === least);
}

function compared(declared: Declared, candidate: Candidate, found: ReadonlySet<ObjectKey>): Match {
  const seen = [...declared.inputs].filter(([path]) => candidate.live.has(path));
  const isSame = ([path, value]: [string, Json]): boolean => isAlike(value, candidate.live.get(path));
  return {
    declared,
    candidate,
    same: seen.filter(isSame).map(([path]) => path),
    different: seen.filter((entry) => !isSame(entry)).map(([path]) => path),
    elsewhere: [...candidate.homes].some(([path, live]) => !isHome(declared, path, live, found)),
  };
}

/** What is only planned will be one of those that were found, or be made anew. */
function isHome({ type, homes }: Declared, path: string, live: string, found: ReadonlySet<ObjectKey>): boolean {
  if (!homes.has(path)) return true;
  const declared = homes.get(path);
  if (declared !== undefined) return declared === live;
  return homesAt(type, path).some((home) => found.has(objectKey(home, live)));
}

/** Services trim names and lower-case slugs. */
function isAlike(declared: Json, live: Json | undefined): boolean {
  if (typeof declared === "string" && typeof live === "string")
    return declared === live || declared.trim().toLowerCase() === live.trim().toLowerCase();
  return isDeepStrictEqual(declared, live);
}
