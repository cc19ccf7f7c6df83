/** What the questions of a plan begin from. */
import type { PropertyMap } from "../../engine/index.ts";
import type { PlannedChange } from "../../provider/definition/foresight.ts";
import type { Change, Failure } from "../report/model.ts";
import { decisive } from "../report/steps.ts";
import type { Told } from "../report/told.ts";

export interface PlannedChanges {
  changes: readonly Change[];
  /** By URN, all that was told of each resource. */
  told: ReadonlyMap<string, Told>;
  /** Whether a run began to create it that was interrupted. */
  isBegun: (urn: string) => Promise<boolean>;
}

/** What the run and its stack say about edits of others. */
export type ForeignEditsWords = PlannedChange["foreignEdits"];

export function declaredIn({ op }: Change, told: Told | undefined): PropertyMap {
  return (told && decisive(told.steps, op)?.new?.inputs) ?? {};
}

export function failed({ urn, type, name }: Change, message: string): Failure {
  return { cause: "program", urn, message: `${type} ${name}: ${message}` };
}
