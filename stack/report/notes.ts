/** Failures and notes that need all resources: renamed resources, and values that stay. Pure. */
import type { EmptiedCell } from "./written-in.ts";
import { listed } from "../../provider/values/wording.ts";
import { type Notice, noticeText } from "../../provider/messages/notices.ts";
import {
  isRecord,
  isUnknown,
  type Json,
  nameOf,
  type PropertyMap,
  type StepEventMetadata,
} from "../../engine/index.ts";
import { definitionOf, registry } from "../../provider/kinds/registry.ts";
import { shortName, type Told, operationOf } from "./steps.ts";
import type { AnyDefinition } from "../../provider/definition/define.ts";
import { isMap, same } from "../../provider/values/json.ts";
import { refersTo } from "../../provider/definition/schema-walk.ts";
import type { Failure, Field } from "./model.ts";
import { fieldsBetween } from "./values.ts";

/** Resources that look renamed: failures where a second object is unlikely, so that the plan fails before anything is made, else warnings. */
export function renamedIn(all: Iterable<Told>): { readonly failures: Failure[]; readonly warnings: string[] } {
  const told = [...all];
  const leaving = new Set(
    told.flatMap(({ steps }) => (operationOf(steps) === "delete" ? (steps.get("delete") ?? []) : [])),
  );
  const pairs = told.flatMap(({ steps }): Renamed[] => {
    const made = operationOf(steps) === "create" ? steps.get("create") : undefined;
    const before = made && [...leaving].find((step) => isSameObject(step, made));
    if (made === undefined || before === undefined) return [];
    leaving.delete(before);
    return [{ kind: shortName(made.type), urn: made.urn, now: nameOf(made.urn), then: nameOf(before.urn), before }];
  });
  const [alone, perhaps] = [pairs.filter(isAlone), pairs.filter((pair) => !isAlone(pair))];
  return {
    failures: alike(alone).map((all) => ({ urn: all[0]?.urn, cause: "program", message: renamedText(all) })),
    warnings: alike(perhaps).map(perhapsText),
  };
}

/** The key of one row renames all objects that are made of it. */
function alike(pairs: readonly Renamed[]): Renamed[][] {
  return [...Map.groupBy(pairs, ({ kind }) => kind).values()];
}

interface Renamed {
  readonly kind: string;
  /** The URN of the new one. */
  readonly urn: string;
  readonly now: string;
  readonly then: string;
  readonly before: StepEventMetadata;
}

function isSameObject(before: StepEventMetadata, made: StepEventMetadata): boolean {
  const definition = definitionOf(shortName(made.type));
  if (!definition || before.type !== made.type || nameOf(before.urn) === nameOf(made.urn)) return false;
  // Nothing is lost of what a deletion leaves as it is.
  if (definition.calls.delete.length === 0 && definition.leaves !== "retired") return false;
  const [then, now] = [before.old?.inputs ?? {}, made.new?.inputs ?? {}];
  return agrees(declared(definition, then, before.urn), declared(definition, now, made.urn));
}

/** Tells if a second object like it is unlikely: it claims something for itself, or other kinds refer to it. */
function isAlone({ before }: Renamed): boolean {
  const { kind = "", plan } = definitionOf(shortName(before.type)) ?? {};
  if (plan?.claims) return plan.claims(before.old?.inputs ?? {}).length > 0;
  return Object.values<AnyDefinition>(registry).some(({ inputs: others }) =>
    Object.values(others.shape).some((field) => refersTo(field).includes(kind)),
  );
}

/** Leaves out the inputs that every resource gets, and a name that only repeats the logical one if an object can change its name. */
function declared(definition: AnyDefinition, inputs: PropertyMap, urn: string): PropertyMap {
  const takesName = definition.rule("name").onChange !== "refuse";
  const entries = Object.entries(inputs).filter(
    ([key, value]) => !key.startsWith("__") && !(takesName && key === "name" && value === nameOf(urn)),
  );
  return Object.fromEntries(entries);
}

/** A value that is not known yet may well be the same. */
function agrees(then: Json, now: Json): boolean {
  if (isUnknown(now)) return true;
  if (Array.isArray(then) && Array.isArray(now)) {
    return then.length === now.length && then.every((item, index) => agrees(item, now[index] ?? null));
  }
  if (!isMap(then) || !isMap(now)) return same(then, now);
  const keys = new Set([...Object.keys(then), ...Object.keys(now)]);
  return [...keys].every((key) => key in then && key in now && agrees(then[key] as Json, now[key] as Json));
}

function renamedText(pairs: readonly Renamed[]): string {
  const [{ kind, now, then } = NONE, ...others] = pairs;
  if (others.length === 0)
    return (
      `${kind} "${then}" would be deleted, and ${kind} "${now}" made anew with the same inputs: its logical name changed. ` +
      `Give it ${aliasText(then)}, and it stays the same object. ` +
      `To make a new one, first remove the old one in a run of its own. Nothing was sent.`
    );
  return (
    `${pairs.length} resources of the type ${kind} would be deleted and made anew with the same inputs: their logical names changed. ` +
    `${namedAnew(pairs)}. To keep them, ${WAYS}. To make new ones, first remove the old ones in a run of its own. Nothing was sent.`
  );
}

function perhapsText(pairs: readonly Renamed[]): string {
  const [{ kind, now, then } = NONE, ...others] = pairs;
  return others.length === 0
    ? `${kind} ${now} is new, with the same inputs as ${then}, which goes. If it was renamed, give it ${aliasText(then)}, and it stays the same object.`
    : `${pairs.length} resources of the type ${kind} are new, with the same inputs as others that go: ${namedAnew(pairs)}. If they were renamed, ${WAYS}, and they stay the same objects.`;
}

const NONE = { kind: "", now: "", then: "" };

function namedAnew(pairs: readonly Renamed[]): string {
  const names = pairs.map(({ now, then }) => `"${then}" is now "${now}"`);
  return listed(names, MOST_NAMED);
}

const MOST_NAMED = 3;
const WAYS =
  "put the earlier key of the entry or the row back, or give each the option aliases with its earlier name (in landform.yaml, " +
  'options: { aliases: [NAME] }; in an entry with each, from a column that has the earlier key: options: { aliases: ["page-${each.was}"] })';

function aliasText(then: string): string {
  return `the option aliases: [{ name: "${then}" }] (in landform.yaml, options: { aliases: [${then}] })`;
}

/** Marks the fields of a resource that stay, and those that were never there. `inputs`: the present declaration; `left`: the outputs. */
export function withStaying(
  fields: readonly Field[],
  type: string,
  inputs: PropertyMap = {},
  left: PropertyMap = {},
): Field[] {
  const definition = definitionOf(type);
  return fields.map((field) => {
    if (!definition || !isStaying(field, definition, inputs)) return field;
    return { ...field, stays: true, ...(isNever(field, definition, left) && { never: true as const }) };
  });
}

/** A run that failed has left what it was asked for in the state, and its outputs have what was written. */
function isNever({ path: [input, key] }: Field, definition: AnyDefinition, left: PropertyMap): boolean {
  const written = left[String(input)];
  const isKey = key !== undefined && definition.rule(String(input)).perKey === true;
  return isKey && isRecord(written) && !Object.hasOwn(written, String(key));
}

function isStaying(field: Field, definition: AnyDefinition, inputs: PropertyMap): boolean {
  const { kind, path, replaces } = field;
  const [input, key, ...inside] = path.map(String);
  if (kind !== "delete" || replaces === true || input === undefined) return false;
  const { onChange, cleared, perKey, removalReplaces, merges } = definition.rule(input);
  // The field only told Landform how to work (adoptId, reuse). The account has nothing of it.
  if (onChange === "none") return false;
  const value = inputs[input];
  if (value === undefined) return cleared === undefined && removalReplaces !== true;
  if (perKey !== true || key === undefined || !isRecord(value)) return false;
  const own = value[key];
  return own === undefined || (inside.length > 0 && inside.length <= 2 && merges?.(own) === true);
}

/** Returns notes about fields that stay, for unchanged resources: one for each emptied cell, and one for each other resource. */
export function stayingNotes(all: Iterable<Told>, emptied: EmptiedCell = () => undefined): string[] {
  const cells = new Map<string, string[]>();
  const others = [...all].flatMap(({ urn, steps }) => {
    const step = steps.get("same");
    if (step?.old === undefined || step.new === undefined) return [];
    const [type, name] = [shortName(step.type), nameOf(urn)];
    const fields = withStaying(fieldsBetween(step.old.inputs, step.new.inputs), type, step.new.inputs);
    const names = fields.flatMap(({ stays, path }) => {
      const cell = stays === true ? emptied({ type, name }, path) : undefined;
      if (cell !== undefined) cells.set(cell, [...(cells.get(cell) ?? []), `${type} ${name}`]);
      return stays === true && cell === undefined ? [path.join(".")] : [];
    });
    if (names.length === 0) return [];
    const stay = names.length === 1 ? ["stays as it is", "it"] : ["stay as they are", "them"];
    const said = `${names.join(", ")} ${stay.join(", since the code no longer sets ")}`;
    return [{ type, name, said }];
  });
  // A row that goes from a table may leave its text on sixty pages.
  const left = Map.groupBy(others, ({ type, said }) => JSON.stringify([type, said]));
  const told = [...left.values()].flatMap((all) => {
    const [first] = all;
    const names = all.map(({ name }) => name);
    return first === undefined ? [] : `${first.type} ${listed(names, 3)}: ${first.said}`;
  });
  return [...[...cells].map(emptiedText), ...told];
}

function emptiedText([cell, names]: readonly [string, readonly string[]]): string {
  const isOfPages = names.every((name) => name.startsWith("Page "));
  const keep =
    names.length === 1 ? `${names.join()} keeps` : `${names.length} ${isOfPages ? "pages keep" : "resources keep"}`;
  const named = names.length === 1 ? "" : `: ${listed(names, 3)}`;
  const next = isOfPages ? `. To show no text, write "" into the cell` : "";
  return `${cell} is empty now, and ${keep} the ${isOfPages ? "text" : "value"} that stood there${named}${next}`;
}

/** One sentence about all objects that a run went on with, and one about all that it removed: a killed run may have left hundreds. */
export function leftoverTexts(notices: readonly Notice[]): string[] {
  const goesOn = (count: number): string => `The run goes on with ${count} objects that an earlier run left behind`;
  const removed = (count: number): string => `Removed ${count} objects that an interrupted run had left behind`;
  return [...together(notices, "carried-on", goesOn), ...together(notices, "removed-leftover", removed)];
}

type Leftover = Extract<Notice, { code: "carried-on" | "removed-leftover" }>;

function together(notices: readonly Notice[], code: Leftover["code"], says: (count: number) => string): string[] {
  const told = notices.filter((one): one is Leftover => one.code === code);
  const all = [...new Map(told.map((one) => [`${one.kind} ${one.id}`, one])).values()];
  if (all.length < 2) return all.map(noticeText);
  return [`${says(all.length)}: ${listed(all.map(({ kind, name }) => `${kind} "${name}"`))}.`];
}
