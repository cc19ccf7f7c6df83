/** Lint of what a plan is for: of a manifest, or of what a program registers. */
import type { Diagnostic } from "../../manifest/index.ts";
import type { ProjectFolder } from "../project/open.ts";
import type { Planned } from "../report/build.ts";
import { changedPlaces } from "../report/written-in.ts";
import type { FailOn } from "./fail-on.ts";
import { findingsIn, UNASKED } from "./find.ts";
import { manifestBeside } from "./beside.ts";
import { registered } from "./registered.ts";

export function findingsOf(
  folder: ProjectFolder,
  { told, changes }: Pick<Planned, "told" | "changes">,
  failOn?: FailOn,
): Diagnostic<string>[] {
  const beside = folder.manifest ?? manifestBeside(folder.root);
  const isAsked = failOn !== undefined || (beside?.lint.size ?? 0) > 0;
  if (beside !== undefined && beside.entries.length > 0)
    return findingsIn(beside, failOn ?? [], {
      changed: changedPlaces(changes, beside),
      ...(!isAsked && { only: UNASKED }),
    });
  // A program has no translations to tell of unasked.
  return isAsked
    ? findingsIn(registered(folder, told, beside?.lint ?? new Map()), failOn ?? [], { in: folder.root })
    : [];
}
