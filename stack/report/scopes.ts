/** What the key must be allowed to do for a plan: the definition of a kind names the calls, and each call its scopes. */
import { operations } from "../../provider/api/index.ts";
import { definitionOf } from "../../provider/kinds/registry.ts";
import type { Change, ChangeOp } from "./model.ts";

/** Sorted; where any one of several scopes will do and none is needed anyway, they are joined by ` or `. */
export function scopesFor(changes: readonly Change[]): string[] {
  const wanted = changes.flatMap(alternativesFor);
  const certain = new Set(wanted.flatMap((scopes) => (scopes.length === 1 ? scopes : [])));
  const open = wanted.filter((scopes) => scopes.length > 1 && !scopes.some((scope) => certain.has(scope)));
  return [...new Set([...certain, ...open.map((scopes) => scopes.join(" or "))])].sort();
}

function alternativesFor(change: Change): (readonly string[])[] {
  const definition = definitionOf(change.type);
  if (!definition) return [];
  const told = definition.plan.scopes?.(
    (field) => change.fields.find(({ path }) => path.length === 1 && path[0] === field)?.new,
  );
  if (told) return [told];
  const { calls } = definition;
  const steps: Exclude<ChangeOp, "replace">[] = change.op === "replace" ? ["create", "delete"] : [change.op];
  const names = steps.flatMap((step) => calls[step]);
  const publishes = change.fields.some(({ path }) => path[0] === "publish") || change.url !== undefined;
  const all = publishes && change.op !== "delete" ? [...names, ...(calls.publish ?? [])] : names;
  return all.map((name) => operations[name].scopes);
}
