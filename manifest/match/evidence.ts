/**
 * Which object of the account is which resource of the code. A name or an address has to be the same, and it has to be where
 * the code has it; what else is the same is shown as evidence, and tells namesakes apart. Where it doesn't, nobody is chosen. Pure.
 */
import type { AnyDefinition } from "../../provider/definition/define.ts";
import { refersTo } from "../../provider/definition/references.ts";
import { schemaBelow, shapeOf } from "../../provider/definition/schema-walk.ts";
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

interface Unclear {
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
  return {
    declared,
    candidate,
    ...fieldsBetween(declared.inputs, candidate.live),
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

/** The values that both sides have, by their path: services trim names and lower-case slugs. */
function fieldsBetween(
  declared: ReadonlyMap<string, Json>,
  live: ReadonlyMap<string, Json>,
): { same: string[]; different: string[] } {
  const seen = [...declared.keys()].filter((path) => live.has(path));
  const agree = (path: string): boolean => isSame(plainly(declared.get(path) ?? null), plainly(live.get(path) ?? null));
  return { same: seen.filter(agree), different: seen.filter((path) => !agree(path)) };
}

function plainly(value: Json): Json {
  return typeof value === "string" ? value.trim().toLowerCase() : value;
}

/** What an object may be in or on by an input: a project, a site. No item of a list, and no copy of its own kind. */
export function homesAt(type: string, path: string): AnyDefinition[] {
  const definition = definitionOf(type);
  const wanted = refersTo(path.split(".").reduce<unknown>(schemaBelow, definition?.inputs));
  return Object.values<AnyDefinition>(registry).filter(
    (other) => other !== definition && wanted.includes(other.collection?.what ?? ""),
  );
}

/** How many levels of such homes a kind has above it. */
export function depthOf(definition: AnyDefinition): number {
  const paths = Object.entries(definition.inputs.shape).flatMap(([field, schema]) => {
    const shape = shapeOf(schema);
    return shape.type === "object" ? Object.keys(shape.fields).map((inner) => `${field}.${inner}`) : [field];
  });
  const above = paths.flatMap((path) => homesAt(definition.type, path));
  return Math.max(-1, ...above.map(depthOf)) + 1;
}

/** An object as one that may be what is declared: of its inputs those that the service shows, in the words of the program. */
export function candidateOf(
  definition: AnyDefinition,
  { id, label, answer }: { readonly id: string; readonly label: string; readonly answer: JsonMap },
  { inputs, homes }: Pick<Declared, "inputs" | "homes">,
): Candidate {
  const paths = [...inputs.keys(), ...homes.keys()];
  const fields = new Set(paths.map((path) => /^[^.[]+/.exec(path)?.[0] ?? path));
  const live = [...fields].flatMap((field): [string, Json][] => {
    const isList = paths.some((path) => path.startsWith(`${field}[0]`));
    const value = definition.rule(field).live?.(answer, isList ? [] : {});
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

/** Whether an object may be what is declared, before anything more of it is looked at: by its name, or by the address where it is public. */
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
