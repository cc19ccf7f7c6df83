/**
 * Foretells outputs: those that an update leaves as they are, and those that follow from the inputs. Pulumi takes every output of an update
 * for unknown until the update is done, and so plans an update of everything that uses one. If pages link to each other, a change of one
 * would look like a change of all.
 */
import type { AnyDefinition } from "./define.ts";
import type { Roots } from "../values/addresses.ts";
import { mapBy, mapOf, same, type Json, type JsonMap } from "../values/json.ts";

/** Outputs of an object that an update doesn't touch while the inputs that they depend on are these. */
export interface SteadyObject {
  readonly outputs: JsonMap;
  readonly inputs: JsonMap;
}

export function steadyOutputs({
  shown: { steady = {} },
  outputs,
  inputs,
}: AnyDefinition): Map<string, readonly string[]> {
  const shared = Object.keys(outputs.shape).filter((name) => name in inputs.shape);
  return new Map([...shared.map((name) => [name, [name]] as const), ...Object.entries(steady)]);
}

export function steadyObject(definition: AnyDefinition, inputs: JsonMap, outputs: JsonMap): SteadyObject {
  const unfinished = unfinishedIn(outputs["__landform"]);
  // A page that is held back may be at its place already.
  const isThere = (input: string): boolean =>
    same(definition.rule(input).shownValue?.(outputs, inputs[input] ?? null), inputs[input]);
  const steady = [...steadyOutputs(definition)].filter(
    ([name, hangsOn]) => isPlain(outputs[name]) && hangsOn.every((input) => !(input in unfinished) || isThere(input)),
  );
  const names = steady.map(([name]) => name);
  const needed = new Set(steady.flatMap(([, hangsOn]) => hangsOn));
  return {
    outputs: mapBy(names, (name) => outputs[name]),
    inputs: mapBy(needed, (name) => inputs[name]),
  };
}

/** The parts of the state that foretell outputs. `objects`: by type and id. */
export interface SteadyFacts {
  readonly objects: Readonly<Record<string, Readonly<Record<string, SteadyObject>>>>;
  readonly roots: Roots;
}

export interface Known {
  readonly before: SteadyObject | undefined;
  readonly roots: Roots;
}

/**
 * Undefined: nobody can tell it before. `id`: undefined for an object that the run makes. `now`: what it depends on.
 */
export function steadyValue(
  { type, shown }: AnyDefinition,
  id: string | undefined,
  name: string,
  now: JsonMap,
  { objects, roots }: SteadyFacts,
): Json | undefined {
  const before = id === undefined ? undefined : objects[type]?.[id];
  if (id !== undefined && before === undefined) return undefined;
  const stays = before && Object.entries(now).every(([input, value]) => same(before.inputs[input], value));
  return stays ? before.outputs[name] : shown.follows?.(name, now, { before, roots });
}

export function unfinishedIn(meta: Json | undefined): JsonMap {
  return mapOf(mapOf(meta)["unfinished"]);
}

function isPlain(value: Json | undefined): boolean {
  return value !== undefined && !isSpecial(value);
}

/** Tells if a value is one of Pulumi's special values, such as a secret, or holds one. */
export function isSpecial(value: Json): boolean {
  return JSON.stringify(value).includes(SPECIAL_VALUE);
}

const SPECIAL_VALUE = "4dabf18193072939515e22adb298388d";
