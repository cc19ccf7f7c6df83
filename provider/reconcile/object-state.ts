/**
 * The knowledge of one object while a run works on it, and its form in Pulumi's state.
 *
 * Two sides are kept for the three-way diff: the service's answer (the outputs) and the program's declaration. To keep the state small, a
 * declared value is stored a second time only where it differs from the answer:
 *
 * - outputs of a wire field hold the answer; outputs of a write-only input hold the declared value;
 * - `__landform` names its own form, the account and the declared inputs, and holds the digests of notes, which tell nothing without their
 *   salt;
 * - `__declared` holds declared values that the service shows differently (a trimmed name, a rendered placeholder), both sides of the last
 *   write of drifted fields if they differ, texts that are needed later, and former addresses. It is a secret output, because any of these
 *   may have been declared secret.
 */
import type { Path } from "../values/paths.ts";
import type { FieldRule, FieldRules } from "../definition/field-rule.ts";
import {
  filterMap,
  isMap,
  type Json,
  type JsonMap,
  mapBy,
  mapEach,
  mapOf,
  same,
  sanitize,
  without,
} from "../values/json.ts";
import { afterMove, type FormerAddress, formerIn, publicAddress } from "../values/addresses.ts";
import { isMarked, nameIn } from "../ledger/identity.ts";
import { OldStateError } from "../messages/errors.ts";
import type { AnyDefinition } from "../definition/define.ts";
import type { RunContext } from "./run-context.ts";

export interface KindInRun {
  readonly definition: AnyDefinition;
  readonly run: RunContext;
}

export interface ObjectInRun extends KindInRun {
  readonly object: ObjectState;
}

/** The form of all that this file keeps in a state. A change of it raises this number: another form is refused, and never guessed at. */
const FORM = 4;

interface Meta {
  form: typeof FORM;
  account?: string | undefined;
  /** Names of the declared inputs, space-separated: a list would take a line of the state each. */
  declared: string;
  unfinished?: Record<string, Unfinished> | undefined;
  /** Another object that carries this resource's marker: the next apply removes it. */
  duplicateId?: string | undefined;
  /** The object that this one replaces, as long as it may hold a path that this one is to have. */
  replacedId?: string | undefined;
  /** A field with parts (content, nodes) was written without a look at all of them: the next refresh reads them. */
  unread?: true | undefined;
  /** Names of inputs of which a refresh has learned the values of others, space-separated. */
  learned?: string | undefined;
  /** By input, the keys whose public value is another one. */
  unpublished?: JsonMap | undefined;
  digests?: JsonMap | undefined;
}

/**
 * The reason why an input is applied again although it is declared as before. `again`: a run did not come to its end (a publish that had to
 * wait). `interrupted`: a killed run was writing it, so nobody knows how it is, and it is applied as a whole. `held`: this pass leaves it
 * for a later one on purpose, declared as it was before.
 */
export type Unfinished = "again" | "interrupted" | "held";

/** A declared value, and how the service showed it. */
interface LastWrite {
  /** Absent if the last run did not declare the input. */
  readonly declared?: Json;
  readonly shown: Json;
}

export class ObjectState {
  readonly rules: FieldRules;
  id: string | undefined;
  answer: JsonMap = {};
  notes: JsonMap = {};
  account: string | undefined;
  identity: string | undefined;
  duplicateId: string | undefined;
  replacedId: string | undefined;
  former: readonly FormerAddress[] = [];
  /** By input, the public values of keys that differ in the draft, or in the code. */
  published: JsonMap = {};
  /** Inputs that the program leaves to others (diff.ts). */
  ignored: readonly string[] = [];
  /** It comes from the state of an earlier run. */
  recorded = false;
  /** A write was made in this pass, so the object has to be looked at again. */
  wrote = false;
  unread = false;
  readonly sent = new Set<string>();
  readonly declared = new Map<string, Json>();
  readonly unfinished = new Map<string, Unfinished>();
  /** The last writes of fields that drifted: if somebody puts one back, the field is as declared again. */
  readonly written = new Map<string, LastWrite>();

  constructor(rules: FieldRules, id?: string) {
    this.rules = rules;
    this.id = id;
  }

  static fromState(rules: FieldRules, id: string, state: JsonMap): ObjectState {
    const object = new ObjectState(rules, id);
    const { __landform, __declared, __identity, __ignored, __hidden, __provider, ...answer } = state;
    const identity = typeof __identity === "string" ? __identity : undefined;
    const meta = readMeta(__landform, identity === undefined ? id : `"${nameIn(identity)}" (${id})`, id);
    const aside = mapOf(__declared);
    const stored = mapOf(aside["fields"]);
    object.recorded = true;
    object.answer = answer;
    object.notes = withDigests(mapOf(aside["notes"]), meta.digests ?? {});
    object.published = mapOf(aside["published"]);
    for (const [field, last] of Object.entries(mapOf(aside["written"])))
      object.written.set(field, last as unknown as LastWrite);
    object.account = meta.account;
    object.identity = identity;
    object.duplicateId = meta.duplicateId;
    object.replacedId = meta.replacedId;
    object.unread = meta.unread === true;
    object.former = formerIn(state);
    for (const [field, why] of Object.entries(meta.unfinished ?? {})) object.unfinished.set(field, why);
    for (const field of meta.declared.split(" ").filter((name) => name !== "")) {
      const value = declaredThen(rules.rule(field), field, answer, stored[field]);
      if (value !== undefined) object.declared.set(field, value);
    }
    return object;
  }

  with(change: (next: ObjectState) => void): ObjectState {
    const next = new ObjectState(this.rules, this.id);
    next.take(this);
    change(next);
    return next;
  }

  take(other: ObjectState): void {
    const { answer, sent, declared, unfinished, written } = other;
    Object.assign(this, other, {
      answer: { ...answer },
      sent: new Set(sent),
      declared: new Map(declared),
      unfinished: new Map(unfinished),
      written: new Map(written),
    });
  }

  /** Records that the object now is as declared in this field. A field that is held stays so. */
  declare(field: string, value: Json | undefined): this {
    if (value !== undefined) this.declared.set(field, value);
    else {
      this.declared.delete(field);
      // The output of a write-only input is its declared value, and goes with it.
      if (!this.rules.rule(field).shownValue) Reflect.deleteProperty(this.answer, field);
    }
    if (!this.isHeld(field)) this.unfinished.delete(field);
    this.written.delete(field);
    return this;
  }

  /** Records that a pass has come to its end: the object is as declared, except for inputs that the pass held or left alone. */
  declareAll(inputs: JsonMap, left: readonly string[] = []): void {
    for (const field of new Set([...this.declared.keys(), ...Object.keys(inputs)]))
      if (!left.includes(field) && !(field in inputs && this.isHeld(field))) this.declare(field, inputs[field]);
    for (const field of this.interrupted()) this.unfinished.delete(field);
  }

  isHeld(field: string): boolean {
    return this.unfinished.get(field) === "held";
  }

  interrupted(): Set<string> {
    return new Set([...this.unfinished].flatMap(([field, why]) => (why === "interrupted" ? [field] : [])));
  }

  /** Makes the next pass apply the field again, if this one doesn't get so far. */
  reapply(field: string): void {
    if (!this.unfinished.has(field)) this.unfinished.set(field, "again");
  }

  /** Notes that a killed run was writing this input. If it was not declared then, nobody knows if it has to be cleared. */
  doubt(field: string): void {
    const isClearable = this.rules.rule(field).cleared !== undefined;
    if (!this.declared.has(field) && isClearable) this.declared.set(field, null);
    this.unfinished.set(field, "interrupted");
  }

  /** Remembers a move. It is called once all is learned: `before` is the answer from before. */
  rememberMove(before: JsonMap): void {
    const now = publicAddress(this.answer);
    this.former = afterMove(this.former, this.knownAddress(before), now, new Date().toISOString());
  }

  /** Returns the public address. A run that was killed may have left the object at one that visitors were never told. */
  knownAddress(answer = this.answer): string | undefined {
    const isOnItsWay = [...this.declared.keys()].some((field) => this.isPassing(field, answer));
    return isOnItsWay ? undefined : publicAddress(answer);
  }

  isPassing(field: string, answer = this.answer): boolean {
    const shown = this.shown(field, answer);
    // The code may ask for such a value itself: it has taken over an object that was left there.
    const isMeant = !this.unfinished.has(field) && same(this.declared.get(field), shown);
    return !isMeant && this.rules.rule(field).isPassing?.(this.id ?? "", shown) === true;
  }

  learn(answer: JsonMap): this {
    this.answer = { ...this.answer, ...answer };
    return this;
  }

  /** A write learns only what it sent: a value that somebody else moved is still drift. `held`: inputs left alone. */
  keepUnsent(before: JsonMap, held: readonly string[]): void {
    const sent = new Set([...this.sent].flatMap((field) => this.shownBy(field)));
    for (const field of [...this.declared.keys(), ...held]) {
      const { perKey, carries = [] } = this.rules.rule(field);
      if (this.sent.has(field) || perKey) continue;
      for (const key of [...this.shownBy(field), ...carries]) {
        if (!sent.has(key) && key in before) this.answer[key] = before[key] as Json;
      }
    }
  }

  /** Does the same for a map that is compared key by key: a refresh finds differences in keys that were not sent. */
  learnKeys(output: string, declared: readonly string[], live: JsonMap, sent: readonly string[]): void {
    const then = mapOf(this.answer[output]);
    const stay = declared.filter((key) => key in then && !sent.includes(key) && !same(then[key], live[key]));
    if (stay.length > 0) this.unread = true;
    this.learn({ [output]: { ...live, ...mapBy(stay, (key) => then[key]) } });
  }

  shownBy(field: string): readonly string[] {
    const { shownValue, proxyOutput, shownBy = [field] } = this.rules.rule(field);
    if (proxyOutput !== undefined) return [proxyOutput];
    return shownValue ? shownBy : [];
  }

  /** Returns a declared field as the service last showed it; undefined if it never shows it. */
  live(field: string, answer = this.answer): Json | undefined {
    const { shownValue } = this.rules.rule(field);
    return shownValue ? shownValue(answer, this.declared.get(field) ?? null) : undefined;
  }

  /** Returns the inputs as the last run declared them, whatever a refresh has learned since. */
  said(): JsonMap {
    const said = [...this.written].flatMap(([field, last]): [string, Json][] => {
      const now = this.declared.get(field);
      if (last.declared === undefined) return [];
      return [[field, isMap(now) && isMap(last.declared) ? { ...now, ...last.declared } : last.declared]];
    });
    return Object.fromEntries([...this.declared, ...said]);
  }

  /** Returns the value that tells drift in a declared field. */
  shown(field: string, answer = this.answer): Json | undefined {
    const { proxyOutput } = this.rules.rule(field);
    return proxyOutput === undefined ? this.live(field, answer) : answer[proxyOutput];
  }

  /** A list may lag. A row from before this stack's own last write is no news of others: a read by the id tells. */
  isTold(row: JsonMap): boolean {
    if (isMarked(nameOf(row))) return false;
    if (!this.recorded) return true;
    const isBehind = DATES.some((date) => isBefore(row[date], this.answer[date]));
    if (isBehind) return false;
    return isBefore(this.answer["updatedAt"], row["updatedAt"]) || this.#isShownIn(row);
  }

  #isShownIn(row: JsonMap): boolean {
    const answer = { ...this.answer, ...row };
    return [...this.declared.keys()].every((field) => same(this.shown(field), this.shown(field, answer)));
  }

  toState(): JsonMap {
    const state: JsonMap = { ...this.answer };
    const fields: JsonMap = {};
    for (const [field, value] of this.declared) {
      const rule = this.rules.rule(field);
      if (!rule.shownValue) state[field] = value;
      else {
        // `fromState` will see it like this: it does not know the declared value yet.
        const aside = differing(rule, rule.shownValue(this.answer, null), value);
        if (aside !== undefined) fields[field] = aside;
      }
    }
    const { identity, notes, former } = this;
    const unfinished = [...this.unfinished].map(([field, why]): [string, Unfinished] => [
      field,
      why === "held" ? "again" : why,
    ]);
    const meta: Meta = {
      form: FORM,
      declared: [...this.declared.keys()].join(" "),
      account: this.account,
      unfinished: filled(Object.fromEntries(unfinished)),
      duplicateId: this.duplicateId,
      replacedId: this.replacedId,
      unread: this.unread || undefined,
      learned: [...this.written.keys()].filter((field) => this.declared.has(field)).join(" ") || undefined,
      unpublished: filled(mapEach(this.published, (keys) => Object.keys(mapOf(keys)))),
      digests: filled(filterMap(mapEach(notes, digestsOf), isMap)),
    };
    const aside = {
      fields: filled(fields),
      notes: filled(mapEach(notes, (note) => (isMap(digestsOf(note)) ? without(mapOf(note), ["digests"]) : note))),
      published: filled(this.published),
      former: former.length > 0 ? former : undefined,
      written: filled(Object.fromEntries(this.written)),
    };
    const hasAside = Object.values(aside).some((part) => part !== undefined);
    return sanitize({ ...state, __landform: meta, __identity: identity, __declared: hasAside ? aside : undefined });
  }
}

function filled<Held extends object>(map: Held): Held | undefined {
  return Object.keys(map).length === 0 ? undefined : map;
}

function digestsOf(note: Json): Json {
  return isMap(note) ? (note["digests"] ?? null) : null;
}

function withDigests(notes: JsonMap, digests: JsonMap): JsonMap {
  return mapEach(notes, (note, name) =>
    isMap(note) && isMap(digests[name]) ? { ...note, digests: digests[name] } : note,
  );
}

/** `value`: absent where no run has recorded the object. `called`: the object in messages. */
function readMeta(value: Json | undefined, called: string, id: string): Meta {
  if (!isMap(value)) return { form: FORM, declared: "" };
  if (value["form"] !== FORM) throw new OldStateError(called, id);
  return value as unknown as Meta;
}

function differing(rule: FieldRule, live: Json | undefined, declared: Json): Json | undefined {
  if (!rule.perKey || !isMap(live) || !isMap(declared)) return same(live, declared) ? undefined : declared;
  const others = filterMap(declared, (value, key) => !same(live[key], value));
  return Object.keys(others).length === 0 ? undefined : others;
}

function declaredThen(rule: FieldRule, field: string, answer: JsonMap, aside: Json | undefined): Json | undefined {
  if (!rule.shownValue) return answer[field];
  const live = rule.shownValue(answer, aside ?? null);
  if (rule.perKey && isMap(live)) return { ...live, ...(isMap(aside) ? aside : {}) };
  return aside === undefined ? live : aside;
}

/** Returns the inputs of which a refresh has learned other values since the last run declared them, as that run did. */
export function movedSince(rules: FieldRules, outputs: JsonMap): JsonMap {
  if (!isMap(mapOf(outputs["__declared"])["written"])) return {};
  const object = ObjectState.fromState(rules, "", outputs);
  return filterMap(object.said(), (_, field) => object.written.has(field));
}

/** The inputs of a call, apart from what the resource class adds for the lifecycle. */
export interface Raw {
  readonly inputs: JsonMap;
  /** The text from which the creation marker is derived. Left out of every diff. */
  readonly identity: string | undefined;
  readonly provider: unknown;
  /** Paths that the program leaves to others (diff.ts). */
  readonly ignored: readonly string[];
  /** Paths of values that the program keeps secret. Only messages ask. */
  readonly hidden: readonly Path[];
}

export function splitInputs(raw: JsonMap): Raw {
  const { __provider, __identity, __ignored, __hidden, ...inputs } = raw;
  const textsOf = (list: Json | undefined) =>
    Array.isArray(list) ? list.filter((one) => typeof one === "string") : [];
  return {
    inputs,
    identity: typeof __identity === "string" ? __identity : undefined,
    provider: __provider,
    ignored: textsOf(__ignored),
    hidden: Array.isArray(__hidden) ? __hidden.map(textsOf) : [],
  };
}

export function withoutAdoption(inputs: JsonMap): JsonMap {
  return without(inputs, ["adoptId"]);
}

const DATES = ["updatedAt", "publishedAt"];

/** An answer without a date may be from before it had one. */
function isBefore(date: Json | undefined, other: Json | undefined): boolean {
  return typeof other === "string" && (typeof date !== "string" || Date.parse(date) < Date.parse(other));
}

export function nameOf(answer: JsonMap): string | undefined {
  const name = answer["pageName"] ?? answer["name"];
  return typeof name === "string" ? name : undefined;
}
