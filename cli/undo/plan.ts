/**
 * What it takes to undo a run, from what was kept with it and what the state holds now: for each resource which inputs go
 * back to what they were, which objects go and which are made anew. Three-way: what a later run changed is a conflict.
 * Pure; what was changed by hand meanwhile is found by look.ts, and settle.ts makes the program of an undo of both.
 */
import { nameOf, type Json, type PropertyMap, type ResourceState } from "../../engine/index.ts";
import type { AnyDefinition } from "../../provider/define.ts";
import type { Kept } from "../../provider/history/kept.ts";
import { isMap, same, type JsonMap } from "../../provider/json.ts";
import { ObjectState } from "../../provider/lifecycle/object-state.ts";
import { ownOf, pairsOf, type Pair } from "../history/changes.ts";
import type { RunValues } from "../history/run-file.ts";
import { shortName } from "../report/steps.ts";
import { doubted } from "./doubted.ts";
import {
  changedLeaves,
  emptyOf,
  isUnfinished,
  leafKey,
  leavesOf,
  plain,
  put,
  sameInputs,
  valueAt,
  valueOf,
  type Leaf,
} from "./leaves.ts";
import { isRestored, type Conflict, type Lost, type UndoPlan, type UndoStep, type Write } from "./undo-plan.ts";

export interface Undoing {
  readonly values: RunValues;
  /** What was to change; undefined where the run had no plan. */
  readonly urns: readonly string[] | undefined;
  /** Runs after it, the older ones first: what they found is what this one left, where it came to no end. */
  readonly later: readonly { readonly values: RunValues; readonly urns: readonly string[] | undefined }[];
  readonly now: readonly ResourceState[];
  /** Whether an earlier undo of the same run was to make it anew: then what is there now is that. */
  readonly isRemade: (type: string, name: string) => boolean;
  readonly definitionOf: (type: string) => AnyDefinition | undefined;
}

export function planUndo(given: Undoing): UndoPlan {
  const undoing = withNewIds(given);
  const { values, now } = undoing;
  const planning = new Planning(undoing);
  for (const pair of pairsOf(values.before, resultOf(undoing))) planning.add(pair, now);
  return planning;
}

/** As the run found it, with the ids that an earlier undo of it has given what it made anew. */
function withNewIds(undoing: Undoing): Undoing {
  const { values, now, isRemade } = undoing;
  const ids = new Map<string, string>();
  for (const { urn, id = "", type } of values.before) {
    const made = now.find((state) => state.urn === urn && state.delete !== true)?.id ?? "";
    if (id !== "" && made !== "" && made !== id && isRemade(shortName(type), nameOf(urn))) ids.set(id, made);
  }
  const renewed = (value: Json): Json => {
    if (typeof value === "string") return ids.get(value) ?? value;
    if (Array.isArray(value)) return value.map(renewed);
    return isMap(value) ? renewedMap(value) : value;
  };
  const renewedMap = (map: PropertyMap): PropertyMap =>
    Object.fromEntries(Object.entries(map).map(([key, value]) => [key, renewed(value)]));
  if (ids.size === 0) return undoing;
  const before = values.before.map((state) => ({
    ...state,
    ...(state.id !== undefined && { id: ids.get(state.id) ?? state.id }),
    ...(state.inputs && { inputs: renewedMap(state.inputs) }),
  }));
  const kept = values.kept.map((one) => ({ ...one, id: ids.get(one.id) ?? one.id }));
  return { ...undoing, values: { ...values, before, kept } };
}

/** What the run left: by its own word, or as the next run that came to it found it. */
function resultOf({ values, urns, later, now }: Undoing): readonly ResourceState[] {
  if (values.after !== undefined) return values.after;
  const touched = urns === undefined ? undefined : new Set([...urns, ...values.before.map(({ urn }) => urn)]);
  const found = new Map<string, ResourceState | undefined>();
  // What it was taking over, and a later run has, it had already written to.
  const isTaken = (state: ResourceState): boolean =>
    values.kept.some(({ step, own, id }) => step === "adopt" && id === state.id && own === ownOf(state));
  const taken = new Set(now.filter(isTaken).map(({ urn }) => urn));
  for (const one of later) {
    const before = new Map(one.values.before.map((state) => [state.urn, state]));
    for (const urn of one.urns ?? [...before.keys()])
      if (!found.has(urn) && (before.has(urn) || !taken.has(urn))) found.set(urn, before.get(urn));
  }
  for (const state of now) if (state.delete !== true && !found.has(state.urn)) found.set(state.urn, state);
  return [...found].flatMap(([urn, state]) => (state && (touched?.has(urn) ?? true) ? [state] : []));
}

class Planning implements UndoPlan {
  readonly steps: UndoStep[] = [];
  readonly conflicts: Conflict[] = [];
  readonly lost: Lost[] = [];
  readonly #kept: readonly Kept[];
  readonly #now: Undoing["now"];
  readonly #definitionOf: Undoing["definitionOf"];
  /** The run says nothing of what it left, and the state doesn't of what it was about. */
  readonly #killed: boolean;

  constructor({ values, now, definitionOf }: Undoing) {
    this.#kept = values.kept;
    this.#killed = values.after === undefined;
    this.#now = now;
    this.#definitionOf = definitionOf;
  }

  add({ before, after }: Pair, states: readonly ResourceState[]): void {
    const state = after ?? before;
    if (state === undefined) return;
    const now =
      states.find(({ urn, delete: condemned }) => urn === state.urn && condemned !== true) ??
      states.find(
        ({ urn, id, type }) =>
          id !== undefined && id !== "" && id === before?.id && type === before.type && urn === before.urn,
      );
    const about = { type: shortName(state.type), name: nameOf((before ?? state).urn) };
    const definition = this.#definitionOf(state.type);
    const context = { ...about, urn: (before ?? state).urn, definition };
    if (before && after) this.#change(context, before, after, now);
    else if (before) this.#deletion(context, before, now);
    else if (after) this.#creation(context, after, now);
  }

  #change(about: About, before: ResourceState, after: ResourceState, now: ResourceState | undefined): void {
    if (!about.definition) {
      if (before.custom && !same(before.inputs, after.inputs)) this.#lose(about, "it is not a resource of Landform");
      return;
    }
    const isDoubtful = this.#killed && before.id === after.id && sameInputs(before, after);
    if (isDoubtful && this.#keptOf(before, "delete").length > 0) {
      this.#deletion(about, before, now);
      return;
    }
    const kept = this.#keptOf(before, "update");
    const touches =
      isDoubtful ||
      before.id !== after.id ||
      before.urn !== after.urn ||
      kept.length > 0 ||
      !same(before.inputs, after.inputs);
    if (!touches) return;
    if (now === undefined) {
      this.#conflict(about, "deleted since");
      return;
    }
    if (now.id !== after.id && now.id !== before.id) {
      this.#conflict(about, "made again since");
      return;
    }
    const sides = { before: before.inputs ?? {}, after: after.inputs ?? {}, now: now.inputs ?? {} };
    const writes: Write[] = [];
    for (const leaf of changedLeaves(about.definition, sides.before, sides.after)) {
      const [then, left, today] = [sides.before, sides.after, sides.now].map((inputs) => valueAt(inputs, leaf));
      if (!same(left, today) && !same(then, today)) this.#conflict(about, "changed by a later run", leaf, today);
      else writes.push({ ...plainWrite(leaf, then), inState: !same(then, today) });
    }
    const object = ObjectState.fromState(about.definition, before.id ?? "", plain(before.outputs));
    const refused = new Set(this.conflicts.filter(({ urn }) => urn === about.urn).map(({ leaf }) => leafKey(leaf)));
    const restorable = this.#restorable(about, kept, isDoubtful ? "is sent" : "is cleared by the plan");
    const known = withKept(restorable, writes, object, sides.before, refused);
    const { written, overwritten } = isDoubtful
      ? doubted(known, sides, { definition: about.definition, object })
      : { written: known, overwritten: [] };
    for (const { leaf, today } of overwritten) this.#conflict(about, "changed by a later run", leaf, today);
    const all = withShown(about.definition, object, written);
    this.#hidden(about, kept, sides.before);
    this.#notPublic(about, kept, sides.before);
    const lives = before.id === now.id;
    // A new object took its place: what the old one held beyond what was declared comes back with the next one.
    const { anew, anewDraft } = lives ? NOTHING_ANEW : this.#anew(about, before);
    const due = all.filter((write) => write.inState || (isRestored(write) && lives));
    const isBack = due.length === 0 && before.urn === now.urn && sameInputs(before, now);
    const carriesOn = isBack && isUnfinished(about.definition, now, this.#now);
    if (isBack && !carriesOn) return;
    this.steps.push({
      ...(carriesOn && { carriesOn }),
      kind: "revert",
      ...about,
      now,
      before,
      writes: lives ? due : due.filter(({ inState }) => inState),
      anew,
      anewDraft,
    });
  }

  #deletion(about: About, before: ResourceState, now: ResourceState | undefined): void {
    if (now !== undefined && now.id === before.id) {
      // The run came to no end: it may have deleted the object all the same, which the look finds out.
      // Or an undo has made it anew, and has left something of it for this one.
      const carriesOn = about.definition !== undefined && isUnfinished(about.definition, now, this.#now);
      if (about.definition && (carriesOn || this.#keptOf(before, "delete").length > 0)) {
        const { anew, anewDraft } = this.#anew(about, before);
        const writes = carriesOn ? leavesOf(about.definition, anew).map(([leaf, live]) => asRestored(leaf, live)) : [];
        this.steps.push({
          ...{ kind: "revert", ...about, now, before, writes, anew, anewDraft },
          ...(carriesOn && { carriesOn }),
        });
      }
      return;
    }
    if (now !== undefined) {
      this.#conflict(about, "made again since");
      return;
    }
    if (!about.definition && before.custom) {
      this.#lose(about, "it is not a resource of Landform");
      return;
    }
    const inputs =
      about.definition?.leaves === "in place" ? (before.inputs ?? {}) : withoutAdoption(before.inputs ?? {});
    const why = before.inputs?.["adoptId"] === undefined ? undefined : about.definition?.lost?.(plain(inputs));
    if (why !== undefined) {
      this.#lose(about, `it can't be made anew: ${why}`);
      return;
    }
    this.steps.push({
      kind: "remake",
      ...about,
      now: undefined,
      before: { ...before, inputs },
      writes: [],
      ...this.#anew(about, before),
    });
  }

  #creation(about: About, after: ResourceState, now: ResourceState | undefined): void {
    if (now === undefined) return;
    if (now.id !== after.id) {
      this.#conflict(about, "made again since");
      return;
    }
    if (!about.definition && after.custom) {
      this.#lose(about, "it is not a resource of Landform, and stays");
      return;
    }
    if (!sameInputs(now, after)) {
      this.#conflict(about, "changed by a later run");
      return;
    }
    const kept = this.#keptOf(after, "adopt");
    const adopted = kept.length > 0 || now.inputs?.["adoptId"] !== undefined;
    const none = { ...about, now, before: undefined, ...NOTHING_ANEW };
    if (!adopted || !about.definition) {
      this.steps.push({ kind: "remove", ...none, writes: [] });
      return;
    }
    this.#hidden(about, kept, {});
    this.#notPublic(about, kept, {});
    const object = new ObjectState(about.definition, after.id ?? "");
    const writes = withKept(this.#restorable(about, kept, "is sent"), [], object, {}, new Set());
    this.steps.push({ kind: "let go", ...none, writes });
  }

  #keptOf(state: ResourceState, step: Kept["step"]): Kept[] {
    const own = ownOf(state);
    return this.#kept.filter((one) => one.own === own && one.id === state.id && one.step === step);
  }

  /** What an object held beyond what was declared, where a new one is to take its place: what was in its draft alone stays there. */
  #anew(about: About, before: ResourceState): Anew {
    const { definition } = about;
    if (!definition) return NOTHING_ANEW;
    const kept = this.#keptOf(before, "delete");
    this.#notPublic(about, kept, before.inputs ?? {});
    const [anew, anewDraft]: [JsonMap, JsonMap] = [{}, {}];
    for (const { leaf, live, unpublished } of this.#restorable(about, kept, "is left out")) {
      if (definition.rule(leaf.field).onChange === "refuse") continue;
      if (unpublished === true) put(anewDraft, leaf, live);
      else if (valueAt(before.inputs ?? {}, leaf) === undefined) put(anew, leaf, live);
    }
    return { anew, anewDraft };
  }

  /** Kept values that can be sent. `nothing`: what is done about a field that held nothing. */
  #restorable(
    about: About,
    kept: readonly Kept[],
    nothing: "is left out" | "is cleared by the plan" | "is sent",
  ): Restorable[] {
    const { definition } = about;
    if (!definition) return [];
    return kept.flatMap(({ then, sent, unpublished = [], draft = {} }) =>
      leavesOf(definition, then).flatMap(([leaf, live]) => {
        const { onChange, cleared } = definition.rule(leaf.field);
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
        if (leaf.field !== "publish") this.#lose(about, `${leaf.field} held nothing before, and can't be emptied`);
        else if (nothing === "is sent") this.#lose(about, "it was a draft before, and the API can't unpublish");
        return [];
      }),
    );
  }

  #hidden(about: About, kept: readonly Kept[], declared: PropertyMap): void {
    const names = kept.flatMap(({ hidden }) => hidden).filter((name) => !(name in declared));
    if (names.length > 0) this.#lose(about, `what ${listed(names)} held before is not known: the API doesn't show it`);
    const unread = kept.find((one) => one.unread !== undefined)?.unread;
    if (unread !== undefined)
      this.#lose(about, `the run could not read it first (${unread}): it goes back to what the state knew`);
  }

  /** What is declared is published again; of the rest nobody knows what visitors got. */
  #notPublic(about: About, kept: readonly Kept[], { content }: PropertyMap): void {
    const declared = isMap(content) ? content : {};
    const keys = kept.flatMap(({ unpublished = [] }) => unpublished).filter((key) => !(key in declared));
    if (keys.length > 0)
      this.#lose(about, `what visitors got of ${texts(keys)} is not known: what its draft said comes back as a draft`);
    if (kept.some(({ waited }) => waited))
      this.#lose(about, "its last change was held back, and no visitor had it: made anew, it is published with that");
    const unknown = kept.flatMap(({ draftUnknown = [] }) => draftUnknown);
    if (unknown.length > 0)
      this.#lose(
        about,
        `what somebody had written to its draft as ${texts(unknown)} doesn't come back: the content map shows what is live`,
      );
  }

  #lose({ type, name }: About, text: string): void {
    this.lost.push({ type, name, text });
  }

  #conflict({ urn, type, name }: About, code: Conflict["code"], leaf?: Leaf, now?: Json): void {
    this.conflicts.push({ urn, type, name, code, ...(leaf && { leaf }), ...(now !== undefined && { now }) });
  }
}

type Anew = Pick<UndoStep, "anew" | "anewDraft">;

const NOTHING_ANEW: Anew = { anew: {}, anewDraft: {} };

interface Restorable extends Pick<Write, "leaf" | "sent" | "unpublished" | "draft"> {
  readonly live: Json;
}

interface About {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  readonly definition: AnyDefinition | undefined;
}

/** What nobody declares, and what the object held. */
function asRestored(leaf: Leaf, live: Json): Write {
  return { ...plainWrite(leaf, undefined), live, inState: false, restore: true };
}

function plainWrite(leaf: Leaf, declared: Json | undefined): Omit<Write, "inState"> {
  return { leaf, declared, live: undefined, sent: undefined, restore: false, recorded: undefined };
}

/** What was live and not declared, or not as it was known, is written by itself. */
function withKept(
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
    // What the service never shows is as it was declared.
    const drifted = declared && answered !== undefined && !same(answered, live);
    const restore = !declared || drifted;
    const inDraft = { ...(unpublished && { unpublished }), ...(draft !== undefined && { draft }) };
    all.set(key, { ...known, live, sent, restore, recorded: drifted ? answered : undefined, ...inDraft });
  }
  return [...all.values()];
}

/** How the object showed what goes back, for the look: where it is so again already, nothing is in conflict. */
function withShown(definition: AnyDefinition, object: ObjectState, writes: readonly Write[]): Write[] {
  return writes.map((write) => ({ ...write, live: write.live ?? valueOf(object, write.leaf) }));
}

function withoutAdoption({ adoptId, ...rest }: PropertyMap): PropertyMap {
  return rest;
}

function texts(keys: readonly string[]): string {
  return listed([...new Set(keys)].map((key) => `content["${key}"]`));
}

const MOST_NAMED = 5;

function listed(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return `${names.slice(0, MOST_NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
