/**
 * Plans the undo of a run, from the run's kept values and the present state: for each resource, the inputs that go back, the objects that
 * go, and those that are made anew. It compares three sides: a change of a later run is a conflict. Pure. look.ts finds hand edits, and
 * settle.ts makes the undo's program from both.
 */
import {
  nameOf,
  type Json,
  type PropertyMap,
  type ResourceState,
  isDefaultProvider,
  isRootStack,
  parseProviderReference,
} from "../../engine/index.ts";
import type { Kept } from "../../provider/history/kept.ts";
import { same, without } from "../../provider/values/json.ts";
import { ObjectState } from "../../provider/reconcile/object-state.ts";
import { definitionOf, keyOfKind, keyOfType } from "../../provider/kinds/registry.ts";
import { pairsOf, type Pair, resourceKeyOf } from "../history/changes.ts";
import type { RunValues } from "../history/run-file.ts";
import { shortName, plain } from "../report/steps.ts";
import {
  changedLeaves,
  isInPlace,
  isUnfinished,
  leafKey,
  leavesOf,
  sameInputs,
  valueAt,
  type Leaf,
  withRenewedIds,
  type Renewed,
} from "./leaves.ts";
import {
  asRestored,
  isTakenOver,
  KeptValues,
  NOTHING_ANEW,
  plainWrite,
  withKept,
  withShown,
  type About,
} from "./kept-values.ts";
import { isRestored, type Conflict, type Lost, type UndoPlan, type UndoStep, type Write } from "./undo-plan.ts";

export interface RunOfHistory {
  readonly values: RunValues;
  /** The URNs that were to change; undefined if the run had no plan. */
  readonly urns: readonly string[] | undefined;
}

interface Undoing extends RunOfHistory {
  /** The URNs that killed runs right before it were to change. */
  readonly carried: readonly string[];
  /** Later runs, oldest first. The values that they found are the result of a run that has no end. */
  readonly later: readonly RunOfHistory[];
  readonly now: readonly ResourceState[];
  /** Tells if an earlier undo of the same run was to make the resource anew. Then the present object is the new one. */
  readonly isRemade: (type: string, name: string) => boolean;
  /** Tells if the run itself replaced the resource: with `retainOnDelete`, the old object is still there. */
  readonly isReplaced: (type: string, name: string) => boolean;
  /** Tells if the last run of the code declared the resource, which this run deleted. */
  readonly isDeclared: (type: string, name: string) => boolean;
}

export function planUndo(given: Undoing): UndoPlan {
  const undoing = withNewIds(given);
  const { values } = undoing;
  const pairs = pairsOf(values.before, resultOf(undoing));
  const planning = new Planning(undoing, values.after === undefined ? withoutUnrecorded(values, pairs) : values.kept);
  for (const pair of pairs) planning.add(pair);
  return planning;
}

/**
 * Returns the values before the run with present ids: the ids of objects that an earlier undo made anew, and of objects that the run itself
 * made anew because somebody had deleted them.
 */
function withNewIds(undoing: Undoing): Undoing {
  const { values, now, isRemade, isReplaced } = undoing;
  const deleted = new Set(
    values.kept.flatMap(({ step, kind, id }) => (step === "delete" ? [keyOfKind(kind, id)] : [])),
  );
  const left = new Map(values.after?.map((state) => [state.urn, state]));
  const renewed: Renewed[] = [];
  for (const state of values.before) {
    const { urn, id = "", type, retainOnDelete } = state;
    const about = [shortName(type), nameOf(urn)] as const;
    const made = now.find((one) => one.urn === urn && one.delete !== true)?.id ?? "";
    const isStanding = retainOnDelete === true && isReplaced(...about);
    const isMadeAgain = left.get(urn)?.id === made && !deleted.has(keyOfType(type, id)) && !isStanding;
    const isRenewed = isMadeAgain || isRemade(...about);
    if (id !== "" && made !== "" && made !== id && isRenewed) renewed.push({ urn, type, ids: [id], now: made });
  }
  if (renewed.length === 0) return undoing;
  const ids = new Map(renewed.map(({ type, ids: [id = ""], now: made }) => [keyOfType(type, id), made]));
  const before = values.before.map((state) => ({
    ...state,
    ...(state.id !== undefined && { id: ids.get(keyOfType(state.type, state.id)) ?? state.id }),
    ...(state.inputs && { inputs: withRenewedIds(state, state.inputs, renewed) }),
    ...(state.outputs && {
      outputs: withRenewedIds(isRootStack(state.urn) ? ofAll(renewed) : state, state.outputs, renewed),
    }),
  }));
  const kept = values.kept.map((one) => {
    const holder = values.before.find((state) => resourceKeyOf(state) === one.resourceKey);
    const then = holder ? plain(withRenewedIds(holder, one.then, renewed)) : one.then;
    return { ...one, then, id: ids.get(keyOfKind(one.kind, one.id)) ?? one.id };
  });
  return { ...undoing, values: { ...values, before, kept } };
}

/** Holds the outputs of the stack, which say nothing of where they come from. */
function ofAll(renewed: readonly Renewed[]): Parameters<typeof withRenewedIds>[0] {
  return { type: "pulumi:pulumi:Stack", dependencies: renewed.map(({ urn }) => urn) };
}

/** For a killed run, the state has the part that was recorded. A later run did the rest, and its own undo takes that back. */
function withoutUnrecorded({ kept }: RunValues, pairs: readonly Pair[]): Kept[] {
  const isUnrecorded = ({ before, after }: Pair): boolean =>
    before !== undefined && after !== undefined && before.id === after.id && sameInputs(before, after);
  const unrecorded = pairs.filter(isUnrecorded).flatMap(({ before }) => before ?? []);
  return kept.filter(
    ({ resourceKey, id }) => !unrecorded.some((state) => resourceKeyOf(state) === resourceKey && state.id === id),
  );
}

/** Returns the run's result: recorded by the run, or as the next run on each resource found it. */
function resultOf({ values, urns, carried, later, now }: Undoing): readonly ResourceState[] {
  const { before, after } = values;
  const own = urns === undefined ? undefined : [...urns, ...before.map(({ urn }) => urn)];
  const asked = after === undefined ? own && new Set([...own, ...carried]) : new Set(carried);
  for (const { urn } of after ?? []) asked?.delete(urn);
  const found = new Map<string, ResourceState | undefined>();
  for (const one of later) {
    const then = new Map(one.values.before.map((state) => [state.urn, state]));
    for (const urn of one.urns ?? [...then.keys()]) if (!found.has(urn)) found.set(urn, then.get(urn));
  }
  for (const state of now) if (state.delete !== true && !found.has(state.urn)) found.set(state.urn, state);
  const rest = [...found].flatMap(([urn, state]) => (state && (asked?.has(urn) ?? true) ? [state] : []));
  return [...(after ?? []), ...rest];
}

class Planning implements UndoPlan {
  readonly steps: UndoStep[] = [];
  readonly conflicts: Conflict[] = [];
  readonly lost: readonly Lost[];
  readonly values: RunValues;
  readonly #given: Undoing;
  readonly #kept: KeptValues;
  /** The accounts that the stack has, and those that come back. */
  readonly #accounts: ReadonlySet<string>;

  constructor(given: Undoing, kept: readonly Kept[]) {
    this.#given = given;
    this.values = given.values;
    this.#kept = new KeptValues(kept);
    this.lost = this.#kept.lost;
    const known = [...given.now, ...given.values.before];
    this.#accounts = new Set(known.filter((state) => isAccount(state) && state.delete !== true).map(({ urn }) => urn));
  }

  add({ before, after }: Pair): void {
    const { now: states } = this.#given;
    const state = after ?? before;
    if (state === undefined || (after === undefined && states.some((one) => isMoved(before, one)))) return;
    const now =
      states.find(({ urn, delete: condemned }) => urn === state.urn && condemned !== true) ??
      states.find(
        ({ urn, id, type }) =>
          id !== undefined && id !== "" && id === before?.id && type === before.type && urn === before.urn,
      );
    const { urn } = before ?? state;
    const about = { urn, type: shortName(state.type), name: nameOf(urn), definition: definitionOf(state.type) };
    const step = this.#stepOf(about, { before, after }, now);
    if (step !== undefined) this.steps.push(step);
  }

  #stepOf(about: About, { before, after }: Pair, now: ResourceState | undefined): UndoStep | undefined {
    if (before && after) return this.#change(about, before, after, now);
    return before ? this.#deletion(about, before, now) : after && now && this.#creation(about, after, now);
  }

  #change(
    about: About,
    recorded: ResourceState,
    after: ResourceState,
    now: ResourceState | undefined,
  ): UndoStep | undefined {
    const { definition } = about;
    // An object that the run replaced is made anew, as the account had it.
    const before = recorded.id === after.id ? recorded : this.#kept.asSeen(about, recorded);
    if (!definition) {
      const isChanged = before.custom && !same(before.inputs, after.inputs);
      return isChanged ? this.#lose(about, "it is not a resource of Landform") : undefined;
    }
    const kept = this.#kept.of(before, "update");
    const touches =
      before.id !== after.id || !isInPlace(before, after) || kept.length > 0 || !same(before.inputs, after.inputs);
    if (!touches || this.#isWithoutAccount(about, before)) return undefined;
    if (now === undefined) return this.#conflict(about, "deleted since");
    if (now.id !== after.id && now.id !== before.id) return this.#conflict(about, "made again since");
    const sides = { before: before.inputs ?? {}, after: after.inputs ?? {}, now: now.inputs ?? {} };
    const object = ObjectState.fromState(definition, before.id ?? "", plain(before.outputs));
    const found = this.#kept.restorable(about, kept, "is cleared by the plan");
    // A killed run before this one may have brought the account the value.
    const isCarried = this.#given.carried.includes(before.urn);
    const restorable = found.filter((one) => isCarried || !isTakenOver(one, object));
    const theirs = new Set(found.filter((one) => !restorable.includes(one)).map(({ leaf }) => leafKey(leaf)));
    const said = ObjectState.fromState(definition, after.id ?? "", plain(after.outputs)).said();
    const refused = new Set<string>();
    const isOfLaterRun = (leaf: Leaf, ...others: readonly Json[]): boolean => {
      const [today, ...known] = [sides.now, sides.before, sides.after].map((inputs) => valueAt(inputs, leaf));
      if ([...known, ...others].some((one) => same(one, today))) return false;
      refused.add(leafKey(leaf));
      this.#conflict(about, "changed by a later run", leaf, today);
      return true;
    };
    const declared = changedLeaves(definition, sides.before, sides.after).filter(
      (leaf) => !theirs.has(leafKey(leaf)) && !isLearned(leaf, said, plain(sides.after)),
    );
    const writes = declared.flatMap((leaf): Write[] => {
      const then = valueAt(sides.before, leaf);
      return isOfLaterRun(leaf) ? [] : [{ ...plainWrite(leaf, then), inState: !same(then, valueAt(sides.now, leaf)) }];
    });
    const named = new Set(declared.map(leafKey));
    for (const { leaf, live } of restorable) if (!named.has(leafKey(leaf))) isOfLaterRun(leaf, live);
    const all = withShown(definition, object, withKept(restorable, writes, object, sides.before, refused));
    this.#kept.hidden(about, kept, sides.before);
    this.#kept.notPublic(about, kept, sides.before);
    const lives = before.id === now.id;
    const due = all.filter((write) => write.inState || (isRestored(write) && lives));
    // A new object took its place. The undeclared values of the old one come back with the next object.
    const anew = lives ? NOTHING_ANEW : this.#kept.anew(about, before);
    const isBack = due.length === 0 && isInPlace(before, now) && sameInputs(before, now);
    const carriesOn = isBack && (isUnfinished(definition, now, this.#given.now) || this.#isBesideOld(now));
    if (isBack && !carriesOn) return undefined;
    return {
      ...(carriesOn && { carriesOn }),
      ...{ kind: "revert", ...about, now, before, ...anew },
      writes: lives ? due : due.filter(({ inState }) => inState),
      ...(!lives && { knownAs: this.#kept.deletedOf(before) }),
    };
  }

  /** Tells if a failed run has made the resource anew and its old object is still there. */
  #isBesideOld({ urn }: ResourceState): boolean {
    return this.#given.now.some((state) => state.urn === urn && state.delete === true);
  }

  #deletion(about: About, before: ResourceState, now: ResourceState | undefined): UndoStep | undefined {
    const { definition, type, name } = about;
    if (now !== undefined && now.id === before.id) {
      // An earlier undo has made it anew and left a part for this one.
      if (!definition || !isUnfinished(definition, now, this.#given.now)) return undefined;
      const anew = this.#kept.anew(about, before);
      const writes = leavesOf(definition, anew.anew).map(([leaf, live]) => asRestored(leaf, live));
      return { kind: "revert", ...about, now, before, writes, ...anew, carriesOn: true };
    }
    if (now !== undefined) return this.#conflict(about, "made again since");
    if (!definition && before.custom && !isAccount(before))
      return this.#lose(about, "it is not a resource of Landform");
    if (this.#isWithoutAccount(about, before)) return undefined;
    const { inputs: seen = {} } = this.#kept.asSeen(about, before);
    const inputs = definition?.leaves === "in place" ? seen : without(seen, ["adoptId"]);
    const why = before.inputs?.["adoptId"] === undefined ? undefined : definition?.undo.lost?.(plain(inputs));
    if (why !== undefined) return this.#lose(about, `it can't be made anew: ${why}`);
    return {
      ...{ kind: "remake", ...about, now: undefined, before: { ...before, inputs }, writes: [] },
      ...this.#kept.anew(about, before),
      isDeclared: this.#given.isDeclared(type, name),
    };
  }

  #creation(about: About, after: ResourceState, now: ResourceState): UndoStep | undefined {
    const { definition } = about;
    if (now.id !== after.id) return this.#conflict(about, "made again since");
    if (!definition && after.custom) return this.#lose(about, "it is not a resource of Landform, and stays");
    if (this.#kept.isOlder(after)) return this.#lose(about, OLDER);
    if (!sameInputs(now, after)) return this.#conflict(about, "changed by a later run");
    const kept = this.#kept.of(after, "adopt");
    const adopted = kept.length > 0 || now.inputs?.["adoptId"] !== undefined;
    const none = { ...about, now, before: undefined, ...NOTHING_ANEW };
    if (!adopted || !definition) return { kind: "remove", ...none, writes: [] };
    this.#kept.hidden(about, kept, {});
    this.#kept.notPublic(about, kept, {});
    const object = new ObjectState(definition, after.id ?? "");
    const writes = withKept(this.#kept.restorable(about, kept, "is sent"), [], object, {}, new Set());
    return { kind: "let go", ...none, writes };
  }

  /** Tells if a later run removed the account that the resource was in. Without it, the resource would go to the stack's own account. */
  #isWithoutAccount(about: About, { provider }: ResourceState): boolean {
    const urn = provider === undefined ? undefined : parseProviderReference(provider).urn;
    if (urn === undefined || isDefaultProvider(urn) || this.#accounts.has(urn)) return false;
    this.#lose(
      about,
      `the stack no longer has the account "${nameOf(urn)}" that it was in: undo first what took it out`,
    );
    return true;
  }

  /** Notes a conflict in the place of a step. */
  #conflict({ urn, type, name }: About, code: Conflict["code"], leaf?: Leaf, now?: Json): UndoStep | undefined {
    this.conflicts.push({ urn, type, name, code, leaf, now });
    return undefined;
  }

  /** Notes a loss in the place of a step. */
  #lose(about: About, text: string): UndoStep | undefined {
    this.#kept.lose(about, text);
    return undefined;
  }
}

const OLDER = "it was there before under another name, which the history of this run doesn't tell: it stays as it is";

/** Tells if the value is one of others that a refresh has learned. The run didn't write it, so there is nothing to take back. */
function isLearned(leaf: Leaf, said: PropertyMap, inputs: PropertyMap): boolean {
  return leaf.field in said && !same(valueAt(said, leaf), valueAt(inputs, leaf));
}

/** Tells if the resource has another name. The history of a run without a plan doesn't tell that. */
function isMoved(before: ResourceState | undefined, { id, type, urn, delete: condemned }: ResourceState): boolean {
  const isSame = id !== undefined && id !== "" && id === before?.id && type === before.type;
  return isSame && condemned !== true && urn !== before.urn;
}

/** Tells if a resource is the engine's provider for an account of the program. */
function isAccount({ type, urn }: Pick<ResourceState, "type" | "urn">): boolean {
  return type === "pulumi:providers:pulumi-nodejs" && !isDefaultProvider(urn);
}
