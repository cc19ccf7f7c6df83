/** Reads what points to other objects in the account and what visitors read, within limits, and counts what it left out. */
import { reasonOf } from "../../provider/values/wording.ts";
import { orGone } from "../../provider/account/presence.ts";
import type { LandformApi } from "../../provider/api/index.ts";
import { type Collection, type Identified, MOST } from "../../provider/definition/collection.ts";
import type { AnyDefinition, Pointing } from "../../provider/definition/define.ts";
import { registry } from "../../provider/kinds/registry.ts";
import { publicAddress } from "../../provider/values/addresses.ts";
import type { JsonMap } from "../../provider/values/json.ts";

export const MOST_LISTED = 2_000;
export const MOST_TEXTS = 200;
export const LONGEST_MS = 20_000;
const AT_ONCE = 8;

interface AccountObject {
  readonly about: { type: string; name: string; id: string; editUrl?: string };
  /** Its values, as outputs. */
  readonly value: JsonMap;
}

interface AccountTexts {
  readonly objects: readonly AccountObject[];
  readonly looks: readonly AccountLook[];
}

export interface AccountLook {
  /** In the plural: `pages`. */
  readonly what: string;
  readonly read: number;
  /** The number that a limit or the time left out. */
  readonly left: number;
  readonly failed?: string;
  /** True if there may be more than the service lists. */
  readonly perhapsMore?: true;
}

export async function readAccount(api: LandformApi): Promise<AccountTexts> {
  const until = Date.now() + LONGEST_MS;
  const read = await Promise.all(
    Object.values<AnyDefinition>(registry).flatMap((definition) => {
      const { lookup, shown } = definition;
      if (lookup === undefined || shown.pointing === undefined) return [];
      return [readKind(api, { definition, pointing: shown.pointing, lookup }, until)];
    }),
  );
  return { objects: read.flatMap(({ objects }) => objects), looks: read.flatMap(({ looks }) => looks) };
}

interface Kind {
  definition: AnyDefinition;
  pointing: Pointing;
  lookup: Collection;
}

interface Row {
  row: Identified;
  answer: JsonMap;
}

async function readKind(api: LandformApi, kind: Kind, until: number): Promise<AccountTexts> {
  const { definition, pointing, lookup } = kind;
  const what = lookup.plural;
  try {
    const { rows, perhapsMore } = await listed(api, kind, until);
    const more = perhapsMore ? { perhapsMore } : {};
    const texts = pointing.texts && (await textsOf(api, pointing.texts, rows, until));
    const objects = rows.map(({ row, answer }) => ({
      about: aboutRow(definition, row, answer),
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
  until: number,
): Promise<{ rows: Row[]; perhapsMore: boolean }> {
  const rows: Row[] = [];
  let seen = 0;
  for await (const row of lookup.all(api, {}, { limit: MOST_LISTED })) {
    seen++;
    rows.push({ row, answer: definition.shown.answerOf(row) });
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
  until: number,
): Promise<Texts> {
  const isHidden = ({ answer }: Row): number => (publicAddress(answer) === undefined ? 1 : 0);
  const next = [...rows]
    .sort((a, b) => isHidden(a) - isHidden(b))
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
