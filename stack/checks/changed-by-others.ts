/**
 * Finds values that the plan changes and that somebody has changed as well since the last run. An engine compares the code with the state
 * alone, so without this look they would be written over unseen. Drafts of pages are looked at with all that goes live with them.
 */
import { decisive, operationOf, recordedAs, shortName, type Told } from "../report/steps.ts";
import { isHidden } from "../report/values.ts";
import { valueText } from "../report/short-values.ts";
import { changedMeanwhile } from "../../provider/reconcile/read.ts";
import { definitionOf } from "../../provider/kinds/registry.ts";
import { same } from "../../provider/values/json.ts";
import { reasonOf } from "../../provider/values/wording.ts";
import { nameOf } from "../../engine/index.ts";
import type { AccountReader } from "../run/account-reader.ts";
import { type Check, warns } from "./check.ts";

export const changedByOthers: Check = {
  name: "changed by others",
  not: {
    adopt: "it only looks, and changes nothing",
    destroy: "it deletes all of it, and that was asked for",
    "env down": "it deletes all of it, and that was asked for",
    undo: "an undo compares each value with the account, and stops where somebody has changed it",
    "undo --preview": "an undo compares each value with the account, and stops where somebody has changed it",
    "undo --plan": "an undo compares each value with the account, and stops where somebody has changed it",
  },
  run: async ({ ran: { preview }, reader, session }, report) => {
    const updated = report.changes
      .filter(({ op }) => op === "update")
      .flatMap(({ urn }) => preview.told.get(urn) ?? []);
    if (report.result !== "succeeded" || updated.length === 0) return {};
    const account = await reader();
    const found = await Promise.all(updated.map((told) => changesIn(told, account)));
    return { findings: warns(found.flat().map(session.redactor.text)) };
  },
};

/** Returns a sentence for each value that is written over, and one if the account could not be asked. */
async function changesIn({ urn, id, steps }: Told, account: AccountReader): Promise<string[]> {
  const op = operationOf(steps);
  const step = op && decisive(steps, op);
  const definition = step && definitionOf(step.type);
  if (step?.new === undefined || definition === undefined || definition.plan.foreignEdits !== undefined) return [];
  const state = account.stateOf(recordedAs(step));
  const { new: next, old } = step;
  const changed = Object.keys(next.inputs).filter((field) => !same(old?.inputs[field], next.inputs[field]));
  if (state === undefined || changed.length === 0) return [];
  const title = `${shortName(step.type)} ${nameOf(urn)}`;
  try {
    const live = await changedMeanwhile(definition, account.of(step.provider, recordedAs(step)), id, state);
    return changed.flatMap((field) => {
      const [now, code] = [live.get(field), next.inputs[field]];
      if (now === undefined || same(now, code)) return [];
      if ([old?.inputs[field], code].some(isHidden))
        return [`${title}: ${field} is not as the last run left it, and this plan writes over it`];
      return [
        `${title}: ${field} is ${valueText(now)} by now, not as the last run left it, and this plan writes ${valueText(code)} over it`,
      ];
    });
  } catch (error) {
    return [`${title}: Landform could not ask if somebody has changed it since the last run: ${reasonOf(error)}`];
  }
}
