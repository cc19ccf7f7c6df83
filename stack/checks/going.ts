/** What a plan deletes that others work on, too, and which edits of theirs wait in the drafts of it. Reads alone. */
import type { AnyDefinition } from "../../provider/definition/define.ts";
import type { JsonMap } from "../../provider/values/json.ts";
import { waitingEdits } from "../../provider/reconcile/update.ts";
import type { RunContext } from "../../provider/reconcile/run-context.ts";
import { definitionOf } from "../../provider/kinds/registry.ts";
import type { DraftOfOthers } from "../report/going-live.ts";
import { type About, aboutOf, decisive, operationOf } from "../report/steps.ts";
import type { Told } from "../report/told.ts";
import type { AccountReader } from "../run/account-reader.ts";

export interface Deletion {
  readonly about: About;
  readonly definition: AnyDefinition;
  readonly run: RunContext;
  readonly id: string;
  readonly state: JsonMap;
}

/** Undefined where it doesn't go, or where nobody else would work on it. */
export function goingOf({ urn, steps, outputs, id }: Told, reader: AccountReader): Deletion | undefined {
  const op = operationOf(steps);
  const step = op === "delete" || op === "replace" ? decisive(steps, op) : undefined;
  const definition = step && definitionOf(step.type);
  const recorded = step?.old?.urn ?? urn;
  const state = reader.stateOf(recorded);
  if (step === undefined || definition?.plan.foreignEdits === undefined || state === undefined) return undefined;
  if (step.old?.retainOnDelete === true) return undefined;
  const about = aboutOf({ urn, outputs }, step.type);
  return { about, definition, run: reader.of(step.provider, recorded), id, state };
}

/** Where that can't be asked: why. */
export async function draftGoing(told: Told, reader: AccountReader): Promise<DraftOfOthers | string | undefined> {
  const going = goingOf(told, reader);
  if (going === undefined) return undefined;
  try {
    const edits = await waitingEdits(going.definition, going.run, going.id, going.state);
    return edits.length === 0 ? undefined : { ...going.about, edits };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `${going.about.name}: whether edits of others in its draft go with it could not be asked (${reason})`;
  }
}
