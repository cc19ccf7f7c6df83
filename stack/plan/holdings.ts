/**
 * What that holds which a plan deletes, as it was reviewed and as it is now: whoever reviewed the plan has not seen what was
 * written to it since, declared or not, published or not. Reads alone.
 */
import { createHash } from "node:crypto";
import { formatPath, type Json, type PropertyPath } from "../../engine/index.ts";
import { editsDigest, type ForeignEdit } from "../../provider/messages/foreign-edits.ts";
import { isMap, type JsonMap } from "../../provider/values/json.ts";
import { waitingEdits } from "../../provider/reconcile/foreign.ts";
import { heldBy } from "../../provider/reconcile/keeping.ts";
import { ObjectState } from "../../provider/reconcile/object-state.ts";
import { PlanConflictError } from "../exit/codes.ts";
import type { Planned } from "../report/build.ts";
import { operationOf } from "../report/steps.ts";
import type { Told } from "../report/told.ts";
import { AGAIN, listed } from "./edited-since.ts";
import { goingOf, type Going } from "../checks/going.ts";
import { AccountReader } from "../run/account-reader.ts";
import type { Conflict } from "./agreement.ts";
import type { StackSession } from "../run/session.ts";

/** By URN, of what goes: digests of what it holds. */
export type Holdings = Record<string, Record<string, string>>;

interface Held {
  readonly values: readonly { readonly path: PropertyPath; readonly now: Json }[];
  readonly edits: readonly ForeignEdit[];
  /** What its record shows of when it was edited and published. */
  readonly record: JsonMap;
}

/** For the plan: what it deletes has to be there for the reviewer to see. */
export async function holdings(session: StackSession, told: Planned["told"]): Promise<Holdings> {
  const held = await heldByGoing(session, told);
  return Object.fromEntries(held.map(({ about, ...rest }) => [about.urn, digestsOf(rest)]));
}

/** Refuses where something was written to what goes since the plan was reviewed, whoever published it. */
export async function refuseOtherHoldings(
  { holds }: { holds?: Holdings | undefined },
  session: StackSession,
  told: Planned["told"],
): Promise<void> {
  // A plan of an earlier version says nothing of it.
  if (holds === undefined) return;
  const held = await heldByGoing(session, told);
  const found = held.flatMap(({ about, ...rest }) => conflictsOf(about, rest, holds[about.urn] ?? {}));
  if (found.length === 0) return;
  throw new PlanConflictError(
    `what the plan deletes was edited since it was reviewed:\n${listed(found)}\n${AGAIN}.`,
    session.redactor.value(found),
  );
}

function conflictsOf(about: Going["about"], held: Held, reviewed: Readonly<Record<string, string>>): Conflict[] {
  const { urn, type, name } = about;
  const conflict = { urn, type, name, code: "edited since the review" } as const;
  const today = digestsOf(held);
  const isOther = (key: string): boolean => reviewed[key] !== today[key];
  const values = held.values.filter(({ path }) => isOther(formatPath(path)));
  const named: Conflict[] = values.map(({ path, now }) => ({ ...conflict, path, now }));
  if (held.edits.length > 0 && isOther(EDITS)) named.push({ ...conflict, edits: held.edits });
  const isEdited = named.length === 0 && Object.keys({ ...reviewed, ...today }).some(isOther);
  return isEdited ? [conflict] : named;
}

const EDITS = "(edits)";
const RECORD = "(record)";

function digestsOf({ values, edits, record }: Held): Record<string, string> {
  return {
    ...Object.fromEntries(values.map(({ path, now }) => [formatPath(path), digestOf(now)])),
    [EDITS]: editsDigest(edits),
    [RECORD]: digestOf(record),
  };
}

/** 24 bits: a short text could be guessed from a longer one. */
function digestOf(value: Json): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("base64url").slice(0, 4);
}

async function heldByGoing(
  session: StackSession,
  told: Planned["told"],
): Promise<({ about: Going["about"] } & Held)[]> {
  const isGoing = ({ steps }: Told): boolean => ["delete", "replace"].includes(operationOf(steps) ?? "");
  const planned = [...told.values()].filter(isGoing);
  if (planned.length === 0) return [];
  const reader = await AccountReader.open(session, { full: true, told });
  try {
    const going = planned.flatMap((one) => goingOf(one, reader) ?? []);
    return (await Promise.all(going.map(heldNow))).flat();
  } finally {
    await reader.close();
  }
}

async function heldNow({ about, definition, run, id, state }: Going): Promise<({ about: Going["about"] } & Held)[]> {
  const object = ObjectState.fromState(definition, id, state);
  await run.accountId(object.account);
  const answer = await definition.read(run, id, ObjectState.fromState(definition, id, state));
  // Somebody has deleted it.
  if (!answer) return [];
  const { then } = await heldBy(definition, run, id, object, undefined);
  const values = Object.entries(then).flatMap(([field, value]) =>
    isMap(value)
      ? Object.entries(value).map(([key, now]) => ({ path: [field, key], now }))
      : [{ path: [field], now: value }],
  );
  const shown = (definition.movedByRelease ?? []).map((output): [string, Json] => [output, answer[output] ?? null]);
  const waiting = await waitingEdits(definition, run, id, state);
  // A field has its value above.
  const edits = waiting.filter(({ kind }) => kind !== "field");
  return [{ about, values, edits, record: Object.fromEntries(shown) }];
}
