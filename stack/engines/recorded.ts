/** What the state tells that program and provider's host can't know, which see one resource at a time. */
import { isDeepStrictEqual } from "node:util";
import {
  type ExportedStack,
  type PropertyMap,
  type ResourceState,
  reveal,
  SECRET_SIG,
  SIG_KEY,
  Targets,
} from "../../engine/index.ts";
import { steadyObject } from "../../provider/definition/steady.ts";
import { definitionOf, keyOfType } from "../../provider/kinds/registry.ts";
import type { RecordedAccount, RunFacts } from "../../provider/pulumi/run-facts.ts";
import { identityFor, type ObjectKey } from "../../provider/ledger/identity.ts";
import { isMap, type JsonMap } from "../../provider/values/json.ts";

/** What both engines' states have in common here. */
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

/** By URN, what stands: what a replacement left behind has the URN of what took its place. */
export function byUrn(records: readonly StateResource[]): Map<string, StateResource> {
  const [standing, condemned] = [records.filter((one) => one.delete !== true), records.filter((one) => one.delete)];
  return new Map([...condemned, ...standing].map((one) => [one.urn, one]));
}

export interface RecordedState {
  readonly manifest: { readonly time: string };
  readonly resources: readonly StateResource[];
  readonly pending: readonly { readonly type: string; readonly resource: StateResource }[];
}

export function creationsIn(pending: RecordedState["pending"]): StateResource[] {
  return pending.flatMap(({ type, resource }) => (type === "creating" ? [resource] : []));
}

/** Without the marks of secrets. */
export function recordsIn(states: readonly ResourceState[]): StateResource[] {
  const plain = (map: PropertyMap | undefined): PropertyMap => reveal(map ?? {}) as PropertyMap;
  return states.map((one) => ({ ...one, inputs: plain(one.inputs), outputs: plain(one.outputs) }));
}

/** With their marks, as what `pulumi stack export --show-secrets` prints. */
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
    steady: steadyObjects(recorded),
  };
}

/** Objects that several resources have, as a run leaves them that took one over under another name and then failed. */
function sharedObjects({ resources }: Pick<RecordedState, "resources">): Map<ObjectKey, StateResource[]> {
  const ours = resources.filter(({ type, id }) => id !== undefined && definitionOf(type) !== undefined);
  const byObject = Map.groupBy(ours, ({ type, id = "" }) => keyOfType(type, id));
  return new Map([...byObject].filter(([, entries]) => entries.length > 1));
}

/** The URNs of such objects, one for each entry of the state. */
export function sharedUrns(recorded: Pick<RecordedState, "resources">): Map<ObjectKey, readonly string[]> {
  return new Map([...sharedObjects(recorded)].map(([key, entries]) => [key, entries.map(({ urn }) => urn)] as const));
}

/** What an engine takes for gone with another resource. */
export function goingWith({ resources }: Pick<RecordedState, "resources">): Map<string, string> {
  return new Map(resources.flatMap(({ urn, deletedWith = "" }) => (deletedWith === "" ? [] : [[urn, deletedWith]])));
}

/** All objects that a state holds. */
export function objectsHeld(resources: readonly Pick<StateResource, "type" | "id">[]): Set<ObjectKey> {
  return new Set(resources.flatMap(({ type, id }) => (id === undefined ? [] : [keyOfType(type, id)])));
}

function identityOf({ urn, outputs }: StateResource): string {
  const identity = outputs?.["__identity"];
  return typeof identity === "string" ? identity : identityFor(urn);
}

/** What is protected or retained stays as it is, whatever a run does. */
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
}

function typesCreated(planned: readonly Planned[]): string[] {
  const types = planned.flatMap(({ op, type }) => (op === "create" || op === "replace" ? [type] : []));
  return [...new Set(types)].filter((type) => definitionOf(type) !== undefined);
}

/** What is to be published once it is taken over, makes way where it is. */
function takenOver(planned: readonly Planned[]): ObjectKey[] {
  return planned.flatMap(({ op, type, inputs: { adoptId, publish } }) =>
    (op === "adopt" || op === "replace") && typeof adoptId === "string" && publish !== undefined
      ? [keyOfType(type, adoptId)]
      : [],
  );
}

/** What of its inputs an update that was killed would have changed; all of them, where it was to write what it had written before. */
function halfWritten({ resources, pending }: RecordedState): Record<ObjectKey, string[]> {
  const updates = pending.filter(
    ({ type, resource }) => type === "updating" && definitionOf(resource.type) !== undefined,
  );
  return Object.fromEntries(
    updates.flatMap(({ resource: { urn, type, inputs: asked = {} } }): [ObjectKey, string[]][] => {
      const { id, inputs: then = {} } = resources.find((one) => one.urn === urn && one.delete !== true) ?? {};
      const all = [...new Set([...Object.keys(then), ...Object.keys(asked)])].filter((name) => !name.startsWith("__"));
      const changed = all.filter((name) => !isDeepStrictEqual(then[name], asked[name]));
      return id === undefined ? [] : [[keyOfType(type, id), changed.length > 0 ? changed : all]];
    }),
  );
}

/** So that a creation with a key of another account is refused, though it comes before all that exists. */
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

/** By type and id: a resource keeps its object when it gets another name. */
function steadyObjects({ resources }: Pick<RecordedState, "resources">): RunFacts["steady"] {
  const steady: Record<string, Record<string, ReturnType<typeof steadyObject>>> = {};
  for (const { type, id, inputs = {}, outputs = {}, initErrors = [], delete: condemned } of resources) {
    const definition = definitionOf(type);
    if (definition === undefined || id === undefined || condemned === true || initErrors.length > 0) continue;
    (steady[definition.type] ??= {})[id] = steadyObject(definition, inputs as JsonMap, outputs as JsonMap);
  }
  return steady;
}
