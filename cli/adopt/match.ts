/**
 * Which object of the account is which resource of the code. A name or an address has to be the same; what else is the same
 * is shown as evidence, and tells namesakes apart. Where it doesn't, nobody is chosen. Pure.
 */
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
}

/** An object that may be it. */
export interface Candidate {
  id: string;
  /** What the app shows. */
  label: string;
  /** The declared inputs, as the service shows them; none for what it doesn't show. */
  live: ReadonlyMap<string, Json>;
}

export interface Match {
  declared: Declared;
  candidate: Candidate;
  same: string[];
  different: string[];
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

export function matchUp(wanted: readonly { declared: Declared; candidates: readonly Candidate[] }[]): Matching {
  const likely = wanted.map(({ declared, candidates }) => ({ declared, best: bestOf(declared, candidates) }));
  const takers = Map.groupBy(
    likely.flatMap(({ declared, best }) => (best.length === 1 ? [{ declared, id: best[0]?.candidate.id }] : [])),
    ({ id, declared }) => `${declared.type} ${id ?? ""}`,
  );
  const alone = ({ declared, candidate }: Match): boolean =>
    takers.get(`${declared.type} ${candidate.id}`)?.length === 1;
  return {
    matches: likely.flatMap(({ best }) => (best.length === 1 ? best.filter(alone) : [])),
    unclear: likely
      .filter(({ best }) => best.length > 1 || best.some((match) => !alone(match)))
      .map(({ declared, best }) => ({ declared, candidates: best })),
    absent: likely.flatMap(({ declared, best }) => (best.length === 0 ? [declared] : [])),
  };
}

/** Those with the most in common; more than one where that doesn't tell them apart. */
function bestOf(declared: Declared, candidates: readonly Candidate[]): Match[] {
  const all = candidates
    .map((candidate) => compared(declared, candidate))
    .filter(({ same }) => TELLING.some((input) => same.includes(input)));
  const most = Math.max(...all.map(({ same }) => same.length));
  const best = all.filter(({ same }) => same.length === most);
  const least = Math.min(...best.map(({ different }) => different.length));
  return best.filter(({ different }) => different.length === least);
}

function compared(declared: Declared, candidate: Candidate): Match {
  const seen = [...declared.inputs].filter(([path]) => candidate.live.has(path));
  const isSame = ([path, value]: [string, Json]): boolean => isAlike(value, candidate.live.get(path));
  return {
    declared,
    candidate,
    same: seen.filter(isSame).map(([path]) => path),
    different: seen.filter((entry) => !isSame(entry)).map(([path]) => path),
  };
}

/** Services trim names and lower-case slugs. */
function isAlike(declared: Json, live: Json | undefined): boolean {
  if (typeof declared === "string" && typeof live === "string")
    return declared === live || declared.trim().toLowerCase() === live.trim().toLowerCase();
  return isDeepStrictEqual(declared, live);
}
