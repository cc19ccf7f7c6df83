/**
 * What of the account points to what goes, and no program of the stack declares. Reads alone, and bounded: lists are read
 * up to a length, and what takes a call each up to a number and a time. What was not looked at is counted.
 */
import type { LandformApi } from "../../provider/api/index.ts";
import { MOST, type Identified } from "../../provider/collection.ts";
import type { AnyDefinition, Pointing } from "../../provider/define.ts";
import type { JsonMap } from "../../provider/json.ts";
import { registry } from "../../provider/registry.ts";
import { publicAddress } from "../../provider/lifecycle/addresses.ts";
import type { PropertyPath } from "../../engine/index.ts";
import type { Mention, MentionsLook } from "../report/model.ts";
import { candidatesIn, goneIds, isOn, pointersIn, type Departure } from "./leaving.ts";

const MOST_LISTED = 2_000;
const MOST_TEXTS = 200;
const LONGEST_MS = 20_000;
const AT_ONCE = 8;

export interface Found {
  /** In the order of the departures. */
  mentions: Mention[][];
  looks: MentionsLook[];
}

export interface Stack {
  /** Whether the object goes with the plan, and all that it says; of one type, where that is given. */
  goes: (id: string, type?: string) => boolean;
  /** Whether the program says what stands there, so that its words count. */
  declares: (id: string, path: PropertyPath, definition: AnyDefinition) => boolean;
}

export async function undeclaredMentions(
  api: LandformApi,
  departures: readonly Departure[],
  stack: Stack,
): Promise<Found> {
  const until = Date.now() + LONGEST_MS;
  const search = { departures, stack, until };
  const found = await Promise.all(
    Object.values<AnyDefinition>(registry).flatMap((definition) =>
      definition.pointing === undefined ? [] : [lookThrough(api, definition, definition.pointing, search)],
    ),
  );
  return {
    mentions: departures.map((_, index) => found.flatMap(({ mentions }) => mentions[index] ?? [])),
    looks: found.flatMap(({ looks }) => looks),
  };
}

interface Search {
  departures: readonly Departure[];
  stack: Stack;
  until: number;
}

interface Row {
  row: Identified;
  answer: JsonMap;
}

async function lookThrough(
  api: LandformApi,
  definition: AnyDefinition,
  pointing: Pointing,
  search: Search,
): Promise<Found> {
  const { lookup } = definition;
  const what = lookup?.plural ?? definition.section;
  const none = search.departures.map((): Mention[] => []);
  // Without an address that goes, only ids can be pointed to.
  const wantsTexts = pointing.texts !== undefined && search.departures.some(({ url }) => url !== undefined);
  if (lookup === undefined || (pointing.texts !== undefined && !wantsTexts)) return { mentions: none, looks: [] };
  try {
    const { stack } = search;
    const rows: Row[] = [];
    let seen = 0;
    for await (const row of lookup.all(api, {}, { limit: MOST_LISTED })) {
      seen++;
      // What is referred to by another id is that object only where it is of this kind.
      const isGoing = stack.goes(row.id) || stack.goes(lookup.idOf?.(row) ?? row.id, definition.type);
      if (!isGoing) rows.push({ row, answer: definition.answerOf(row) });
      if (Date.now() > search.until) break;
    }
    const late = Date.now() > search.until;
    const listed = mentionsIn(definition, rows, ({ answer }) => pointing.shown(answer), search);
    const capped = lookup.capped !== undefined && seen >= MOST;
    const perhapsMore = late || capped || seen >= MOST_LISTED;
    const more = perhapsMore ? { perhapsMore: true as const } : {};
    if (pointing.texts === undefined)
      return { mentions: listed, looks: [{ what, read: rows.length, left: 0, ...more }] };
    const texts = await textsOf(api, pointing.texts, rows, search);
    const inTexts = mentionsIn(definition, rows, ({ row }) => texts.read.get(row.id) ?? {}, search);
    const failed = texts.failure === undefined ? {} : { failed: texts.failure };
    const look = { what, read: texts.read.size, left: rows.length - texts.read.size, ...failed, ...more };
    return { mentions: listed.map((list, index) => [...list, ...(inTexts[index] ?? [])]), looks: [look] };
  } catch (error) {
    return { mentions: none, looks: [{ what, read: 0, left: 0, failed: reasonOf(error) }] };
  }
}

function mentionsIn(
  definition: AnyDefinition,
  rows: readonly Row[],
  valueOf: (row: Row) => JsonMap,
  { departures, stack }: Search,
): Mention[][] {
  const found = departures.map((): Mention[] => []);
  const ids = goneIds(departures);
  for (const { row, answer } of rows) {
    const candidates = candidatesIn(valueOf({ row, answer }), ids).filter(
      ({ path }) => !stack.declares(row.id, path, definition),
    );
    for (const [index, departure] of candidates.length === 0 ? [] : departures.entries()) {
      const pointers = pointersIn(candidates, departure, isOn(answer, departure));
      const about = aboutRow(definition, row, answer);
      found[index]?.push(...pointers.map((pointer): Mention => ({ kind: "undeclared", ...about, ...pointer })));
    }
  }
  return found;
}

function aboutRow({ type, lookup }: AnyDefinition, row: Identified, answer: JsonMap) {
  const { editUrl } = answer;
  const link = typeof editUrl === "string" && editUrl !== "" ? { editUrl } : {};
  return { type, name: lookup?.nameOf(row) ?? row.id, id: row.id, ...link };
}

interface Texts {
  read: Map<string, JsonMap>;
  failure?: string;
}

/** What is public comes first, and of that what is on a site that loses an address. */
async function textsOf(
  api: LandformApi,
  texts: NonNullable<Pointing["texts"]>,
  rows: readonly Row[],
  { departures, until }: Search,
): Promise<Texts> {
  const rank = ({ answer }: Row): number =>
    (publicAddress(answer) === undefined ? 2 : 0) + (departures.some((one) => isOn(answer, one)) ? 0 : 1);
  const chosen = [...rows].sort((a, b) => rank(a) - rank(b)).slice(0, MOST_TEXTS);
  const found: Texts = { read: new Map() };
  const next = chosen.values();
  const readOn = async (): Promise<void> => {
    for (const { row } of next) {
      if (Date.now() > until) return;
      try {
        found.read.set(row.id, await texts(api, row.id));
      } catch (error) {
        found.failure ??= reasonOf(error);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, readOn));
  return found;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
