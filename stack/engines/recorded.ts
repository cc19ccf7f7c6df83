/** Collects facts of the state for the program and the provider's host, which see only one resource at a time. */
import {
  type ExportedStack,
  type PropertyMap,
  type ResourceState,
  reveal,
  SECRET_SIG,
  SIG_KEY,
  Targets,
} from "../../engine/index.ts";
import type { AnyDefinition } from "../../provider/definition/define.ts";
import { type SteadyFacts, type SteadyObject, steadyObject } from "../../provider/definition/steady.ts";
import { definitionOf, keyOfType } from "../../provider/kinds/registry.ts";
import { asReleased } from "../../provider/preview/base.ts";
import { type Roots, rootOfSite } from "../../provider/values/addresses.ts";
import type { RecordedAccount, RunFacts } from "../../provider/pulumi/run-facts.ts";
import { movedSince } from "../../provider/reconcile/object-state.ts";
import { identityFor, type ObjectKey } from "../../provider/ledger/identity.ts";
import type { RunResult } from "../report/run-result.ts";
import { isMap, type Json, type JsonMap, mapBy, same } from "../../provider/values/json.ts";

/** The fields that the states of both engines share here. */
export interface StateResource {
  readonly urn: string;
  readonly type: string;
  readonly id?: string | undefined;
  readonly provider?: string | undefined;
  readonly inputs?: Record<string, unknown> | undefined;
  readonly outputs?: Record<string, unknown> | undefined;
  readonly modified?: string | undefined;
  readonly delete?: boolean | undefined;
  readonly protect?: boolean | undefined;
  readonly retainOnDelete?: boolean | undefined;
  readonly deletedWith?: string | undefined;
  readonly initErrors?: readonly string[] | undefined;
}

/** Returns the standing resources by URN. An object that a replacement left behind has the URN of its successor. */
export function byUrn(records: readonly StateResource[]): Map<string, StateResource> {
  const [standing, condemned] = [records.filter((one) => one.delete !== true), records.filter((one) => one.delete)];
  return new Map([...condemned, ...standing].map((one) => [one.urn, one]));
}

export interface RecordedState {
  readonly manifest: { readonly time: string };
  readonly resources: readonly StateResource[];
  readonly pending: readonly { readonly type: string; readonly resource: StateResource }[];
}

/** Returns the part of a run's result that the state from before it tells. */
export function toldByState(recorded: RecordedState): Pick<RunResult, "pending" | "shared" | "goesWith" | "left"> {
  const { resources, pending } = recorded;
  // Several runs may have been killed in the same operation.
  const last = new Map(pending.map((one) => [`${one.type} ${one.resource.urn}`, one]));
  const shared = [...sharedObjects(recorded)].map(([key, all]) => [key, all.map(({ urn }) => urn)] as const);
  return {
    pending: [...last.values()].map(({ type, resource: { urn, inputs = {} } }) => ({
      ...{ urn, operation: type, asked: inputs as PropertyMap },
    })),
    shared: new Map(shared),
    goesWith: new Map(resources.flatMap(({ urn, deletedWith }) => (deletedWith ? [[urn, deletedWith]] : []))),
    left: leftByRuns(recorded),
  };
}

export function creationsIn(pending: RecordedState["pending"]): StateResource[] {
  return pending.flatMap(({ type, resource }) => (type === "creating" ? [resource] : []));
}

/** Removes the marks of secrets. */
export function recordsIn(states: readonly ResourceState[]): ResourceState[] {
  const plain = (map: PropertyMap | undefined): PropertyMap => reveal(map ?? {}) as PropertyMap;
  return states.map((one) => ({ ...one, inputs: plain(one.inputs), outputs: plain(one.outputs) }));
}

/** Keeps the marks of secrets in the output of `pulumi stack export --show-secrets`. */
export function markedResources(exported: ExportedStack): ResourceState[] {
  const { deployment } = JSON.parse(JSON.stringify(exported), (_, value: unknown) => {
    if (!isMap(value) || value[SIG_KEY] !== SECRET_SIG || typeof value["plaintext"] !== "string") return value;
    return { [SIG_KEY]: SECRET_SIG, value: JSON.parse(value["plaintext"]) as unknown };
  }) as { deployment: { resources?: ResourceState[] } };
  return deployment.resources ?? [];
}

export function factsOf(
  recorded: RecordedState,
  { targets = [], planned = [] }: { targets?: readonly string[]; planned?: readonly Planned[] } = {},
): RunFacts {
  const reach = new Targets(targets);
  const reached = recorded.resources.filter(({ urn }) => reach.has(urn));
  return {
    ours: [...objectsIn(reached), ...takenOver(planned)],
    shared: Object.fromEntries(
      [...sharedObjects(recorded)].map(([key, entries]) => [key, entries.map(identityOf)] as const),
    ),
    halfWritten: halfWritten(recorded),
    accounts: recordedAccounts(recorded),
    creates: typesCreated(planned),
    leaves: planned.flatMap(({ leaves = [] }) => leaves),
    steady: steadyFacts(recorded),
  };
}

/** Finds objects that several resources have. A run that took an object over under another name and then failed leaves this. */
function sharedObjects({ resources }: Pick<RecordedState, "resources">): Map<ObjectKey, StateResource[]> {
  const ours = resources.filter(({ type, id }) => id !== undefined && definitionOf(type) !== undefined);
  const byObject = Map.groupBy(ours, ({ type, id = "" }) => keyOfType(type, id));
  return new Map([...byObject].filter(([, entries]) => entries.length > 1));
}

/** By URN, the inputs as the last run left them, if a refresh has learned other values since. */
export function leftByRuns({ resources }: Pick<RecordedState, "resources">): Map<string, JsonMap> {
  const moved = resources.map(({ urn, type, outputs = {} }): [string, JsonMap] => {
    const definition = definitionOf(type);
    return [urn, definition === undefined ? {} : movedSince(definition, reveal(outputs as PropertyMap) as JsonMap)];
  });
  return new Map(moved.filter(([, inputs]) => Object.keys(inputs).length > 0));
}

export function objectsHeld(resources: readonly Pick<StateResource, "type" | "id">[]): Set<ObjectKey> {
  return new Set(resources.flatMap(({ type, id }) => (id === undefined ? [] : [keyOfType(type, id)])));
}

export function identityOf({ urn, outputs }: StateResource): string {
  const identity = outputs?.["__identity"];
  return typeof identity === "string" ? identity : identityFor(urn);
}

/** Leaves out protected and retained objects: a run doesn't change them. */
function objectsIn(resources: readonly StateResource[]): ObjectKey[] {
  return resources.flatMap(({ type, id, protect, retainOnDelete }) =>
    id === undefined || protect === true || retainOnDelete === true || definitionOf(type) === undefined
      ? []
      : [keyOfType(type, id)],
  );
}

interface Planned {
  readonly type: string;
  readonly op: string;
  readonly inputs: PropertyMap;
  readonly leaves?: readonly ObjectKey[];
}

function typesCreated(planned: readonly Planned[]): string[] {
  const types = planned.flatMap(({ op, type }) => (op === "create" || op === "replace" ? [type] : []));
  return [...new Set(types)].filter((type) => definitionOf(type) !== undefined);
}

/** Objects that the plan takes over and publishes: they leave the address that they have now. */
function takenOver(planned: readonly Planned[]): ObjectKey[] {
  return planned.flatMap(({ op, type, inputs: { adoptId, publish } }) =>
    (op === "adopt" || op === "replace") && typeof adoptId === "string" && publish !== undefined
      ? [keyOfType(type, adoptId)]
      : [],
  );
}

/** The inputs that a killed update would have changed, as it was asked for; all of them if it only repeated earlier values. */
export function halfWritten({
  resources,
  pending,
}: Pick<RecordedState, "resources" | "pending">): Record<ObjectKey, JsonMap> {
  const updates = pending.filter(
    ({ type, resource }) => type === "updating" && definitionOf(resource.type) !== undefined,
  );
  return Object.fromEntries(
    updates.flatMap(({ resource: { urn, type, inputs: asked = {} } }): [ObjectKey, JsonMap][] => {
      const { id, inputs: then = {} } = resources.find((one) => one.urn === urn && one.delete !== true) ?? {};
      const all = [...new Set([...Object.keys(then), ...Object.keys(asked)])].filter((name) => !name.startsWith("__"));
      const changed = all.filter((name) => !same(then[name], asked[name]));
      const due = mapBy(changed.length > 0 ? changed : all, (name) => (asked[name] ?? null) as Json);
      return id === undefined ? [] : [[keyOfType(type, id), due]];
    }),
  );
}

/** The accounts of the state. With them, a creation with another account's key is refused, though it comes before all existing resources. */
export function recordedAccounts({ resources }: Pick<RecordedState, "resources">): RecordedAccount[] {
  const variables = new Map(resources.map(({ urn, inputs }) => [urn, inputs?.["landform:apiKeyEnv"]]));
  const found = new Map<string, RecordedAccount>();
  for (const { provider = "", outputs } of resources) {
    const meta = outputs?.["__landform"];
    const account = typeof meta === "object" && meta !== null && "account" in meta ? meta.account : undefined;
    const variable = variables.get(provider.slice(0, provider.lastIndexOf("::")));
    if (typeof account !== "string" || found.has(provider)) continue;
    found.set(provider, { account, ...(typeof variable === "string" && { apiKeyEnv: variable }) });
  }
  return [...found.values()];
}

/** Keyed by type and id: a resource keeps its object when its name changes. */
function steadyFacts({ resources }: Pick<RecordedState, "resources">): SteadyFacts {
  const objects: Record<string, Record<string, SteadyObject>> = {};
  for (const { type, id, inputs = {}, outputs = {}, initErrors = [], delete: condemned } of resources) {
    const definition = definitionOf(type);
    if (definition === undefined || id === undefined || condemned === true || initErrors.length > 0) continue;
    (objects[definition.type] ??= {})[id] = steadyObject(definition, inputs as JsonMap, outputs as JsonMap);
  }
  return { objects, roots: rootsOf(resources) };
}

function rootsOf(resources: readonly StateResource[]): Roots {
  const released = asReleased(resources.filter((one) => one.delete !== true));
  const outputsOf = (isMeant: (definition: AnyDefinition) => boolean): JsonMap[] =>
    released.flatMap(({ type, id, outputs = {} }) => {
      const definition = definitionOf(type);
      return definition !== undefined && isMeant(definition) ? [{ ...(outputs as JsonMap), id: id ?? "" }] : [];
    });
  const published = outputsOf((definition) => definition.public === "address");
  const hosts = outputsOf(({ inPreview }) => inPreview.root !== undefined);
  const ids = new Set([...hosts.map(({ id }) => id), ...published.map(({ siteId }) => siteId)]);
  const known = [...ids].flatMap((id): [string, string][] => {
    if (typeof id !== "string") return [];
    const root = rootOfSite(
      id,
      published,
      hosts.find((host) => host["id"] === id),
    );
    return root === undefined ? [] : [[id, root]];
  });
  return Object.fromEntries(known);
}
