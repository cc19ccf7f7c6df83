/**
 * What objects hold that are still there and that an undo makes another in place of: nothing was kept of them, since no run
 * has come to delete them. Reads alone.
 */
import type { ResourceState } from "../../engine/index.ts";
import type { Kept } from "../../provider/history/kept.ts";
import { heldBy } from "../../provider/reconcile/keeping.ts";
import { ObjectState } from "../../provider/reconcile/object-state.ts";
import { definitionOf, keyOfKind, keyOfType } from "../../provider/kinds/registry.ts";
import { objectsHeld } from "../engines/recorded.ts";
import { ownOf } from "../history/changes.ts";
import type { RunValues } from "../history/run-file.ts";
import { AccountReader } from "../run/account-reader.ts";
import type { StackSession } from "../run/session.ts";
import { KeptValues, type About } from "./kept-values.ts";
import { plain } from "./leaves.ts";
import type { Follower, Lost } from "./undo-plan.ts";

/** Of a run that was killed: what it had made another of, and had not come to delete. */
export async function withUndeleted(
  session: StackSession,
  values: RunValues,
  now: readonly ResourceState[],
): Promise<RunValues> {
  if (values.after !== undefined) return values;
  const before = objectsHeld(values.before);
  const kept = new Set(values.kept.flatMap(({ kind, id, step }) => (step === "delete" ? [keyOfKind(kind, id)] : [])));
  const left = now.filter(({ type, id = "", delete: condemned }) => {
    const key = keyOfType(type, id);
    return condemned === true && id !== "" && before.has(key) && !kept.has(key);
  });
  const held = await stillHeld(session, left);
  return { ...values, kept: [...values.kept, ...held] };
}

/** What is made anew only because of what it refers to comes back as it is. */
export async function withHeld(
  session: StackSession,
  followers: readonly Follower[],
): Promise<{ followers: readonly Follower[]; lost: readonly Lost[] }> {
  const anew = followers.flatMap(({ isAnew, like }) => (isAnew === true && like ? [like] : []));
  const kept = new KeptValues(await stillHeld(session, anew));
  const about = ({ urn, type, name, definition }: Follower): About => ({ urn, type, name, definition });
  const whole = followers.map((one) => (one.isAnew && one.like ? { ...one, ...kept.anew(about(one), one.like) } : one));
  return { followers: whole, lost: kept.lost };
}

async function stillHeld(session: StackSession, states: readonly ResourceState[]): Promise<Kept[]> {
  const ours = states.filter(({ type }) => definitionOf(type) !== undefined);
  if (ours.length === 0) return [];
  const reader = await AccountReader.open(session, { full: true });
  try {
    return (await Promise.all(ours.map((state) => heldNow(reader, state)))).flat();
  } finally {
    await reader.close();
  }
}

async function heldNow(reader: AccountReader, state: ResourceState): Promise<Kept[]> {
  const definition = definitionOf(state.type);
  const { id = "" } = state;
  if (!definition) return [];
  const run = reader.of(state.provider, state.urn);
  const object = ObjectState.fromState(definition, id, plain(state.outputs));
  await run.accountId(object.account);
  if (!(await definition.read(run, id, object))) return [];
  const held = await heldBy(definition, run, id, object, undefined);
  return [{ own: ownOf(state) ?? "", kind: definition.kind, id, step: "delete", ...held }];
}
