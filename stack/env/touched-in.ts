/** Finds what a preview copies by the plan that its base would get from the same code. It only reads. */
import { exitCodes, RefusedError } from "../exit/codes.ts";
import { wantedOf } from "../report/steps.ts";
import { type Ran, StackSession } from "../run/session.ts";
import type { ReadStack } from "./base.ts";
import { type Touched, touchedBy } from "./touched.ts";
import type { UpOptions } from "./types.ts";

interface Found extends Partial<Touched> {
  /** Nobody can tell what to copy. The plan of the preview itself may say more, so this is for the moment after it. */
  readonly failed?: RefusedError;
}

export async function touchedIn(options: UpOptions, base: ReadStack): Promise<Found> {
  const result: { ran?: Ran } = {};
  await StackSession.with({ ...options, stack: base.name, target: [] }, async (session) => {
    result.ran = await session.run("preview", { kind: "preview", wantsPlan: true }, { quiet: true });
    return exitCodes.done;
  });
  const { report, preview } = result.ran ?? {};
  if (report === undefined || preview === undefined || report.result !== "succeeded")
    return { failed: cannotTell(base, report?.failures[0]?.message ?? "it was interrupted") };
  const references = [...preview.told].flatMap(([urn, told]) => {
    const { propertyDependencies = {} } = wantedOf(told) ?? {};
    // An engine may not tell them for resources that stay the same.
    return Object.keys(propertyDependencies).length === 0 ? [] : [[urn, propertyDependencies] as const];
  });
  const plan = { changes: report.changes, references: new Map(references) };
  return touchedBy(plan, base.resources, { hooks: options.hooks === true });
}

function cannotTell({ name }: ReadStack, why: string): RefusedError {
  return new RefusedError(
    `Landform can't tell which pages the change touches: the plan of ${name} failed (${why}). Nothing was sent. ` +
      "Mend that, or preview the whole campaign: env up without --changed, or ci preview with --all",
  );
}
