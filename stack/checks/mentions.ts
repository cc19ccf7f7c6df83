/** Finds the texts and objects, declared or not, that point to an address or an object that goes with the plan. */
import { nameOf } from "../../engine/index.ts";
import { declaredMentions, type Departure, departuresIn, isDeclared } from "../mentions/leaving.ts";
import { type Stack, undeclaredMentions } from "../mentions/look.ts";
import type { Change, Report, Leaving, Mention, MentionsLook } from "../report/model.ts";
import { keyOf } from "../engines/ledger.ts";
import { keyOfKind, keyOfType } from "../../provider/kinds/registry.ts";
import { shortName, type Told, wantedOf } from "../report/steps.ts";
import type { RunContext } from "../../provider/reconcile/run-context.ts";
import type { AccountReader } from "../run/account-reader.ts";
import { type Check, ONLY_LOOKS } from "./check.ts";
import type { Planned } from "../report/build.ts";
import type { StackSession } from "../run/session.ts";
import type { ObjectKey } from "../../provider/ledger/identity.ts";

export const mentions: Check = {
  name: "mentions",
  not: { ...ONLY_LOOKS, "env down": "a preview's addresses are its own, and no lasting page leads to them" },
  run: async ({ session, ran, reader }, report) => {
    const { told } = ran.preview;
    const urls = report.impact?.urls ?? [];
    const departures = report.result === "succeeded" ? departuresIn(leavingIn(report, ran.preview), told, urls) : [];
    if (departures.length === 0) return {};
    const undeclared = await undeclaredIn(await reader(), departures, told, await madeBy(session, told));
    const declared = declaredMentions(departures, told);
    const leaving = departures.map(({ siteId, address, ...one }, index): Leaving => ({
      ...one,
      mentions: [...(declared[index] ?? []), ...(undeclared.mentions[index] ?? [])],
    }));
    return { report: { ...report, ...session.redactor.value({ leaving, looked: undeclared.looks }) } };
  },
};

/** Leaves out the objects that the account was found to keep. */
function leavingIn(report: Report, { changes }: Planned): Change[] {
  const staying = new Set(report.changes.flatMap(({ urn, stays }) => (stays === undefined ? [] : [urn])));
  return changes.filter(({ urn }) => !staying.has(urn));
}

/** Asks each account about its own departures. */
async function undeclaredIn(
  reader: AccountReader,
  departures: readonly Departure[],
  told: ReadonlyMap<string, Told>,
  made: ReadonlyMap<ObjectKey, string>,
): Promise<{ mentions: Mention[][]; looks: MentionsLook[] }> {
  const found = departures.map((): Mention[] => []);
  const looks: MentionsLook[] = [];
  const stack = stackOf(told, made);
  for (const [run, own] of Map.groupBy(departures, ({ urn }) => lookerOf(reader, urn, told))) {
    if (typeof run === "string") {
      looks.push({ what: "", read: 0, left: 0, failed: run });
      continue;
    }
    const looked = await undeclaredMentions(run.api, own, stack);
    looks.push(...looked.looks);
    for (const [index, departure] of own.entries()) found[departures.indexOf(departure)] = looked.mentions[index] ?? [];
  }
  return { mentions: found, looks: merged(looks) };
}

/** Adds up the looks at the same kind in several accounts. */
function merged(looks: readonly MentionsLook[]): MentionsLook[] {
  return [...Map.groupBy(looks, ({ what }) => what)].map(([what, all]) => {
    const sum = (of: (look: MentionsLook) => number): number => all.reduce((total, look) => total + of(look), 0);
    const failed = [...new Set(all.flatMap((look) => look.failed ?? []))].join("; ");
    return {
      ...{ what, read: sum(({ read }) => read), left: sum(({ left }) => left) },
      ...(failed !== "" && { failed }),
      ...(all.some((look) => look.perhapsMore === true) && { perhapsMore: true as const }),
    };
  });
}

function lookerOf(reader: AccountReader, urn: string, told: ReadonlyMap<string, Told>): RunContext | string {
  const [step] = told.get(urn)?.steps.values() ?? [];
  try {
    return reader.of(step?.provider, urn);
  } catch (error) {
    return `${nameOf(urn)}: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Maps the objects that killed runs made to their URNs, or to their key in the ledger where the plan doesn't have them. */
async function madeBy({ engine }: StackSession, told: ReadonlyMap<string, Told>): Promise<Map<ObjectKey, string>> {
  const { entries } = await engine.ledger();
  const urns = new Map([...told.keys()].map((urn) => [keyOf(urn), urn]));
  const made = entries.flatMap(({ key, kind, id }) => (id === undefined ? [] : [{ key, object: keyOfKind(kind, id) }]));
  return new Map(made.map(({ key, object }) => [object, urns.get(key) ?? key]));
}

/** `made`: the URNs of objects that no state has. */
function stackOf(told: ReadonlyMap<string, Told>, made: ReadonlyMap<ObjectKey, string>): Stack {
  const all = [...told.values()];
  const known = new Map(all.flatMap((one) => (one.id === "" ? [] : [[keyOfType(typeOf(one), one.id), one] as const])));
  const leftovers = new Map(
    all.flatMap((one) =>
      [...one.leftovers].map(
        ([id, { type }]) => [keyOfType(type, id), { urn: one.urn, type: shortName(type) }] as const,
      ),
    ),
  );
  const goes = (one: Told): boolean => GOING.some((op) => one.steps.has(op));
  return {
    urnOf: (key) => (known.get(key) ?? leftovers.get(key))?.urn ?? made.get(key),
    goes: (key, type) => {
      const leftover = leftovers.get(key);
      if (leftover !== undefined) return type === undefined || leftover.type === type;
      const one = known.get(key);
      return one !== undefined && goes(one) && (type === undefined || typeOf(one) === type);
    },
    declares: (key, path, definition) =>
      isDeclared(wantedOf(known.get(key))?.inputs ?? {}, path, (input) => definition.rule(input).perKey === true),
  };
}

function typeOf({ steps }: Told): string {
  return shortName([...steps.values()][0]?.type ?? "");
}

const GOING = ["delete", "replace", "create-replacement"];
