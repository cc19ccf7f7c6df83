/** What the run made, and what stays has for its parent, such as a component that something was moved into: it stays, too. Pure. */
import { nameOf, type ResourceState } from "../../engine/index.ts";
import { shortName } from "../report/steps.ts";
import type { Lost, SettledStep } from "./undo-plan.ts";

export function withoutHolders(
  steps: readonly SettledStep[],
  now: readonly ResourceState[],
): { readonly steps: readonly SettledStep[]; readonly staying: readonly Lost[] } {
  const targets = new Map(steps.map(({ now: state, target }) => [state?.urn, target]));
  const going = new Set(steps.flatMap(({ now: state, target }) => (target || !state ? [] : [state.urn])));
  const live = now.filter((state) => state.delete !== true);
  const held = new Map<string, string[]>();
  const stay = (state: ResourceState): void => {
    const { parent } = targets.get(state.urn) ?? state;
    const holder = live.find(({ urn }) => urn === parent);
    if (holder === undefined || !(going.has(holder.urn) || held.has(holder.urn))) return;
    held.set(holder.urn, [...(held.get(holder.urn) ?? []), calledIn(state)]);
    if (going.delete(holder.urn)) stay(holder);
  };
  for (const state of live.filter(({ urn }) => !going.has(urn))) stay(state);
  const staying = [...held].map(([urn, names]): Lost => {
    const type = shortName(live.find((state) => state.urn === urn)?.type ?? "");
    return { type, name: nameOf(urn), text: `it stays, since it holds what stays: ${names.join(", ")}` };
  });
  return { steps: steps.filter(({ now: state }) => state === undefined || !held.has(state.urn)), staying };
}

function calledIn({ type, urn }: ResourceState): string {
  return `${shortName(type)} ${nameOf(urn)}`;
}
