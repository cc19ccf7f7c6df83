/** Requests of forks: anybody can make one, and a key opens the whole account. Their code is run by no command of `ci`. */
import { checkReportFiles, writeReports } from "../story/reports.ts";
import { RefusedError } from "../stack/exit/codes.ts";
import { printError } from "../story/print.ts";
import type { ReportOptions } from "../stack/options.ts";
import { blankReport } from "../stack/exit/report.ts";
import type { Verb } from "../stack/report/model.ts";
import type { CiEnvironment } from "./environment.ts";
import type { ChangeNow, Forge } from "./forge/forge.ts";
import { asked } from "./forge/standing.ts";
import { tellOutputs, tellSummary } from "./runner.ts";

/** `none`: what is not done for it. `known`: the request as the code host has it. Undefined where it comes from no fork. */
export function forkRefusal(
  { change }: Pick<CiEnvironment, "change">,
  known: Pick<ChangeNow, "fork"> | undefined,
  called: string,
  none: string,
): string | undefined {
  const fork = change?.fork ?? known?.fork;
  return (
    fork &&
    `${called} comes from ${fork}, and ${none}: a key opens the whole account, so it is for code of this repository alone`
  );
}

type CiVerb = Extract<Verb, "preview" | "up" | "drift">;

const NONE: Readonly<Record<CiVerb, string>> = {
  preview: "gets no plan",
  drift: "gets no look for drift",
  up: "is not applied",
};

/** Undefined where the code may be run. What was merged is the repository's own, and may be applied. */
export async function refusedFork(
  verb: CiVerb,
  environment: CiEnvironment,
  forge: Forge | undefined,
  isNamed: boolean,
): Promise<string | undefined> {
  const { change, unmerged } = environment;
  if (change === undefined || (verb === "up" && !unmerged && !isNamed)) return undefined;
  // Of a request that is named by hand no event tells where it comes from.
  const answer = isNamed && forge !== undefined ? await asked(() => forge.change(change.number)) : undefined;
  const known = answer !== undefined && "answer" in answer ? answer.answer : undefined;
  if (verb === "up" && isNamed && known?.open !== true) return undefined;
  const called = forge?.nameOf(change.number) ?? `change ${change.number}`;
  return forkRefusal(environment, known, called, NONE[verb]);
}

/** It is no failure of the job: there is nothing that it may do. But where something was to be applied, it was not. */
export function tellRefused(
  verb: CiVerb,
  { outputFile, summaryFile }: CiEnvironment,
  why: string,
  options: ReportOptions & { stack: string },
): void {
  if (verb === "up") throw new RefusedError(`${why}. Nothing was sent`);
  checkReportFiles(options);
  printError(`note: ${why}.`);
  if (outputFile !== undefined) tellOutputs(outputFile, [["result", "skipped"]]);
  if (summaryFile !== undefined) tellSummary(summaryFile, `${why}.`);
  writeReports({ ...blankReport(options.stack), command: verb, result: "succeeded", notes: [why] }, options);
}
