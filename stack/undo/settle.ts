/**
 * Makes the undo that is carried out: the states that the resources get back, the values that are written beside the declared ones, and
 * later edits of people, which are left alone. Pure.
 */
import { containsSecret, dependencyUrns, nameOf, type PropertyMap, type ResourceState } from "../../engine/index.ts";
import type { RestoredObject } from "../../provider/history/kept.ts";
import { filterMap, type JsonMap, mapBy, same } from "../../provider/values/json.ts";
import { ObjectState } from "../../provider/reconcile/object-state.ts";
import type { Replay, ReplayedResource } from "../../provider/pulumi/replayed.ts";
import { definitionOf } from "../../provider/kinds/registry.ts";
import { resourceKeyOf } from "../history/changes.ts";
import { NOTHING_ANEW } from "./kept-values.ts";
import { isDue, isReplaced, tellEdits, type Finding } from "./look.ts";
import { settleFollowers } from "./followers.ts";
import { isInPlace, put, valueAt } from "./leaves.ts";
import {
  type Conflict,
  type Follower,
  isRestored,
  type Lost,
  type SettledStep,
  type UndoPlan,
  type UndoStep,
  wentAlong,
  type Write,
} from "./undo-plan.ts";
import { shortName, plain } from "../report/steps.ts";
import { objectKey, type ObjectKey } from "../../provider/ledger/identity.ts";

export interface Undo {
  readonly conflicts: readonly Conflict[];
  /** The steps that are left to do. */
  readonly steps: readonly SettledStep[];
  /** Objects of the run that stay, wholly or in part. */
  readonly staying: readonly Lost[];
  readonly targets: readonly string[];
  readonly replay: Replay;
  readonly restore: {
    readonly objects: Record<ObjectKey, RestoredObject>;
    readonly anew: Record<string, JsonMap>;
    readonly anewDrafts: Record<string, JsonMap>;
    readonly successors: Record<ObjectKey, string>;
  };
}

interface Following {
  readonly followers: readonly Follower[];
  readonly findings: ReadonlyMap<string, Finding>;
}

interface Outputs {
  readonly before: PropertyMap;
  readonly after: PropertyMap;
}

export function settle(
  plan: UndoPlan,
  findings: ReadonlyMap<string, Finding>,
  now: readonly ResourceState[],
  outputs: Outputs | undefined,
  following: Following,
): Undo {
  const conflicts = [...plan.conflicts];
  const own = plan.steps.flatMap((step) => settleStep(step, findings.get(step.urn), conflicts) ?? []);
  const all = [...own, ...settleFollowers(following.followers, following.findings, own, conflicts)];
  const { steps, staying } = withoutHolders(all, now);
  const restore: Undo["restore"] = { objects: {}, anew: {}, anewDrafts: {}, successors: {} };
  for (const step of steps) addRestored(restore, step);
  const going = new Set(steps.filter(({ target }) => target === undefined).map(({ now: state }) => state?.urn ?? ""));
  const coming = new Map(
    steps.flatMap(({ target, now: state }) => (target ? [[state?.urn ?? target.urn, target]] : [])),
  );
  const live = now.filter(({ urn, delete: condemned }) => condemned !== true && !going.has(urn));
  const renamed = new Map(
    [...coming].flatMap(([urn, target]) => (target.urn === urn ? [] : [[urn, target.urn] as const])),
  );
  // An engine leaves a resource that is no target as it is, with the old names of its dependencies.
  const leftBehind = new Set([...going, ...renamed.keys()]);
  const loosened = live.filter((state) => !coming.has(state.urn) && leansOn(state, leftBehind)).map(({ urn }) => urn);
  const planned = new Map(plan.steps.map((step) => [step.now?.urn, step]));
  // Includes unchanged resources: others go back to the values that these had.
  const knownOf = ({ urn }: ResourceState): { ids: string[]; then: PropertyMap | undefined } => ({
    ids: [
      ...now.flatMap((state) => (state.urn === urn && state.id ? [state.id] : [])),
      ...(planned.get(urn)?.knownAs ?? []),
    ],
    then: planned.get(urn)?.before?.outputs,
  });
  const nameOf = (urn: string): string | undefined => (going.has(urn) ? undefined : (renamed.get(urn) ?? urn));
  const resources = [
    ...live.map((state) => replayed(coming.get(state.urn) ?? state, state, nameOf, knownOf(state))),
    ...steps.flatMap(({ target, now: state }) =>
      target && !state ? [replayed(target, undefined, nameOf, { ids: [], then: undefined })] : [],
    ),
  ];
  return {
    conflicts,
    steps,
    staying,
    targets: withLeft(
      [
        ...steps.flatMap(({ target, now: state }) => [target?.urn ?? [], state?.urn ?? []].flat()),
        ...loosened,
        ...gathering(live, steps),
      ],
      now,
    ),
    replay: { resources, outputs: outputsOf(now, outputs) },
    restore,
  };
}

/** Returns undefined if nothing is left to do, or if all of it is in conflict. */
function settleStep(step: UndoStep, found: Finding | undefined, conflicts: Conflict[]): SettledStep | undefined {
  const { kind, urn, type, name, before, now } = step;
  const back = (settled: SettledStep): SettledStep => (found?.left === true ? takenBack(settled) : settled);
  if (kind === "remake") return back({ ...step, due: [], target: before });
  if (found?.gone === true) {
    // The undo would remove it anyway.
    if (kind === "remove" || kind === "let go") return { ...step, due: [], target: undefined };
    conflicts.push({ urn, type, name, code: "deleted since" });
    return undefined;
  }
  if ((kind === "remove" || isReplaced(step)) && tellEdits(step, found, conflicts)) return undefined;
  if (kind === "remove") return { ...step, due: [], target: undefined };
  const due = step.writes.filter((write) => !isBack(write, step) && isDue(write, step, found, conflicts));
  if (kind === "let go") return { ...step, due, target: undefined };
  const target = targetOf(step, due);
  const isSame = now !== undefined && before !== undefined && isInPlace(before, now) && same(target.inputs, now.inputs);
  if (isSame && step.carriesOn !== true && !due.some(isRestored)) return undefined;
  return back({ ...step, due, target });
}

/** Takes over the object that was left in the account. It has all that nobody declared. */
function takenBack({ target, ...step }: SettledStep): SettledStep {
  const adopting = target && { ...target, inputs: { ...target.inputs, adoptId: target.id ?? "" } };
  return { ...step, ...NOTHING_ANEW, target: adopting };
}

/** Returns the earlier state, with the present values of fields in conflict. */
function targetOf({ before, now }: UndoStep, due: readonly Write[]): ResourceState {
  if (before === undefined || now === undefined) throw new TypeError("a revert has both sides");
  const inputs: JsonMap = { ...(now.inputs ?? {}) };
  for (const key of ["__identity", "__provider"])
    if (before.inputs?.[key] !== undefined) inputs[key] = before.inputs[key];
  for (const write of due) {
    const then = valueAt(before.inputs ?? {}, write.leaf);
    if (isPublishedInstead(write) && !containsSecret(then ?? null)) put(inputs, write.leaf, write.live ?? null);
    else if (write.inState) put(inputs, write.leaf, then);
  }
  const fields = new Set(due.map(({ leaf }) => leaf.field));
  const dependencies = { ...now.propertyDependencies };
  for (const field of fields) dependencies[field] = before.propertyDependencies?.[field] ?? [];
  const whole = same(inputs, before.inputs);
  return whole ? before : { ...before, inputs, propertyDependencies: dependencies };
}

/** Tells if the state says already what visitors had. */
function isBack(write: Write, { now, kind }: UndoStep): boolean {
  return kind === "revert" && isPublishedInstead(write) && same(valueAt(now?.inputs ?? {}, write.leaf), write.live);
}

/** Tells if visitors had another value than the declared one, because a run had held that back. The next plan shows both. */
function isPublishedInstead(write: Write): boolean {
  const { restore, declared, live, unpublished, recorded } = write;
  const isOfDraft = unpublished === true || wentAlong(write);
  return restore && declared !== undefined && live !== undefined && !isOfDraft && recorded === undefined;
}

function addRestored({ objects, anew, anewDrafts, successors }: Undo["restore"], step: SettledStep): void {
  const { kind, definition, before, now, due, target } = step;
  const own = target && resourceKeyOf(target);
  const isMade = kind === "remake" || isReplaced(step);
  const gone = isMade ? [before?.id, now?.id, ...(step.knownAs ?? [])] : [];
  if (own !== undefined && definition)
    for (const id of gone) if (id !== undefined && id !== "") successors[objectKey(definition, id)] = own;
  // The run left it in the account, and the answer to its creation alone told these outputs.
  if (isMade && before?.id && definition?.leaves === "in place")
    objects[objectKey(definition, before.id)] = {
      values: {},
      recorded: filterMap(plain(before.outputs), (_, output) => definition.shown.beside?.includes(output) === true),
    };
  if (own !== undefined && Object.keys(step.anew).length > 0) anew[own] = step.anew;
  if (own !== undefined && Object.keys(step.anewDraft).length > 0) anewDrafts[own] = step.anewDraft;
  if (!definition || now?.id === undefined || kind === "remove" || kind === "remake") return;
  const restored = due.filter(isRestored);
  if (restored.length === 0 && kind !== "let go") return;
  const values: JsonMap = {};
  const recorded: JsonMap = {};
  const draft: JsonMap = {};
  const old = before && ObjectState.fromState(definition, before.id ?? "", plain(before.outputs));
  for (const write of restored) {
    const { leaf, live, restore, unpublished, declared, draft: text, recorded: known } = write;
    // The text keeps its placeholders.
    const isDeclared = wentAlong(write) && declared !== undefined && !containsSecret(declared);
    if (restore && live !== undefined) put(unpublished ? draft : values, leaf, isDeclared ? declared : live);
    if (text !== undefined) put(draft, leaf, text);
    if (known === undefined || old === undefined) continue;
    if (leaf.key !== undefined) put(recorded, leaf, known);
    else for (const output of old.shownBy(leaf.field)) put(recorded, { field: output }, old.answer[output]);
  }
  const inDraft = Object.keys(draft).length > 0 && { draft };
  const letGo = kind === "let go" && { letGo: true as const };
  objects[objectKey(definition, now.id)] = { values, recorded, ...inDraft, ...letGo };
}

/** Adds the objects that are left for deletion and depend on one that goes: they have to go before it. */
function withLeft(urns: readonly string[], now: readonly ResourceState[]): string[] {
  const targets = new Set(urns);
  const left = now.filter((state) => state.delete === true);
  const going = new Set(left.flatMap(({ urn }) => (targets.has(urn) ? [urn] : [])));
  // The loop also visits entries that are added on the way.
  for (const urn of going) for (const state of left) if (dependencyUrns(state).has(urn)) going.add(state.urn);
  return [...new Set([...targets, ...going])];
}

/** Returns the releases that publish pages that the undo writes. */
function gathering(live: readonly ResourceState[], steps: readonly SettledStep[]): string[] {
  const written = new Set(steps.flatMap(({ definition, now }) => (definition?.public === "address" && now?.id) || []));
  return live.flatMap(({ urn, type, inputs }) => {
    const members = definitionOf(type)?.gathers?.memberIds(plain(inputs)) ?? [];
    return members.some((id) => written.has(id)) ? [urn] : [];
  });
}

function leansOn(state: ResourceState, going: ReadonlySet<string>): boolean {
  return [...dependencyUrns(state)].some((urn) => going.has(urn));
}

function replayed(
  target: ResourceState,
  now: ResourceState | undefined,
  nameOf: (urn: string) => string | undefined,
  { ids, then }: { readonly ids: readonly string[]; readonly then: PropertyMap | undefined },
): ReplayedResource {
  const { urn, type, custom, id = "", inputs = {}, outputs = {}, parent, provider, deletedWith } = target;
  const stays = (urns: readonly string[] = []): string[] => urns.flatMap((one) => nameOf(one) ?? []);
  const byProperty = Object.entries(target.propertyDependencies ?? {});
  return {
    ...{ urn, type, custom, id, inputs, outputs, provider },
    otherIds: ids.filter((one) => one !== id),
    answered: then ?? outputs,
    parent: parent === undefined ? undefined : nameOf(parent),
    protect: target.protect === true,
    retainOnDelete: target.retainOnDelete === true,
    deletedWith: deletedWith === undefined ? undefined : nameOf(deletedWith),
    dependencies: stays(target.dependencies),
    propertyDependencies: Object.fromEntries(byProperty.map(([field, urns]) => [field, stays(urns)])),
    additionalSecretOutputs: target.additionalSecretOutputs ?? [],
    ignoreChanges: target.ignoreChanges ?? [],
    customTimeouts: target.customTimeouts ?? {},
    aliases: now === undefined || now.urn === urn ? [] : [now.urn],
    isNew: now === undefined,
  };
}

/** Compares three sides: an output of a later run stays. */
function outputsOf(now: readonly ResourceState[], outputs: Outputs | undefined): PropertyMap {
  const today = now.find(({ type }) => type === "pulumi:pulumi:Stack")?.outputs ?? {};
  if (outputs === undefined) return today;
  const { before, after } = outputs;
  const isBack = (name: string): boolean => !same(before[name], after[name]) && same(today[name], after[name]);
  const names = new Set([...Object.keys(today), ...Object.keys(before)]);
  return mapBy(names, (name) => (isBack(name) ? before[name] : today[name]));
}

function withoutHolders(
  steps: readonly SettledStep[],
  now: readonly ResourceState[],
): { readonly steps: readonly SettledStep[]; readonly staying: readonly Lost[] } {
  const targets = new Map(steps.map(({ now: state, target }) => [state?.urn, target]));
  const going = new Set(steps.flatMap(({ now: state, target }) => (target || !state ? [] : [state.urn])));
  const live = now.filter((state) => state.delete !== true);
  const held = new Map<string, string[]>();
  const stay = (state: ResourceState): void => {
    const { parent } = targets.get(state.urn) ?? state;
    const holder = live.find(({ urn }) => urn === parent);
    if (holder === undefined || !(going.has(holder.urn) || held.has(holder.urn))) return;
    held.set(holder.urn, [...(held.get(holder.urn) ?? []), calledIn(state)]);
    if (going.delete(holder.urn)) stay(holder);
  };
  for (const state of live.filter(({ urn }) => !going.has(urn))) stay(state);
  const staying = [...held].map(([urn, names]): Lost => {
    const type = shortName(live.find((state) => state.urn === urn)?.type ?? "");
    return { type, name: nameOf(urn), text: `it stays, because these stay and belong to it: ${names.join(", ")}` };
  });
  return { steps: steps.filter(({ now: state }) => state === undefined || !held.has(state.urn)), staying };
}

function calledIn({ type, urn }: ResourceState): string {
  return `${shortName(type)} ${nameOf(urn)}`;
}
