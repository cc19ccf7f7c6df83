/** Finds values that an undo has to read first: those of followers that are made anew, and pages that the run only published. It only reads. */
import { nameOf, type ResourceState } from "../../engine/index.ts";
import { same } from "../../provider/values/json.ts";
import { definitionOf } from "../../provider/kinds/registry.ts";
import { pairsOf, type Pair, resourceKeyOf } from "../history/changes.ts";
import type { RunValues, RunRecord } from "../history/run-file.ts";
import { shortName } from "../report/steps.ts";
import type { Advised } from "../advice/next-command.ts";
import { UsageError } from "../exit/codes.ts";
import type { AccountReader } from "../run/account-reader.ts";
import type { StackSession } from "../run/session.ts";
import { draftOf, plain } from "./leaves.ts";
import type { Follower, Lost } from "./undo-plan.ts";
import type { Kept } from "../../provider/history/kept.ts";
import { KeptValues } from "./kept-values.ts";
import { presentOf, recordedAs } from "./look.ts";
import { heldBy } from "../../provider/reconcile/apply.ts";

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
  const held = await heldBy(definition, run, recordedAs(definition, state));
  return [
    { resourceKey: resourceKeyOf(state) ?? "", kind: definition.kind, id: state.id ?? "", step: "delete", ...held },
  ];
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
  const what = `run ${start.id} changed nothing but what is public of ${names}, which an earlier run had written`;
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
