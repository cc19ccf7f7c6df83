/**
 * Pages that a run published with what an earlier run had written and could not publish: it had to hold them back, or failed. What
 * they held before is kept with that earlier run, whose undo takes both back. Pure.
 */
import { nameOf, type ResourceState } from "../../engine/index.ts";
import { same } from "../../provider/values/json.ts";
import { ObjectState } from "../../provider/reconcile/object-state.ts";
import { definitionOf } from "../../provider/kinds/registry.ts";
import { DRAFT, DRAFTS, isDue, memberIds } from "../../provider/kinds/page/released.ts";
import { draftIn } from "../../provider/kinds/page/release-draft.ts";
import { pairsOf, type Pair } from "../history/changes.ts";
import type { RunRecord, RunValues } from "../history/run-file.ts";
import { shortName } from "../report/steps.ts";
import { plain } from "./leaves.ts";
import type { Lost } from "./undo-plan.ts";

interface PublishedFor {
  readonly type: string;
  readonly name: string;
  /** The run that wrote it; undefined where the history has none. */
  readonly writtenBy: string | undefined;
}

/** `earlier`: the last one first. */
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
  // A state has them in the order in which they happened to be made.
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

export function onlyPublished({ start }: RunRecord, pages: readonly PublishedFor[]): string {
  const names = pages.map(({ type, name }) => `${type} ${name}`).join(", ");
  const writers = [...new Set(pages.flatMap(({ writtenBy }) => writtenBy ?? []))];
  const [writer] = writers;
  const what = `run ${start.id} changed nothing but what is public of ${names}, which an earlier run had written`;
  if (writer === undefined) return `${what}, and the history has no such run. Change the source, and run up`;
  return `${what}. To take that back: ${writers.map((id) => `npx landform undo ${id}`).join(", then ")}`;
}

export function staysPublic({ type, name, writtenBy }: PublishedFor): Lost {
  const text = "an earlier run had written it, and this one published it, too; it stays public";
  return { type, name, text: writtenBy === undefined ? text : `${text} until npx landform undo ${writtenBy}` };
}

/** The page told its release something new. */
function writtenIn({ before, after }: Pair): string[] {
  const [then, left] = [before, after].map((state) => plain(state?.outputs)[DRAFT]);
  return same(then ?? null, left ?? null) ? [] : [after?.id ?? before?.id ?? ""];
}

/** Ids of pages that waited before the run, and don't any more. */
function publishedBy({ before, after }: Pair): string[] {
  const definition = before && definitionOf(before.type);
  if (!definition || !after || before.id !== after.id) return [];
  const [then, left] = [before, after].map((state) =>
    ObjectState.fromState(definition, state.id ?? "", plain(state.outputs)),
  );
  if (!then || !left) return [];
  if (definition.gathers === undefined)
    return then.redo.has("publish") && !left.redo.has("publish") ? [before.id ?? ""] : [];
  // Of a run that failed, the state has what was declared before it.
  const inputs = plain(after.inputs);
  const drafts = inputs[DRAFTS];
  return memberIds(inputs, definition.gathers).filter((id, index) => {
    const draft = draftIn(Array.isArray(drafts) ? drafts[index] : undefined);
    return draft !== undefined && isDue(then.notes, id, draft) && !isDue(left.notes, id, draft);
  });
}
