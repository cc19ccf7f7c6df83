/**
 * The values that a run kept of the objects that it wrote or deleted, for an undo: which values can be sent, which come back with an object
 * that is made anew, and which can't come back. Pure.
 */
import { listed } from "../../provider/values/wording.ts";
import { containsSecret, makeSecret, type Json, type PropertyMap, type ResourceState } from "../../engine/index.ts";
import type { AnyDefinition } from "../../provider/definition/define.ts";
import type { Kept } from "../../provider/history/kept.ts";
import { type JsonMap, mapOf, same } from "../../provider/values/json.ts";
import { ObjectState } from "../../provider/reconcile/object-state.ts";
import { keyOfKind, keyOfType } from "../../provider/kinds/registry.ts";
import { resourceKeyOf } from "../history/changes.ts";
import { plain } from "../report/steps.ts";
import { emptyOf, leafKey, leavesOf, put, valueAt, valueOf, type Leaf } from "./leaves.ts";
import { type Lost, type UndoStep, wentAlong, type Write } from "./undo-plan.ts";

type Anew = Pick<UndoStep, "anew" | "anewDraft">;

export const NOTHING_ANEW: Anew = { anew: {}, anewDraft: {} };

interface Restorable extends Pick<Write, "leaf" | "sent" | "unpublished" | "draft"> {
  readonly live: Json;
}

export type About = Pick<UndoStep, "urn" | "type" | "name" | "definition">;

export class KeptValues {
  readonly lost: Lost[] = [];
  readonly #kept: readonly Kept[];

  constructor(kept: readonly Kept[]) {
    this.#kept = kept;
  }

  of(state: ResourceState, step: Kept["step"]): Kept[] {
    const own = resourceKeyOf(state);
    return this.#kept.filter((one) => one.resourceKey === own && one.id === state.id && one.step === step);
  }

  /** Tells if the state already had the object when the run wrote to it. */
  isOlder({ type, id = "" }: ResourceState): boolean {
    const key = keyOfType(type, id);
    return this.#kept.some((one) => one.step === "update" && keyOfKind(one.kind, one.id) === key);
  }

  /** Returns the objects of a resource that the run deleted. */
  deletedOf(state: ResourceState): string[] {
    const own = resourceKeyOf(state);
    return this.#kept.flatMap((one) => (one.step === "delete" && one.resourceKey === own ? [one.id] : []));
  }

  /** Returns the undeclared values of an object for its successor. Values that were only in its draft stay in the draft. */
  anew(about: About, before: ResourceState): Anew {
    const { definition } = about;
    if (!definition) return NOTHING_ANEW;
    const kept = this.of(before, "delete");
    this.notPublic(about, kept, before.inputs ?? {});
    const [anew, anewDraft]: [JsonMap, JsonMap] = [{}, {}];
    for (const { leaf, live, unpublished } of this.restorable(about, kept, "is left out")) {
      if (definition.rule(leaf.field).onChange === "refuse") continue;
      if (unpublished === true) put(anewDraft, leaf, live);
      else if (valueAt(before.inputs ?? {}, leaf) === undefined) put(anew, leaf, live);
    }
    return { anew, anewDraft };
  }

  /** Returns the state of a deleted object with the declared values that somebody had changed in the account: visitors saw those. */
  asSeen(about: About, before: ResourceState): ResourceState {
    const { definition } = about;
    if (!definition) return before;
    const object = ObjectState.fromState(definition, before.id ?? "", plain(before.outputs));
    const inputs = { ...before.inputs };
    for (const { leaf, live, unpublished } of this.restorable(about, this.of(before, "delete"), "is left out")) {
      const [declared, answered] = [valueAt(inputs, leaf), valueOf(object, leaf)];
      const isKnown = declared !== undefined && answered !== undefined && unpublished !== true;
      if (!isKnown || definition.rule(leaf.field).onChange === "refuse") continue;
      // The run's own draft said something else than visitors saw.
      if (same(answered, live) || same(valueAt(object.published, leaf), live)) continue;
      put(inputs, leaf, containsSecret(declared) ? makeSecret(live) : live);
    }
    return { ...before, inputs };
  }

  /** Returns kept values that can be sent. `nothing`: the treatment of a field that had no value. */
  restorable(
    about: About,
    kept: readonly Kept[],
    nothing: "is left out" | "is cleared by the plan" | "is sent",
  ): Restorable[] {
    const { definition } = about;
    if (!definition) return [];
    return kept.flatMap(({ id, then, sent, unpublished = [], draft = {} }) =>
      leavesOf(definition, then).flatMap(([leaf, live]) => {
        const { onChange, cleared, isPassing } = definition.rule(leaf.field);
        // A killed run had put the value there for a moment.
        if (isPassing?.(id, live) === true) return [];
        if (!(leaf.field in definition.inputs.shape) || onChange === "replace") return [];
        const key = leaf.field === "content" ? (leaf.key ?? "") : "";
        const inDraft = {
          ...(unpublished.includes(key) && { unpublished: true as const }),
          ...(draft[key] !== undefined && { draft: draft[key] }),
        };
        if (live !== null) return [{ leaf, live, sent: valueAt(sent, leaf), ...inDraft }];
        if (nothing === "is left out" || (nothing === "is cleared by the plan" && cleared !== undefined)) return [];
        const empty = cleared ?? emptyOf(definition, leaf.field);
        if (empty !== undefined) return [{ leaf, live: empty, sent: valueAt(sent, leaf) }];
        if (leaf.field !== "publish") this.lose(about, `${leaf.field} held nothing before, and can't be emptied`);
        else if (nothing === "is sent") this.lose(about, "it was a draft before, and the API can't unpublish");
        return [];
      }),
    );
  }

  hidden(about: About, kept: readonly Kept[], declared: PropertyMap): void {
    const names = kept.flatMap(({ hidden }) => hidden).filter((name) => !(name in declared));
    if (names.length > 0)
      this.lose(about, `nobody knows the earlier value of ${listed(names)}: the API doesn't show it`);
    const unread = kept.find((one) => one.unread !== undefined)?.unread;
    if (unread !== undefined)
      this.lose(about, `the run could not read it first (${unread}): it goes back to the values of the state`);
  }

  /** Declared texts are published again. For the others nobody knows what visitors saw. */
  notPublic(about: About, kept: readonly Kept[], { content }: PropertyMap): void {
    const keys = kept.flatMap(({ unpublished = [] }) => unpublished).filter((key) => !(key in mapOf(content)));
    const included = kept.flatMap((one) => one.included ?? []);
    const unknown = kept.flatMap(({ draftUnknown = [] }) => draftUnknown);
    const losses = [
      keys.length > 0 &&
        `nobody knows which text visitors saw in ${texts(keys)}: the text of the draft comes back, as a draft`,
      kept.some(({ waited }) => waited) &&
        "its last change was held back, and no visitor saw it: undo makes the page anew, and publishes that change, too",
      included.length > 0 && `${listed(included)} of somebody else went public with it, and stays public`,
      unknown.length > 0 &&
        `somebody's text of ${texts(unknown)} in its draft doesn't come back: the content map shows only live texts`,
    ];
    for (const text of losses) if (text !== false) this.lose(about, text);
  }

  lose({ type, name }: About, text: string): void {
    this.lost.push({ type, name, text });
  }
}

/** Makes a write for an undeclared value that the object had. */
export function asRestored(leaf: Leaf, live: Json): Write {
  return { ...plainWrite(leaf, undefined), live, inState: false, restore: true };
}

export function plainWrite(leaf: Leaf, declared: Json | undefined): Omit<Write, "inState"> {
  return { leaf, declared, live: undefined, sent: undefined, restore: false, recorded: undefined };
}

/** Adds live values that were not declared, or not as they were known. They are written separately. */
export function withKept(
  kept: readonly Restorable[],
  writes: readonly Write[],
  object: ObjectState,
  declaredThen: PropertyMap,
  refused: ReadonlySet<string>,
): Write[] {
  const all = new Map(writes.map((write) => [leafKey(write.leaf), write]));
  for (const { leaf, live, sent, unpublished, draft } of kept) {
    const key = leafKey(leaf);
    if (refused.has(key)) continue;
    const known = all.get(key) ?? { ...plainWrite(leaf, valueAt(declaredThen, leaf)), inState: false };
    const declared = valueAt(declaredThen, leaf) !== undefined;
    const answered = declared ? valueOf(object, leaf) : undefined;
    // A value that the service never shows counts as declared.
    const isOther = declared && answered !== undefined && !same(answered, live);
    // An earlier run had declared it, and this one wrote it.
    const hadWaited = declared && same(valueAt(declaredThen, leaf), sent) && !same(live, sent);
    const restore = !declared || isOther || hadWaited || wentAlong({ sent, draft });
    // The run's own draft said something else than visitors saw, so nobody changed it by hand.
    const drifted = isOther && !same(valueAt(object.published, leaf), live);
    const inDraft = { ...(unpublished && { unpublished }), ...(draft !== undefined && { draft }) };
    all.set(key, { ...known, live, sent, restore, recorded: drifted ? answered : undefined, ...inDraft });
  }
  return [...all.values()];
}

/**
 * Tells if the run took over a value of somebody else: visitors had it before, and the code says it since. The run gave nobody anything else, so
 * there is nothing to take back. `object`: as the run before had left it.
 */
export function isTakenOver({ leaf, live, sent, unpublished, draft }: Restorable, object: ObjectState): boolean {
  const answered = valueOf(object, leaf);
  const isTheirs =
    answered !== undefined && ![answered, valueAt(object.published, leaf)].some((one) => same(one, live));
  return isTheirs && same(live, sent) && unpublished !== true && draft === undefined;
}

/** Adds the object's earlier values, for the look: if the object already shows them again, there is no conflict. */
export function withShown(definition: AnyDefinition, object: ObjectState, writes: readonly Write[]): Write[] {
  return writes.map((write) => ({ ...write, live: write.live ?? valueOf(object, write.leaf) }));
}

function texts(keys: readonly string[]): string {
  return listed([...new Set(keys)].map((key) => `content["${key}"]`));
}
