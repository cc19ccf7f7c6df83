/** Translates the steps of an engine into their meaning for people. Pure. */
import {
  containsSecret,
  isRootStack,
  isSecret,
  makeSecret,
  nameOf,
  reveal,
  shortType,
  typeOf,
} from "../../engine/index.ts";
import type { Json, PropertyMap, ResourceState, StepEventMetadata } from "../../engine/index.ts";
import { definitionOf } from "../../provider/kinds/registry.ts";
import { type Change, type ChangeOp, SECRET, type Warning } from "./model.ts";
import { filterMap, isMap, type JsonMap, mapBy, mapEach } from "../../provider/values/json.ts";
import { heldInputs } from "../../provider/reconcile/foreign-edits.ts";
import { normalSlug } from "../../provider/values/addresses.ts";
import { shown } from "./values.ts";

/** By operation of the engine. */
type Steps = ReadonlyMap<string, StepEventMetadata>;

export function shortName(type: string): string {
  return shortType(type).replace(/^landform:/, "");
}

/** Tells if the step takes over an existing object. An engine knows it only as a creation. */
function isAdoption(step: StepEventMetadata | undefined): boolean {
  return step !== undefined && definitionOf(step.type) !== undefined && (step.new?.inputs["adoptId"] ?? null) !== null;
}

/** Returns the operation that a single step is shown as. */
export function shownAs(step: StepEventMetadata): string {
  return step.op === "create" && isAdoption(step) ? "adopt" : step.op;
}

const REPLACING = ["replace", "create-replacement"];
const OPERATIONS: Readonly<Partial<Record<string, ChangeOp>>> = {
  create: "create",
  import: "create",
  update: "update",
  delete: "delete",
  discard: "delete",
};

/** Returns the operation of all steps of a resource together; undefined if nothing changes. */
export function operationOf(steps: Steps): ChangeOp | undefined {
  if (REPLACING.some((op) => steps.has(op))) return "replace";
  const op = [...steps.keys()].map((name) => OPERATIONS[name]).find((found) => found !== undefined);
  return op === "create" && isAdoption(steps.get("create")) ? "adopt" : op;
}

const NO_CHANGE = new Set(["same", "refresh", "read"]);

export function isChanging({ urn, steps }: Pick<Told, "urn" | "steps">): boolean {
  return !isRootStack(urn) && [...steps.keys()].some((op) => !NO_CHANGE.has(op));
}

/** Returns the former URNs with the present one, or undefined if the resource has kept its place and its name. */
export function movedUrns({ urn, steps }: Pick<Told, "urn" | "steps">): string[] | undefined {
  const moved = [...steps.values()].filter(
    ({ old, new: next }) => old && next && !old.delete && (old.urn !== next.urn || old.parent !== next.parent),
  );
  return moved.length === 0 ? undefined : [...new Set([urn, ...moved.flatMap(({ old }) => old?.urn ?? [])])];
}

/** Returns the step that knows both states. */
export function decisive(steps: Steps, op: ChangeOp): StepEventMetadata | undefined {
  const order = op === "replace" ? REPLACING : [op === "adopt" ? "create" : op];
  return order.map((name) => steps.get(name)).find((found) => found !== undefined) ?? [...steps.values()].at(-1);
}

/** Tells if the object stays in the account when the state lets it go. */
export function isRetained({ steps }: Pick<Told, "steps">): boolean {
  return [...steps.values()].some(({ old }) => old?.retainOnDelete === true);
}

/** Returns the state that the last step leads to; undefined if the resource goes, or if nothing was told of it. */
export function wantedOf(told: Pick<Told, "steps"> | undefined): StepEventMetadata["new"] {
  return [...(told?.steps.values() ?? [])].findLast((step) => step.new !== undefined)?.new;
}

/** Returns the URN in the state. An alias may have renamed the resource since. */
export function recordedAs({ urn, old }: Pick<StepEventMetadata, "urn" | "old">): string {
  return old?.urn ?? urn;
}

export function unaskedEdits(urn: string, reason: string, noDraft = false): Warning {
  const open = noDraft ? "somebody has changed it since the last run" : "edits of others would go live with it";
  return { text: `${nameOf(urn)}: Landform could not ask if ${open}: ${reason}`, urn };
}

/** Returns the type, name and address by which messages call a resource. `type`: the engine's name. */
export function aboutOf(
  { urn, outputs }: Pick<Told, "urn" | "outputs">,
  type: string,
): Pick<Change, "urn" | "type" | "name" | "url"> {
  return { urn, type: shortName(type), name: nameOf(urn), url: urlOf(outputs) };
}

export function urlOf(outputs: PropertyMap): string | undefined {
  const { url, status } = outputs;
  return typeof url === "string" && status === "published" ? url : undefined;
}

/** Everything that the engine told about one resource. */
export interface Told {
  urn: string;
  /** By operation of the engine. */
  steps: Map<string, StepEventMetadata>;
  /** By id, the deletions of objects that replacements of this and of earlier runs left behind. */
  leftovers: Map<string, StepEventMetadata>;
  /** Operations that have begun and not ended. */
  underWay: Set<string>;
  failed: boolean;
  /** The outputs after the run. */
  outputs: PropertyMap;
  id: string;
  /** The values that a refresh found; null if the object is gone. */
  live?: { before: PropertyMap; after: PropertyMap } | null;
  /** The inputs that an interrupted run was to give it. */
  asked?: PropertyMap | undefined;
  /** True if the run was only the refresh. */
  alone?: true;
}

/** Includes addresses that a release has published. The page's own state gets its address only at the next refresh. */
export function publicUrls(told: ReadonlyMap<string, Told>): Map<string, string> {
  const all = [...told.values()];
  const released = new Map(all.flatMap(({ outputs }) => Object.entries(releasedIn(outputs))));
  return new Map(
    all.flatMap(({ urn, id, outputs }) => {
      const { gathered } = definitionOf(typeOf(urn)) ?? {};
      const ofRelease = gathered && released.get(id);
      const url = urlOf(outputs) ?? ofRelease;
      const known = gathered && outputs[gathered.draft] !== undefined && isMoving(outputs, url) ? ofRelease : url;
      return known === undefined ? [] : [[urn, known]];
    }),
  );
}

/** Tells if a page has its future address while its release waits. It is public under the slug that the service shows. */
function isMoving(outputs: PropertyMap, url: string | undefined): boolean {
  const { slug, status } = outputs;
  if (url === undefined || status !== "published" || typeof slug !== "string") return false;
  return !`/${spelled(URL.parse(url)?.pathname ?? "")}`.endsWith(`/${spelled(slug)}`);
}

function spelled(path: string): string {
  const slug = normalSlug(path);
  try {
    return decodeURIComponent(slug).toLowerCase();
  } catch {
    return slug.toLowerCase();
  }
}

/** The addresses by page id. */
export function releasedIn({ urls }: PropertyMap): Record<string, string> {
  const byId = shown(urls ?? null);
  const entries = isMap(byId) ? Object.entries(byId) : [];
  return Object.fromEntries(entries.flatMap(([id, url]) => (typeof url === "string" ? [[id, url]] : [])));
}

/** Returns a state with the inputs that were written. A run that held some back has left those in the state that it was asked for. */
export function asWritten(state: ResourceState): ResourceState {
  const definition = definitionOf(state.type);
  const { inputs = {}, outputs, initErrors } = state;
  const held = definition && heldInputs(definition, { inputs: plain(inputs), outputs: plain(outputs), initErrors });
  if (held === undefined || held.size === 0) return state;
  const back = mapBy(held.keys(), (field) => {
    const then = held.get(field);
    return then !== undefined && containsSecret(inputs[field] ?? null) ? makeSecret(then) : then;
  });
  return { ...state, inputs: { ...filterMap(inputs, (_, field) => !held.has(field)), ...back } };
}

/** Puts the values that the last run left in the place of others. A value that is secret or hidden there stays so. */
export function withLeft(inputs: PropertyMap, left: PropertyMap): PropertyMap {
  return { ...inputs, ...mapEach(left, (value, field) => hiddenAs(inputs[field] ?? null, value)) };
}

function hiddenAs(like: Json, value: Json): Json {
  if (like === SECRET || isSecret(like)) return like;
  return isMap(like) && isMap(value) ? mapEach(value, (one, key) => hiddenAs(like[key] ?? null, one)) : value;
}

export function plain(map: PropertyMap = {}): JsonMap {
  return reveal(map) as JsonMap;
}

/** Returns what a resource tells of its draft, if it is published together with others. */
export function draftOf({ type, outputs }: Pick<ResourceState, "type" | "outputs">): Json | undefined {
  return plain(outputs)[definitionOf(type)?.gathered?.draft ?? ""];
}

/** Returns the inputs that a change gives its resource. */
export function inputsOf({ op }: Pick<Change, "op">, told: Told | undefined): PropertyMap {
  return (told && decisive(told.steps, op)?.new?.inputs) ?? {};
}
