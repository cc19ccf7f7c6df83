/** Finds places in the account that point to a departure and that no program of the stack declares. */
import { reasonOf } from "../../provider/values/wording.ts";
import type { PropertyPath } from "../../engine/index.ts";
import { orGone } from "../../provider/account/presence.ts";
import type { LandformApi } from "../../provider/api/index.ts";
import { type Collection, type Identified, MOST } from "../../provider/definition/collection.ts";
import type { AnyDefinition, Pointing } from "../../provider/definition/define.ts";
import { registry } from "../../provider/kinds/registry.ts";
import { publicAddress } from "../../provider/values/addresses.ts";
import type { JsonMap } from "../../provider/values/json.ts";
import type { Mention, MentionsLook } from "../report/model.ts";
import { candidatesIn, type Departure, goneIds, isOn, pointersIn } from "./leaving.ts";
import { objectKey, type ObjectKey } from "../../provider/ledger/identity.ts";

interface Found {
  /** In the order of the departures. */
  mentions: Mention[][];
  looks: readonly MentionsLook[];
}

export interface Stack {
  /** Tells if the object goes with the plan, with all its texts. `type` limits it to one type. */
  goes: (key: ObjectKey, type?: string) => boolean;
  /** Tells if the program declares the value at a path, so that the program's text counts. */
  declares: (key: ObjectKey, path: PropertyPath, definition: AnyDefinition) => boolean;
  /** Returns the URN of an object that is a resource of the stack, or that its state or its record knows. */
  urnOf: (key: ObjectKey) => string | undefined;
}

export async function undeclaredMentions(
  api: LandformApi,
  departures: readonly Departure[],
  stack: Stack,
): Promise<Found> {
  const { objects, looks } = await readAccount(api, {
    leavesOut: stack.goes,
    // Without a leaving address, only ids can be pointed to.
    listsOnly: departures.every(({ url }) => url === undefined),
    comesFirst: (answer) => departures.some((one) => isOn(answer, one)),
  });
  const mentions = departures.map((): Mention[] => []);
  const ids = goneIds(departures);
  for (const { definition, about, ref, answer, value } of objects) {
    const key = objectKey(definition, ref);
    const candidates = candidatesIn(value, ids).filter(({ path }) => !stack.declares(key, path, definition));
    for (const [index, departure] of candidates.length === 0 ? [] : departures.entries()) {
      const pointers = pointersIn(candidates, departure, isOn(answer, departure));
      const urn = stack.urnOf(key);
      const own = urn === undefined ? {} : { urn };
      mentions[index]?.push(
        ...pointers.map((pointer): Mention => ({ kind: "undeclared", ...own, ...about, ...pointer })),
      );
    }
  }
  return { mentions, looks };
}

// Reads the parts of the account that point to other objects or that visitors read. It only reads, within limits: lists up to a length, and
// objects that take a call each up to a number and a time. It counts what it did not read, and tells what it could not ask.

export const MOST_LISTED = 2_000;
export const MOST_TEXTS = 200;
export const LONGEST_MS = 20_000;
const AT_ONCE = 8;

interface AccountObject {
  readonly definition: AnyDefinition;
  /** For people. */
  readonly about: { type: string; name: string; id: string; editUrl?: string };
  /** The id by which a program and a state know it. */
  readonly ref: string;
  readonly answer: JsonMap;
  /** Its values, as outputs. */
  readonly value: JsonMap;
}

interface AccountTexts {
  readonly objects: readonly AccountObject[];
  readonly looks: readonly MentionsLook[];
}

interface ReadOptions {
  /** Objects that are not read. `type` limits it to one type. */
  leavesOut?: (key: ObjectKey, type?: string) => boolean;
  /** Leaves out everything that takes a call for each object. */
  listsOnly?: boolean;
  /** Tells which objects are read first. */
  comesFirst?: (answer: JsonMap) => boolean;
}

export async function readAccount(api: LandformApi, options: ReadOptions = {}): Promise<AccountTexts> {
  const until = Date.now() + LONGEST_MS;
  const read = await Promise.all(
    Object.values<AnyDefinition>(registry).flatMap((definition) => {
      const {
        lookup,
        shown: { pointing },
      } = definition;
      const isAsked = lookup !== undefined && pointing !== undefined && !(pointing.texts && options.listsOnly === true);
      return isAsked ? [readKind(api, { definition, pointing, lookup }, { ...options, until })] : [];
    }),
  );
  return { objects: read.flatMap(({ objects }) => objects), looks: read.flatMap(({ looks }) => looks) };
}

interface Kind {
  definition: AnyDefinition;
  pointing: Pointing;
  lookup: Collection;
}

interface Limits extends ReadOptions {
  until: number;
}

interface Row {
  row: Identified;
  answer: JsonMap;
}

async function readKind(api: LandformApi, kind: Kind, limits: Limits): Promise<AccountTexts> {
  const { definition, pointing, lookup } = kind;
  const what = lookup.plural;
  try {
    const { rows, perhapsMore } = await listed(api, kind, limits);
    const more = perhapsMore ? { perhapsMore } : {};
    const texts = pointing.texts && (await textsOf(api, pointing.texts, rows, limits));
    const objects = rows.map(({ row, answer }) => ({
      definition,
      about: aboutRow(definition, row, answer),
      ref: lookup.idOf?.(row) ?? row.id,
      answer,
      value: { ...pointing.shown(answer), ...texts?.read.get(row.id) },
    }));
    const read = texts?.read.size ?? rows.length;
    const failed = texts?.failure === undefined ? {} : { failed: texts.failure };
    return { objects, looks: [{ what, read, left: rows.length - read, ...failed, ...more }] };
  } catch (error) {
    return { objects: [], looks: [{ what, read: 0, left: 0, failed: reasonOf(error) }] };
  }
}

async function listed(
  api: LandformApi,
  { definition, lookup }: Kind,
  { leavesOut, until }: Limits,
): Promise<{ rows: Row[]; perhapsMore: boolean }> {
  const rows: Row[] = [];
  let seen = 0;
  for await (const row of lookup.all(api, {}, { limit: MOST_LISTED })) {
    seen++;
    // An object that is referred to by another id is the same only if it is of this type.
    const ref = objectKey(definition, lookup.idOf?.(row) ?? row.id);
    const isOut = leavesOut?.(`${lookup.what} ${row.id}`) === true || leavesOut?.(ref, definition.type) === true;
    if (!isOut) rows.push({ row, answer: definition.shown.answerOf(row) });
    if (Date.now() > until) return { rows, perhapsMore: true };
  }
  const capped = lookup.capped !== undefined && seen >= MOST;
  return { rows, perhapsMore: capped || seen >= MOST_LISTED };
}

function aboutRow({ type, lookup }: AnyDefinition, row: Identified, answer: JsonMap): AccountObject["about"] {
  const { editUrl } = answer;
  const link = typeof editUrl === "string" && editUrl !== "" ? { editUrl } : {};
  return { type, name: lookup?.nameOf(row) ?? row.id, id: row.id, ...link };
}

interface Texts {
  read: Map<string, JsonMap>;
  failure?: string;
}

/** Reads public objects first. */
async function textsOf(
  api: LandformApi,
  texts: NonNullable<Pointing["texts"]>,
  rows: readonly Row[],
  { comesFirst, until }: Limits,
): Promise<Texts> {
  const rank = ({ answer }: Row): number =>
    (publicAddress(answer) === undefined ? 2 : 0) + (comesFirst?.(answer) === true ? 0 : 1);
  const next = [...rows]
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, MOST_TEXTS)
    .values();
  const found: Texts = { read: new Map() };
  const readOn = async (): Promise<void> => {
    for (const { row } of next) {
      if (Date.now() > until) return;
      try {
        // A list may show a deleted object for a while. It has no texts any more.
        found.read.set(row.id, (await orGone(texts(api, row.id))) ?? {});
      } catch (error) {
        found.failure ??= reasonOf(error);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, readOn));
  return found;
}
