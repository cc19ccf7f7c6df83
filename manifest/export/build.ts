/** Builds the model from the records of an account. Pure. */
import type { AnyDefinition } from "../../provider/definition/define.ts";
import type { Exporting } from "../../provider/definition/exporting.ts";
import { refersTo, shapeOf } from "../../provider/definition/schema-walk.ts";
import { type Kind, registry } from "../../provider/kinds/registry.ts";
import type { CheckFailure } from "../../provider/values/problems.ts";
import { problemText } from "../../provider/values/wording.ts";
import { checkInputs, Claims, conflictingClaims } from "../../provider/reconcile/check.ts";
import { markerIn } from "../../provider/ledger/identity.ts";
import type { JsonMap } from "../../provider/values/json.ts";
import { addressOf, isPlainMap, plain, Reference, Setting, StandIn, tellingInputs } from "../match/model.ts";
import type { Inputs, LeftOut, Model, Note, Resource, Value } from "../match/model.ts";
import type { ByObject } from "../match/objects.ts";
import { assignKeys, byAge, slug } from "../write/files.ts";
import type { AccountRecords, LiveObject } from "./read.ts";

interface BuildOptions {
  readonly asNew?: boolean;
  /** Template ids by page key; the id under "" counts for all other pages. Only for copies. */
  readonly templates?: ReadonlyMap<string, string>;
  /** Keys that objects have already, by kind and id. */
  readonly known?: ReadonlyMap<Kind, ReadonlyMap<string, string>>;
  /** Objects that the export leaves out, with the reason, by kind and id. */
  readonly letGo?: ByObject<string>;
  /** Returns the reason why an object that has no key is left to others. */
  readonly claimed?: (kind: Kind, id: string) => string | undefined;
  /** True if references may lead to known objects outside of the export. */
  readonly refersToKnown?: boolean;
  readonly reserved?: ReadonlyMap<Kind, readonly string[]>;
}

interface Found {
  readonly kind: Kind;
  readonly id: string;
  readonly name: string;
  readonly createdAt: string | null;
  readonly publishedAt: string;
  readonly leftOut: string | undefined;
  readonly write: (key: string, around: Around) => Written;
}

interface Written {
  readonly inputs: Inputs;
  readonly notes: readonly Note[];
}

type Around = Pick<Exporting, "asNew" | "ref" | "isExported" | "templates">;

export function buildModel(records: AccountRecords, options: BuildOptions = {}): Model {
  const leftOut: LeftOut[] = [];
  const all = records.objects.map(objectOf);
  const inOrder = all.sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || byAge(a, b));
  const found = inOrder.filter((object) => {
    const reason =
      options.letGo?.get(object.kind)?.get(object.id) ?? claimOn(object, options) ?? reasonToLeaveOut(object);
    if (reason !== undefined) leftOut.push({ kind: object.kind, id: object.id, name: object.name, reason });
    return reason === undefined;
  });
  const keys = keysOf(found, options);
  const around = surroundings(keys, options);
  const names = new Map(found.map((object) => [object, object.name]));
  if (around.asNew) renameTwins(found, names);
  const resources = found.map((object): Resource => {
    const { kind, id } = object;
    const key = keys.get(kind)?.get(id) ?? id;
    const written = object.write(key, around);
    const { inputs, notes } = around.asNew ? withoutForeign(kind, written) : written;
    const text = `another ${wordFor(kind)} of this export has the original's name`;
    const renamed = names.get(object) === object.name ? [] : [{ field: "name", text }];
    return {
      kind,
      key,
      id: around.asNew ? undefined : id,
      ...(around.asNew && { copyOf: id }),
      name: names.get(object),
      inputs,
      notes: [...renamed, ...notes],
    };
  });
  const { account, warnings } = records;
  const name = account?.name ?? "";
  return {
    title: account === undefined ? "this account" : `account ${account.id}${name === "" ? "" : ` (${name})`}`,
    name,
    resources: sound(resources, found, around.asNew),
    leftOut,
    copy: around.asNew,
    warnings,
  };
}

const KINDS = Object.keys(registry);

function objectOf({ kind, row, details }: LiveObject): Found {
  const definition: AnyDefinition = registry[kind];
  const { collection, exporting } = definition;
  const answer = definition.shown.answerOf(row);
  const { createdAt } = answer;
  return {
    kind,
    id: row.id,
    name: collection?.nameOf(row) ?? row.id,
    createdAt: typeof createdAt === "string" ? createdAt : null,
    publishedAt: exporting?.publishedAt?.(row) ?? "",
    leftOut: exporting?.leftOut?.(row),
    write: (key, around) => {
      const shown = shownInputs(definition, answer, around);
      const written = definition.exporting?.of?.(row, exportingOf(kind, key, around), shown, details) ?? {
        inputs: shown,
        notes: [],
      };
      return written as unknown as Written;
    },
  };
}

/** Returns the inputs that are outputs, too, and the names beside them. */
function shownInputs({ inputs, outputs, named }: AnyDefinition, answer: JsonMap, { ref }: Around): Inputs {
  const shown: Inputs = {};
  for (const [field, schema] of Object.entries(inputs.shape)) {
    const value = answer[field];
    if (!(field in outputs.shape) || value === undefined || (named && field === "name")) continue;
    const [what] = refersTo(schema);
    const isId = what !== undefined && (typeof value === "string" || value === null);
    shown[field] = isId ? (ref(what, value) as unknown as Value) : value;
  }
  return shown;
}

function exportingOf(kind: Kind, key: string, around: Around): Exporting {
  return {
    ...around,
    key,
    standIn: (value) => new StandIn(value),
    setting: (what) => new StandIn(new Setting(`${slug(key, wordFor(kind))}-${what}`)),
  };
}

function wordFor(kind: Kind): string {
  const definition: AnyDefinition = registry[kind];
  return definition.lookup?.what ?? kind;
}

/** Returns the kinds that share a word and a sort of id, such as pages and quizzes. */
function kindsOf(what: string): Kind[] {
  const all = Object.entries(registry) as [Kind, AnyDefinition][];
  return all.flatMap(([kind, { collection }]) => (collection?.what === what ? [kind] : []));
}

/** A copy takes nothing from anybody. */
function claimOn({ kind, id }: Found, { asNew, known, claimed }: BuildOptions): string | undefined {
  return asNew === true || known?.get(kind)?.has(id) === true ? undefined : claimed?.(kind, id);
}

function reasonToLeaveOut({ leftOut, name }: Found): string | undefined {
  if (leftOut !== undefined) return leftOut;
  if (markerIn(name) !== undefined) return "left behind by a run that was interrupted: the next one removes it";
  if (name === "") return "it has no name: give it one in the app, and export again";
  return name.isWellFormed() ? undefined : "its name is not text that can be written down";
}

/** Kinds of one collection share their keys, because a funnel takes both as pages. */
function keysOf(found: readonly Found[], { known, reserved }: BuildOptions): Map<Kind, Map<string, string>> {
  const keys = new Map<Kind, Map<string, string>>();
  for (const kind of new Set(found.map((object) => object.kind))) {
    const { collection }: AnyDefinition = registry[kind];
    const others = kindsOf(collection?.what ?? "").filter((one) => one !== kind);
    const taken = [kind, ...others].flatMap((one) => reserved?.get(one) ?? []);
    const siblings = others.flatMap((one) => [
      ...(known?.get(one)?.values() ?? []),
      ...(keys.get(one)?.values() ?? []),
    ]);
    const objects = found.filter((object) => object.kind === kind);
    keys.set(kind, assignKeys(objects, wordFor(kind), known?.get(kind) ?? new Map(), [...taken, ...siblings]));
  }
  return keys;
}

function surroundings(keys: ReadonlyMap<Kind, ReadonlyMap<string, string>>, options: BuildOptions): Around {
  const { asNew = false, templates = new Map<string, string>(), known, refersToKnown } = options;
  const find = (what: string, id: string): Reference | undefined => {
    for (const candidate of kindsOf(what)) {
      const key = keys.get(candidate)?.get(id) ?? (refersToKnown ? known?.get(candidate)?.get(id) : undefined);
      if (key !== undefined) return new Reference(candidate, key);
    }
    return undefined;
  };
  return {
    asNew,
    ref: (what, id) => (id === null || id === "" ? null : (find(what, id) ?? id)),
    isExported: (what, id) => find(what, id) !== undefined,
    templates,
  };
}

/** Leaves out references to objects that are not exported, because the other account doesn't have them. */
function withoutForeign(kind: Kind, { inputs, notes }: Written): Written {
  const kept = { ...inputs };
  const left: Note[] = [];
  for (const [field, schema] of Object.entries(registry[kind].inputs.shape)) {
    const id = foreignId(inputs[field], schema);
    if (id === undefined) continue;
    Reflect.deleteProperty(kept, field);
    left.push({ field, text: `was with ${id}, which is not part of this export` });
  }
  return { inputs: kept, notes: [...notes, ...left] };
}

/** Returns the id of an object of the other account, in a field or below it. */
function foreignId(value: Value | undefined, schema: unknown): string | undefined {
  if (refersTo(schema).some((what) => kindsOf(what).length > 0)) return typeof value === "string" ? value : undefined;
  const shape = shapeOf(schema);
  if (shape.type !== "object" || !isPlainMap(value)) return undefined;
  const ids = Object.entries(shape.fields).flatMap(([name, field]) => foreignId(value[name], field) ?? []);
  return ids[0];
}

/** Renames objects of the same name. A new copy is found by its name, so two copies need two names. */
function renameTwins(found: readonly Found[], names: Map<Found, string>): void {
  const unique = found.filter(({ kind }) => hasUniqueName(kind));
  for (const [, group] of Map.groupBy(unique, ({ kind }) => kind)) {
    const taken = new Set<string>();
    for (const object of group) {
      let name = object.name;
      for (let n = 2; taken.has(name.trim().toLowerCase()); n++) name = `${object.name} ${n}`;
      taken.add(name.trim().toLowerCase());
      names.set(object, name);
    }
  }
}

export function hasUniqueName(kind: Kind): boolean {
  const { exporting }: AnyDefinition = registry[kind];
  return exporting?.nameIsUnique === true;
}

/**
 * Leaves out values that the provider's own checks refuse, and notes the reason. An account may hold values that nobody could declare, such as two
 * pages at one path. A copy keeps the value, so that somebody can correct it.
 */
function sound(resources: readonly Resource[], found: readonly Found[], asNew: boolean): Resource[] {
  const claims = new Claims();
  const all = resources.map((resource, index) => ({ resource, at: found[index]?.publishedAt ?? "" }));
  const newestFirst = all.toSorted((a, b) => (a.at < b.at ? 1 : -1));
  const results = new Map(newestFirst.map(({ resource }) => [resource, soundOne(resource, claims, asNew)]));
  return resources.map((resource) => results.get(resource) ?? resource);
}

function soundOne(resource: Resource, claims: Claims, asNew: boolean): Resource {
  const definition = registry[resource.kind];
  const inputs = asProvider(resource);
  const failures = checkInputs(definition, inputs);
  const conflicts: CheckFailure[] =
    failures.length > 0 ? [] : conflictingClaims(definition, inputs, addressOf(resource), claims);
  return [...failures, ...conflicts].reduce(
    (result, failure) => withoutRefused(result, failure, asNew && !conflicts.includes(failure)),
    resource,
  );
}

function withoutRefused(resource: Resource, failure: CheckFailure, keep: boolean): Resource {
  const field = String(failure.path[0] ?? "");
  const { [field]: refused, ...rest } = resource.inputs;
  if (keep && resource.notes.some((note) => note.field === field)) return resource;
  const shown = refused === undefined || keep ? "" : ` (${JSON.stringify(plain(refused)).slice(0, 200)})`;
  const note: Note = { field, text: `${problemText(failure)}${shown}` };
  return { ...resource, inputs: keep ? resource.inputs : rest, notes: [...resource.notes, note] };
}

/** Returns the inputs as the provider gets them. The address stands for each id. */
function asProvider(resource: Resource): JsonMap {
  const inputs: JsonMap = Object.fromEntries(tellingInputs(resource).map(([field, value]) => [field, plain(value)]));
  if (registry[resource.kind].named) inputs["name"] = resource.name ?? resource.key;
  if (resource.id !== undefined) inputs["adoptId"] = resource.id;
  return inputs;
}
