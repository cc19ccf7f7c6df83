/**
 * What a run left and the account still holds, where the state has nothing of it any more and no run of the history took it
 * back: an older state was imported, for one. Reads alone.
 */
import { nameOf, type ResourceState } from "../../engine/index.ts";
import { same } from "../../provider/values/json.ts";
import { ObjectState } from "../../provider/reconcile/object-state.ts";
import { definitionOf, keyOfType } from "../../provider/kinds/registry.ts";
import { pairsOf, type Pair } from "../history/changes.ts";
import type { RunValues } from "../history/run-file.ts";
import { shortName } from "../report/steps.ts";
import { AccountReader } from "../run/account-reader.ts";
import type { StackSession } from "../run/session.ts";
import { changedLeaves, plain, valueOf } from "./leaves.ts";
import type { Lost } from "./undo-plan.ts";

type About = Pick<Lost, "type" | "name">;

/** `known`: whether the plan says something of it, or a later run came to it. */
export async function stillThere(
  session: StackSession,
  { before, after }: RunValues,
  now: readonly ResourceState[],
  known: (urn: string) => boolean,
): Promise<About[]> {
  // Of a killed run, the plan looks.
  if (after === undefined) return [];
  const pairs = pairsOf(before, after).filter((pair) => isOurs(pair) && !urnsOf(pair).some(known));
  if (pairs.length === 0) return [];
  const reader = await AccountReader.open(session, { full: true });
  try {
    const found = await Promise.all(
      pairs.map(async (pair) => ((await isThere(pair, now, reader)) ? aboutOf(pair) : [])),
    );
    return found.flat();
  } finally {
    await reader.close();
  }
}

function isOurs({ before, after }: Pair): boolean {
  const state = after ?? before;
  return state?.custom === true && definitionOf(state.type) !== undefined;
}

async function isThere(
  { before, after }: Pair,
  now: readonly ResourceState[],
  reader: AccountReader,
): Promise<boolean> {
  const isManaged = ({ type, id = "" }: ResourceState): boolean =>
    now.some((state) => keyOfType(state.type, state.id ?? "") === keyOfType(type, id) && state.delete !== true);
  if (after === undefined) return before !== undefined && isManaged(before) && !(await read(before, reader));
  if (before === undefined || before.id !== after.id)
    return !isManaged(after) && (await read(after, reader)) !== undefined;
  const definition = definitionOf(after.type);
  const leaves = definition ? changedLeaves(definition, before.inputs ?? {}, after.inputs ?? {}) : [];
  const live = leaves.length === 0 ? undefined : await read(after, reader);
  const [then, left] = [before, after].map(objectOf);
  return leaves.some((leaf) => {
    const value = live && valueOf(live, leaf);
    const isLeft = value !== undefined && left !== undefined && same(value, valueOf(left, leaf));
    return isLeft && then !== undefined && !same(value, valueOf(then, leaf));
  });
}

/** Undefined where the service says that there is none. */
async function read(state: ResourceState, reader: AccountReader): Promise<ObjectState | undefined> {
  const object = objectOf(state);
  const definition = definitionOf(state.type);
  if (object === undefined || definition === undefined) return undefined;
  const run = reader.of(state.provider, state.urn);
  await run.accountId(object.account);
  const answer = await definition.read(run, state.id ?? "", object);
  if (answer) object.learn(answer);
  return answer && object;
}

function objectOf({ type, id = "", outputs }: ResourceState): ObjectState | undefined {
  const definition = definitionOf(type);
  return definition && ObjectState.fromState(definition, id, plain(outputs));
}

function urnsOf({ before, after }: Pair): string[] {
  return [before, after].flatMap((state) => state?.urn ?? []);
}

function aboutOf({ before, after }: Pair): About[] {
  const state = before ?? after;
  return state === undefined ? [] : [{ type: shortName(state.type), name: nameOf(state.urn) }];
}

/** As something that an undo leaves where it is. */
export function staysUnknown({ type, name }: About): Lost {
  return {
    type,
    name,
    text: "the state has nothing of this run's change any more, and the account does: it stays as it is",
  };
}

export function unknownText(id: string, there: readonly About[]): string {
  const names = there.map(({ type, name }) => `${type} ${name}`).join(", ");
  return (
    `the state has nothing of run ${id} any more, and the account does (${names}): an older state was imported, or something ` +
    `else than a run of this history changed it. Nothing was sent. npx landform refresh looks at what the state knows, and ` +
    `npx landform undo takes that back then; what it doesn't know, npx landform adopt finds by its name.`
  );
}
