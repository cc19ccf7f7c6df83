/** From the records of an account to the model. Pure. */
import type { CheckFailure } from "../../provider/problems.ts";
import { problemText } from "../../provider/wording.ts";
import type { Json, JsonMap } from "../../provider/json.ts";
import { checkInputs } from "../../provider/lifecycle/check.ts";
import { Claims, conflictingClaims } from "../../provider/lifecycle/claims.ts";
import { markerIn } from "../../provider/lifecycle/identity.ts";
import { registry, type Kind } from "../../provider/registry.ts";
import { UNKNOWN } from "../../provider/lifecycle/unknown.ts";
import { isRetired } from "../../provider/resources/funnel.ts";
import { assignKeys, byAge } from "./keys.ts";
import * as kinds from "./kinds.ts";
import {
  Opaque,
  Reference,
  Setting,
  StandIn,
  addressOf,
  isPlainMap,
  tellingInputs,
  type LeftOut,
  type Model,
  type Note,
  type Resource,
  type Value,
} from "./model.ts";
import type { AccountRecords } from "./read.ts";

export interface BuildOptions {
  readonly asNew?: boolean;
  /** Template ids by page key; under "" for all other pages. Only for copies. */
  readonly templates?: ReadonlyMap<string, string>;
  /** Keys that objects have already, by kind and id. */
  readonly known?: ReadonlyMap<Kind, ReadonlyMap<string, string>>;
  /** References may go to known objects that are not part of the export. */
  readonly refersToKnown?: boolean;
  /** Keys that other things have. */
  readonly reserved?: ReadonlyMap<Kind, readonly string[]>;
}

interface Found {
  readonly kind: Kind;
  readonly id: string;
  readonly name: string;
  readonly createdAt: string | null;
  readonly publishedAt: string;
  readonly write: (key: string, around: kinds.Surroundings) => kinds.Written;
}

export function buildModel(records: AccountRecords, options: BuildOptions = {}): Model {
  const leftOut: LeftOut[] = [];
  const found = objectsOf(records).filter((object) => {
    const reason = reasonToLeaveOut(object);
    if (reason !== undefined) leftOut.push({ kind: object.kind, id: object.id, name: object.name, reason });
    return reason === undefined;
  });
  const keys = keysOf(found, options);
  const around = surroundings(keys, options);
  const names = new Map(found.map((object) => [object, object.name]));
  if (around.asNew) renameTwinSites(found, names);
  const resources = found.map((object): Resource => {
    const { kind, id } = object;
    const key = keys.get(kind)?.get(id) ?? id;
    const { inputs, notes } = around.asNew ? withoutForeign(object.write(key, around)) : object.write(key, around);
    const twin = names.get(object) !== object.name;
    const renamed = twin ? [{ field: "name", text: "another site of this export has the original's name" }] : [];
    return {
      kind,
      key,
      id: around.asNew ? undefined : id,
      name: names.get(object),
      inputs,
      notes: [...renamed, ...notes],
    };
  });
  const { account, whole, warnings } = records;
  const name = account?.name ?? "";
  return {
    from: "account",
    title: account === undefined ? "this account" : `account ${account.id}${name === "" ? "" : ` (${name})`}`,
    name,
    resources: sound(resources, found, around.asNew),
    leftOut,
    copy: around.asNew,
    whole,
    warnings,
  };
}

function objectsOf(records: AccountRecords): Found[] {
  const { contents } = records;
  const objects = [
    ...records.projects.map((row) => object("project", row, row.name, () => kinds.projectInputs)),
    ...records.sites.map((row) => object("site", row, row.name, () => kinds.siteInputs)),
    ...records.pages.map((row): Found => {
      const write = (key: string) => (page: typeof row, around: kinds.Surroundings) =>
        kinds.pageInputs(page, key, contents.get(page.id), around);
      const publishedAt = row.published_at ?? "";
      return { ...object(row.is_quiz ? "quiz" : "page", row, row.page_name, write), publishedAt };
    }),
    ...records.products.map((row) => object("product", row, row.name, () => kinds.productInputs)),
    ...records.funnels.map((row) => object("funnel", row, row.name, () => kinds.funnelInputs)),
    ...records.videos.map((row) => {
      const write = (key: string) => (video: typeof row, around: kinds.Surroundings) =>
        kinds.videoInputs(video, key, around);
      return object("videoPlayer", row, row.name ?? row.id, write);
    }),
  ];
  return objects.sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || byAge(a, b));
}

const KINDS = Object.keys(registry);

function object<Row extends { id: string; created_at: string | null }>(
  kind: Kind,
  row: Row,
  name: string,
  writer: (key: string) => (row: Row, around: kinds.Surroundings) => kinds.Written,
): Found {
  const { id, created_at: createdAt } = row;
  return { kind, id, name, createdAt, publishedAt: "", write: (key, around) => writer(key)(row, around) };
}

function reasonToLeaveOut({ kind, name }: Found): string | undefined {
  if (kind === "funnel" && isRetired(name)) return "retired: the next new funnel of its project takes it over";
  if (markerIn(name) !== undefined) return "left behind by a run that was interrupted: the next one removes it";
  if (name === "") return "it has no name: give it one in the app, and export again";
  return name.isWellFormed() ? undefined : "its name is not text that can be written down";
}

/** Pages and quizzes share their keys: both are pages to a funnel. */
function keysOf(found: readonly Found[], { known, reserved }: BuildOptions): Map<Kind, Map<string, string>> {
  const keys = new Map<Kind, Map<string, string>>();
  for (const kind of new Set(found.map((object) => object.kind))) {
    const others: Kind[] = kind === "page" ? ["quiz"] : kind === "quiz" ? ["page"] : [];
    const taken = [kind, ...others].flatMap((one) => reserved?.get(one) ?? []);
    const siblings = others.flatMap((one) => [
      ...(known?.get(one)?.values() ?? []),
      ...(keys.get(one)?.values() ?? []),
    ]);
    const objects = found.filter((object) => object.kind === kind);
    const fallback = kind === "videoPlayer" ? "video" : kind;
    keys.set(kind, assignKeys(objects, fallback, known?.get(kind) ?? new Map(), [...taken, ...siblings]));
  }
  return keys;
}

function surroundings(keys: ReadonlyMap<Kind, ReadonlyMap<string, string>>, options: BuildOptions): kinds.Surroundings {
  const { asNew = false, templates = new Map<string, string>(), known, refersToKnown } = options;
  return {
    asNew,
    ref: (kind, id) => {
      if (id === null || id === "") return null;
      const candidates: Kind[] = kind === "page" ? ["page", "quiz"] : [kind];
      for (const candidate of candidates) {
        const key = keys.get(candidate)?.get(id) ?? (refersToKnown ? known?.get(candidate)?.get(id) : undefined);
        if (key !== undefined) return new Reference(candidate, key);
      }
      return id;
    },
    templates,
  };
}

/** What is not part of the export is not in the other account either. */
function withoutForeign({ inputs, notes }: kinds.Written): kinds.Written {
  const kept = { ...inputs };
  const left: Note[] = [];
  for (const field of ["projectId", "siteId", "publish"] as const) {
    const value = inputs[field];
    const id = isPlainMap(value) ? value["siteId"] : value;
    if (typeof id !== "string") continue;
    Reflect.deleteProperty(kept, field);
    left.push({ field, text: `was with ${id}, which is not part of this export` });
  }
  return { inputs: kept, notes: [...notes, ...left] };
}

/** A new site is found by its name, so that copies of two sites of one name need two. */
function renameTwinSites(found: readonly Found[], names: Map<Found, string>): void {
  const taken = new Set<string>();
  for (const site of found.filter(({ kind }) => kind === "site")) {
    let name = site.name;
    for (let n = 2; taken.has(name.trim().toLowerCase()); n++) name = `${site.name} ${n}`;
    taken.add(name.trim().toLowerCase());
    names.set(site, name);
  }
}

/**
 * Leaves out what the provider's own checks refuse, with the reason as a note: an account may hold what nobody could
 * declare (two pages at one path: the one published last is at it). A copy keeps it, for somebody to correct.
 */
function sound(resources: readonly Resource[], found: readonly Found[], asNew: boolean): Resource[] {
  const claims = new Claims();
  const results = new Map<Resource, Resource>();
  const published = new Map(resources.map((resource, index) => [resource, found[index]?.publishedAt ?? ""]));
  const newestFirst = [...resources].sort((a, b) => ((published.get(a) ?? "") < (published.get(b) ?? "") ? 1 : -1));
  for (const resource of newestFirst) results.set(resource, soundOne(resource, claims, asNew));
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

/** The inputs as the provider gets them, an address standing for each id. */
function asProvider(resource: Resource): JsonMap {
  const inputs: JsonMap = Object.fromEntries(tellingInputs(resource).map(([field, value]) => [field, plain(value)]));
  if (registry[resource.kind].named) inputs["name"] = resource.name ?? resource.key;
  if (resource.id !== undefined) inputs["adoptId"] = resource.id;
  return inputs;
}

export function plain(value: Value): Json {
  if (value instanceof Reference) return value.address;
  if (value instanceof Opaque) return value.text;
  if (value instanceof StandIn) return plain(value.value);
  if (value instanceof Setting) return UNKNOWN;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}
