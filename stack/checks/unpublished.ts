/**
 * Finds values that are public otherwise than the code says and that a change would publish. An earlier run may have held them back, and
 * the engine sees no change then.
 */
import type { PropertyMap } from "../../engine/index.ts";
import { hiddenField, isHidden, isWithin, valueAt, fieldsBetween } from "../report/values.ts";
import { decisive, operationOf, type Told } from "../report/steps.ts";
import type { Learned } from "../report/decide.ts";
import type { Change, Field } from "../report/model.ts";
import { definitionOf } from "../../provider/kinds/registry.ts";
import { ObjectState, splitInputs } from "../../provider/reconcile/object-state.ts";
import { withIgnored } from "../../provider/reconcile/diff.ts";
import type { AccountReader } from "../run/account-reader.ts";
import type { Check } from "./check.ts";

export const unpublished: Check = {
  name: "unpublished",
  not: {
    adopt: "it only looks, and changes nothing",
    destroy: "it updates no page, and publishes none",
    "env down": "it updates no page, and publishes none",
  },
  run: async ({ ran: { preview }, reader, session }, report) => {
    const updated = report.changes.filter(({ op }) => op === "update");
    if (report.result !== "succeeded" || updated.length === 0) return {};
    const states = await reader();
    const rows = updated.flatMap((change) => {
      const told = preview.told.get(change.urn);
      const found = told === undefined ? [] : session.redactor.value(publishedIn(told, states));
      return found.length === 0 ? [] : [[change.urn, withPublished(change, found)] as const];
    });
    return { rows: new Map(rows) };
  },
};

function publishedIn({ steps, id }: Told, states: AccountReader): Field[] {
  const op = operationOf(steps);
  const step = op && decisive(steps, op);
  const definition = step && definitionOf(step.type);
  const state = step?.old && states.stateOf(step.old.urn);
  if (step?.new === undefined || definition?.plan.unpublished === undefined || state === undefined) return [];
  const object = ObjectState.fromState(definition, id, state);
  const { inputs, ignored } = splitInputs(step.new.inputs);
  object.ignored = ignored;
  const before = steps.get("refresh")?.old?.outputs;
  const found = before && { before, after: step.old?.outputs ?? {} };
  const { then, now } = definition.plan.unpublished(object, withIgnored(inputs, object.declared, ignored), found);
  const sides = [step.old?.inputs ?? {}, step.new.inputs];
  return fieldsBetween(then, now).map((field) => (isSecretIn(sides, field.path) ? hiddenField(field.path) : field));
}

/** The state keeps public values without the marks of secrets. Only the inputs have the marks. */
function isSecretIn(sides: readonly PropertyMap[], path: Field["path"]): boolean {
  return sides.some((side) => isHidden(valueAt(side, path)));
}

function withPublished(change: Change, found: readonly Field[]): Learned {
  const isFound = ({ path }: Field): boolean =>
    found.some((one) => isWithin(path, one.path) || isWithin(one.path, path));
  const others = change.fields.filter((field) => !isFound(field));
  const isCarriedOn = change.reason?.code === "carries on" && change.reason.after === undefined;
  return {
    fields: [...others, ...found],
    ...(isCarriedOn && { reason: { code: "publishes edits", paths: found.map(({ path }) => path) } as const }),
  };
}
