/** The drafts that others are at work on: news of a drift, and no drift. Reads alone. */
import { waitingEdits } from "../../provider/reconcile/update.ts";
import { definitionOf } from "../../provider/kinds/registry.ts";
import { nameOf, type StepEventMetadata } from "../../engine/index.ts";
import type { DraftOfOthers } from "../report/going-live.ts";
import type { Report } from "../report/model.ts";
import { aboutOf, urlOf } from "../report/steps.ts";
import type { Told } from "../report/told.ts";
import { AccountReader } from "./account-reader.ts";
import type { Ran, StackSession } from "./session.ts";

/**
 * A drift with the drafts that others are at work on. Only where a refresh saw that the page was edited since it was
 * published is it looked for which edits those are; `full` asks everywhere.
 */
export async function withDrafts(
  session: StackSession,
  { report, preview }: Ran,
  { full }: { full?: true },
): Promise<Report> {
  const published = [...preview.told.values()].filter(({ outputs }) => urlOf(outputs) !== undefined);
  const edited = published.filter(({ outputs }) => full === true || outputs["hasUnpublishedChanges"] === true);
  if (report.result !== "succeeded" || edited.length === 0) return report;
  const reader = await AccountReader.open(session, { told: preview.told });
  try {
    const looks = await Promise.all(edited.map((told) => draftOf(reader, told, report)));
    const drafts = looks.flatMap((found) => (typeof found === "object" ? [session.redactor.value(found)] : []));
    const unasked = looks.filter((found) => typeof found === "string");
    return { ...report, drafts, warnings: [...report.warnings, ...unasked, ...reader.warnings] };
  } finally {
    await reader.close();
  }
}

async function draftOf(
  reader: AccountReader,
  { urn, steps, outputs, id }: Told,
  { drift = [] }: Report,
): Promise<DraftOfOthers | string | undefined> {
  const [step] = steps.values();
  const definition = step && definitionOf(step.type);
  const state = step && reader.stateOf(recordedAs(step));
  if (step === undefined || definition?.plan.foreignEdits === undefined || state === undefined) return undefined;
  try {
    const drifted = new Set(
      drift.filter((one) => one.urn === urn).flatMap(({ fields }) => fields.map(({ path }) => path.at(-1))),
    );
    const waiting = await waitingEdits(definition, reader.of(step.provider, recordedAs(step)), id, state);
    const edits = waiting.filter((edit) => edit.kind !== "field" || !drifted.has(edit.key));
    return edits.length === 0 ? undefined : { ...aboutOf({ urn, outputs }, step.type), edits };
  } catch (error) {
    return unasked(urn, error instanceof Error ? error.message : String(error));
  }
}

/** A resource that an alias found has another URN in the state. */
function recordedAs({ urn, old }: StepEventMetadata): string {
  return old?.urn ?? urn;
}

function unasked(urn: string, reason: string): string {
  return `${nameOf(urn)}: whether edits of others would go live with it could not be asked (${reason}); up looks before it publishes`;
}
