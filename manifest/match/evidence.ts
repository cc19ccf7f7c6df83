/**
 * Matches objects of the account with resources of the code. The name or the address has to be equal, and the place, too. Other equal values are
 * shown as evidence, and they tell namesakes apart. If they don't, Landform chooses none. Pure.
 */
import type { AnyDefinition } from "../../provider/definition/define.ts";
import { refersTo, schemaBelow, shapeOf } from "../../provider/definition/schema-walk.ts";
import { definitionOf, keyOfType, registry } from "../../provider/kinds/registry.ts";
import { same as isSame, type Json, type JsonMap } from "../../provider/values/json.ts";
import { normalSlug } from "../../provider/values/addresses.ts";
import { propertyPath } from "../../provider/values/paths.ts";
import { objectKey, type ObjectKey } from "../../provider/ledger/identity.ts";

/** A resource that a plan would create. */
export interface Declared {
  urn: string;
  /** `Page` */
  type: string;
  name: string;
  /** Inputs by their path, as far as they are known before anything exists. */
  inputs: ReadonlyMap<string, Json>;
  /** The objects that it is in or on, by input. */
  homes: ReadonlyMap<string, Home>;
  /** The number of levels of such homes above its kind. */
  depth: number;
}

/** An object that another one is in or on: its id, or the URN of its resource if that is only planned, too. Neither if nobody can tell. */
export interface Home {
  readonly id?: string | undefined;
  readonly urn?: string | undefined;
}

export interface Candidate {
  id: string;
  /** The name in the app. */
  label: string;
  /** The live values of the declared inputs, as far as the service shows them. */
  live: ReadonlyMap<string, Json>;
  /** The ids of the objects that it is in, as far as the service shows them. */
  homes: ReadonlyMap<string, string>;
}

export interface Match {
  declared: Declared;
  candidate: Candidate;
  same: string[];
  different: string[];
  /** True if the object is in another place than the code says: it is probably somebody else's. */
  elsewhere: boolean;
}

interface Unclear {
  declared: Declared;
  candidates: Match[];
}

export interface Matching {
  matches: Match[];
  unclear: Unclear[];
  absent: Declared[];
}

/** Fields that are enough for a match. */
const TELLING = ["name", "publish.slug"];

interface Wanted {
  declared: Declared;
  candidates: readonly Candidate[];
}

/** Objects of planned resources, by URN. */
export type FoundObjects = ReadonlyMap<string, ObjectKey>;

/** Matches homes before the resources that are in them. `adopted`: the objects that the code names already. */
export function matchUp(wanted: readonly Wanted[], adopted: FoundObjects = new Map()): Matching {
  const found = new Map(adopted);
  const byDepth = Map.groupBy(wanted, ({ declared }) => declared.depth);
  const stages = [...byDepth].sort(([one], [other]) => one - other).map(([, stage]) => stage);
  const parts = stages.map((stage): Matching => {
    const part = matched(stage, found);
    for (const { declared, candidate } of part.matches) found.set(declared.urn, keyOfType(declared.type, candidate.id));
    return part;
  });
  return {
    matches: parts.flatMap(({ matches }) => matches),
    unclear: parts.flatMap(({ unclear }) => unclear),
    absent: parts.flatMap(({ absent }) => absent),
  };
}

function matched(wanted: readonly Wanted[], found: FoundObjects): Matching {
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

/** Returns the candidates with the most in common, or several if that doesn't tell them apart. It takes one that is elsewhere only if all are. */
function bestOf(declared: Declared, candidates: readonly Candidate[], found: FoundObjects): Match[] {
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

function compared(declared: Declared, candidate: Candidate, found: FoundObjects): Match {
  return {
    declared,
    candidate,
    ...fieldsBetween(declared.inputs, candidate.live),
    elsewhere: [...candidate.homes].some(([path, live]) => !isHome(declared, path, live, found)),
  };
}

/** Tells if an object is in the declared home. If nobody can tell which one is meant, it may be any of the found objects. */
function isHome({ type, homes }: Declared, path: string, live: string, found: FoundObjects): boolean {
  const declared = homes.get(path);
  if (declared === undefined) return true;
  if (declared.id !== undefined) return declared.id === live;
  const meant = declared.urn === undefined ? [...found.values()] : [found.get(declared.urn)];
  return homesAt(type, path).some((home) => meant.includes(objectKey(home, live)));
}

function fieldsBetween(
  declared: ReadonlyMap<string, Json>,
  live: ReadonlyMap<string, Json>,
): { same: string[]; different: string[] } {
  const seen = [...declared.keys()].filter((path) => live.has(path));
  const agree = (path: string): boolean => isSame(spelled(path, declared), spelled(path, live));
  return { same: seen.filter(agree), different: seen.filter((path) => !agree(path)) };
}

/** The service trims names and writes slugs in lower case. */
function spelled(path: string, values: ReadonlyMap<string, Json>): Json {
  const value = values.get(path) ?? null;
  if (typeof value !== "string" || !TELLING.includes(path)) return value;
  return path === "name" ? value.trim().toLowerCase() : normalSlug(value);
}

/** Returns the kinds that an object may be in or on through an input: a project, a site. List items and copies of the own kind don't count. */
export function homesAt(type: string, path: string): AnyDefinition[] {
  const definition = definitionOf(type);
  const wanted = refersTo(path.split(".").reduce<unknown>(schemaBelow, definition?.inputs));
  return Object.values<AnyDefinition>(registry).filter(
    (other) => other !== definition && wanted.includes(other.collection?.what ?? ""),
  );
}

/** Returns the number of levels of such homes above a kind. */
export function depthOf(definition: AnyDefinition): number {
  const paths = Object.entries(definition.inputs.shape).flatMap(([field, schema]) => {
    const shape = shapeOf(schema);
    return shape.type === "object" ? Object.keys(shape.fields).map((inner) => `${field}.${inner}`) : [field];
  });
  const above = paths.flatMap((path) => homesAt(definition.type, path));
  return Math.max(-1, ...above.map(depthOf)) + 1;
}

/** Returns an object as a candidate, with the inputs that the service shows, in the words of the program. */
export function candidateOf(
  definition: AnyDefinition,
  { id, label, answer }: { readonly id: string; readonly label: string; readonly answer: JsonMap },
  { inputs, homes }: Pick<Declared, "inputs" | "homes">,
): Candidate {
  const paths = [...inputs.keys(), ...homes.keys()];
  const fields = new Set(paths.map((path) => /^[^.[]+/.exec(path)?.[0] ?? path));
  const live = [...fields].flatMap((field): [string, Json][] => {
    const isList = paths.some((path) => path.startsWith(`${field}[0]`));
    const value = definition.rule(field).shownValue?.(answer, isList ? [] : {});
    return value === undefined ? [] : leavesOf(value, [field]);
  });
  const shown = new Map<string, Json>([["name", label], ...live]);
  const of = (wanted: Iterable<string>): [string, Json][] =>
    [...wanted].flatMap((path): [string, Json][] => {
      const value = shown.get(path);
      return value === undefined ? [] : [[path, value]];
    });
  const inHomes = of(homes.keys()).flatMap(([path, value]): [string, string][] =>
    typeof value === "string" && value !== "" ? [[path, value]] : [],
  );
  return { id, label, live: new Map(of(inputs.keys())), homes: new Map(inHomes) };
}

/** Tells if an object may match by its name, or by the address where it is public. It needs no further read. */
export function mayBe(
  { label, answer }: { readonly label: string; readonly answer: JsonMap },
  inputs: ReadonlyMap<string, Json>,
): boolean {
  const [name, slug] = [inputs.get("name"), inputs.get("publish.slug")];
  const isCalled = typeof name === "string" && label.trim().toLowerCase() === name.trim().toLowerCase();
  const at = typeof answer["slug"] === "string" ? answer["slug"] : "";
  return (
    isCalled || (typeof slug === "string" && answer["status"] === "published" && normalSlug(at) === normalSlug(slug))
  );
}

export function leavesOf(value: Json, path: readonly (string | number)[] = []): [string, Json][] {
  if (value === null || typeof value !== "object") return [[propertyPath(path), value]];
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return entries.flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
}
