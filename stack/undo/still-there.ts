/**
 * Finds resources of a run that the state has lost although no run of the history took them back, for example because an older state was
 * imported.
 */
import { nameOf, type ResourceState } from "../../engine/index.ts";
import { same } from "../../provider/values/json.ts";
import { definitionOf, keyOfType } from "../../provider/kinds/registry.ts";
import { pairsOf, type Pair, resourceKeyOf } from "../history/changes.ts";
import type { RunValues, RunRecord } from "../history/run-file.ts";
import { shortName, draftOf, plain } from "../report/steps.ts";
import type { Advised } from "../advice/next-command.ts";
import { RefusedError, UsageError } from "../exit/codes.ts";
import type { AccountReader } from "../run/account-reader.ts";
import type { StackSession } from "../run/session.ts";
import { sameInputs } from "./leaves.ts";
import type { Follower, Lost } from "./undo-plan.ts";
import type { Kept } from "../../provider/history/kept.ts";
import { KeptValues } from "./kept-values.ts";
import { presentOf, recordedAs } from "./look.ts";
import { heldBy } from "../../provider/reconcile/apply.ts";

type Left = Pick<Lost, "type" | "name">;

/**
 * Returns resources that the state has as they were before the run, although no run of the history took them back. `known`: tells if the
 * plan names the resource, or if a later run reached it.
 */
export function forgottenIn(
  { before, after }: RunValues,
  now: readonly ResourceState[],
  known: (urn: string) => boolean,
): Left[] {
  // A killed run doesn't record its result.
  if (after === undefined) return [];
  const isForgotten = (pair: Pair): boolean => isOurs(pair) && !urnsOf(pair).some(known) && isAsBefore(pair, now);
  return pairsOf(before, after).filter(isForgotten).flatMap(aboutOf);
}

function isOurs({ before, after }: Pair): boolean {
  const state = after ?? before;
  return state?.custom === true && definitionOf(state.type) !== undefined;
}

function isAsBefore({ before, after }: Pair, now: readonly ResourceState[]): boolean {
  const present = ({ type, id = "" }: ResourceState): ResourceState | undefined =>
    now.find((one) => keyOfType(one.type, one.id ?? "") === keyOfType(type, id) && one.delete !== true);
  if (after === undefined) return before !== undefined && present(before) !== undefined;
  const left = present(after);
  if (before === undefined || before.id !== after.id || left === undefined) return left === undefined;
  return sameInputs(before, left) && !sameInputs(before, after);
}

function urnsOf({ before, after }: Pair): string[] {
  return [before, after].flatMap((state) => state?.urn ?? []);
}

function aboutOf({ before, after }: Pair): Left[] {
  const state = before ?? after;
  return state === undefined ? [] : [{ type: shortName(state.type), name: nameOf(state.urn) }];
}

export function staysForgotten({ type, name }: Left): Lost {
  return { type, name, text: "the state has nothing of this run's change any more: it stays as it is" };
}

export function forgotten(id: string, there: readonly Left[]): RefusedError {
  const names = there.map(({ type, name }) => `${type} ${name}`).join(", ");
  return new RefusedError(
    `the state has nothing of run ${id} any more, and no run of this history took it back (${names}): an older state was ` +
      `imported, or something else changed it. Nothing was sent.`,
    {
      advice: [
        { command: "refresh", arguments: [], reason: "looks at what the state knows; undo takes that back then." },
        { command: "adopt", arguments: [], reason: "finds by its name what the state doesn't know." },
      ],
    },
  );
}

/** Adds the present values of followers that are made anew only because of a reference, so that they come back unchanged. */
export async function withHeld(
  session: StackSession,
  followers: readonly Follower[],
): Promise<{ followers: readonly Follower[]; lost: readonly Lost[] }> {
  const anew = followers.flatMap(({ isAnew, like }) => (isAnew === true && like ? [like] : []));
  if (anew.length === 0) return { followers, lost: [] };
  const reader = await session.account({ full: true });
  const kept = new KeptValues((await Promise.all(anew.map((state) => heldNow(reader, state)))).flat());
  const whole = followers.map((one) => (one.isAnew && one.like ? { ...one, ...kept.anew(one, one.like) } : one));
  return { followers: whole, lost: kept.lost };
}

async function heldNow(reader: AccountReader, state: ResourceState): Promise<Kept[]> {
  const definition = definitionOf(state.type);
  if (!definition) return [];
  const run = reader.of(state.provider, state.urn);
  if (!(await presentOf(run, definition, state))) return [];
  const held = await heldBy({ definition, run, object: recordedAs(definition, state) });
  const about = { resourceKey: resourceKeyOf(state) ?? "", kind: definition.kind, id: state.id ?? "" };
  return [{ ...about, step: "delete", ...held }];
}

interface PublishedFor {
  readonly type: string;
  readonly name: string;
  /** The run that wrote it; undefined if the history has none. */
  readonly writtenBy: string | undefined;
}

/** `earlier`: the last run first. */
export function publishedFor(
  { before, after = [] }: RunValues,
  earlier: readonly RunRecord[],
  now: readonly ResourceState[],
): PublishedFor[] {
  const pairs = pairsOf(before, after);
  const written = new Set(pairs.flatMap(writtenIn));
  const ids = new Set(pairs.flatMap(publishedBy).filter((id) => !written.has(id)));
  const pages = now.filter(
    ({ type, id, delete: condemned }) =>
      definitionOf(type)?.public === "address" && id !== undefined && ids.has(id) && condemned !== true,
  );
  const found = pages.map(({ urn, type }) => ({
    type: shortName(type),
    name: nameOf(urn),
    writtenBy: earlier.find(({ start }) => start.urns?.includes(urn) ?? true)?.start.id,
  }));
  // A state lists resources in the order of their creation.
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

export function onlyPublished({ start }: RunRecord, pages: readonly PublishedFor[]): UsageError {
  const names = pages.map(({ type, name }) => `${type} ${name}`).join(", ");
  const writers = [...new Set(pages.flatMap(({ writtenBy }) => writtenBy ?? []))];
  const [writer] = writers;
  const what = `run ${start.id} only published ${names}, which an earlier run had written`;
  if (writer === undefined)
    return new UsageError(`${what}, and the history has no such run. Change the source, and run up`);
  const advice = writers.map((id) => ({ command: "undo", arguments: [id], reason: "takes that back." }));
  return new UsageError(`${what}.`, { advice });
}

export function staysPublic({ type, name, writtenBy }: PublishedFor, advised: Advised): Lost {
  const text = "an earlier run had written it, and this one published it, too; it stays public";
  return { type, name, text: writtenBy === undefined ? text : `${text} until ${advised("undo", writtenBy)}` };
}

/** Returns the page's id if the page told its release something new. */
function writtenIn({ before, after }: Pair): string[] {
  const [then, left] = [before, after].map((state) => state && draftOf(state));
  return same(then ?? null, left ?? null) ? [] : [after?.id ?? before?.id ?? ""];
}

/** Returns the ids of pages that waited before the run and no longer wait. */
function publishedBy({ before, after }: Pair): string[] {
  const definition = before && definitionOf(before.type);
  if (!definition || !after || before.id !== after.id) return [];
  const [then, left] = [recordedAs(definition, before), recordedAs(definition, after)];
  const { gathers } = definition;
  if (gathers === undefined)
    return then.unfinished.has("publish") && !left.unfinished.has("publish") ? [before.id ?? ""] : [];
  // After a failed run, the state has the earlier declaration.
  const inputs = plain(after.inputs);
  const drafts = inputs[gathers.drafts];
  return gathers.memberIds(inputs).filter((id, index) => {
    const draft = Array.isArray(drafts) ? drafts[index] : undefined;
    return gathers.isDue(then.notes, id, draft) && !gathers.isDue(left.notes, id, draft);
  });
}
