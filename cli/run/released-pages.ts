/** Pages that nothing of a plan writes to, and that their release publishes all the same: it was held back, or has failed. */
import { reveal } from "../../engine/index.ts";
import type { JsonMap } from "../../provider/json.ts";
import { ObjectState } from "../../provider/lifecycle/object-state.ts";
import { definitionOf } from "../../provider/registry.ts";
import { DRAFT } from "../../provider/resources/pages/release-draft-name.ts";
import { draftIn } from "../../provider/resources/pages/release-draft.ts";
import { isDue, memberIds } from "../../provider/resources/release/members.ts";
import { operationOf } from "../report/steps.ts";
import type { Told } from "../report/told.ts";

/** `stateOf`: outputs by URN, as the state has them. */
export function releasedPages(
  told: ReadonlyMap<string, Told>,
  stateOf: (urn: string) => JsonMap | undefined,
): readonly Told[] {
  const all = [...told.values()];
  const standing = all.filter(({ id, steps }) => id !== "" && operationOf(steps) === undefined);
  return all.flatMap((release) => {
    const due = duePages(release, stateOf);
    // Of thousands of resources nearly all are no release, and none has to look at all the others.
    return due === undefined ? [] : standing.filter(({ urn, id }) => due(id, stateOf(urn)?.[DRAFT]));
  });
}

function duePages({ urn, id, steps }: Told, stateOf: (urn: string) => JsonMap | undefined) {
  const step = [...steps.values()].find((one) => one.new !== undefined);
  const definition = step && definitionOf(step.type);
  const state = stateOf(step?.old?.urn ?? urn);
  if (definition?.gathers === undefined || state === undefined || operationOf(steps) === undefined) return undefined;
  const { notes } = ObjectState.fromState(definition, id, state);
  const members = new Set(memberIds(reveal(step?.new?.inputs ?? {}) as JsonMap, definition.gathers));
  return (page: string, told: unknown): boolean => {
    const draft = members.has(page) ? draftIn(told) : undefined;
    return draft !== undefined && isDue(notes, page, draft);
  };
}
