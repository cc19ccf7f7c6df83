/** What `ci drift` has found is told on the code host: nobody reads the log of a night that went well. */
import { CommandError, exitCodes, UsageError } from "../stack/exit/codes.ts";
import type { Report } from "../stack/report/model.ts";
import { tellDrift, type Offer } from "./drift-issue.ts";
import { tokenVariable } from "./forge/token.ts";
import type { Forge } from "./forge/forge.ts";
import { offerToKeep } from "./offer.ts";
import { lineOf, type CiRun } from "./run.ts";
import { attempt, forgeOf } from "./tell.ts";

/** All that is declared waits for its first apply, or the state of what was applied is elsewhere. */
export function refuseNeverApplied({ drift = [], counts, project, stack }: Report): void {
  if (drift.length === 0 || counts.same > 0 || drift.some(({ kind }) => kind !== "absent")) return;
  throw new UsageError(
    `nothing was ever applied to ${project}/${stack} where PULUMI_BACKEND_URL is now, so nobody can tell what was edited, and no issue is opened. ` +
      "If it was applied before, its state is in another place: set PULUMI_BACKEND_URL to that. If not, npx landform ci apply comes first",
  );
}

/** `isSaid`: the exit code of the job says that there is drift. Without that, drift that nobody is told of fails it. */
export async function tellFound(run: CiRun, report: Report, { isSaid }: { isSaid: boolean }): Promise<void> {
  const { environment } = run;
  const forge = forgeOf(environment);
  const found = (report.drift ?? []).length;
  if (isSaid || found === 0) {
    if (forge !== undefined) await attempt("the issue", () => issue(forge, run, report));
    return;
  }
  if (forge === undefined) {
    if (environment.forge !== undefined) throw untold(found, `${tokenVariable(environment.forge.kind)} is not set`);
    return;
  }
  try {
    await issue(forge, run, report);
  } catch (error) {
    throw untold(found, error instanceof Error ? error.message : String(error));
  }
}

function untold(found: number, why: string): CommandError {
  const what = found === 1 ? "1 resource has" : `${found} resources have`;
  return new CommandError(
    exitCodes.failed,
    `${what} drifted, and the issue that tells it could not be written: ${why}`,
  );
}

async function issue(forge: Forge, { environment, session, about }: CiRun, report: Report): Promise<void> {
  const offer = await offered(forge, environment, session, report);
  const told = { line: lineOf(about, environment), apply: session.advised("npx landform up --refresh") };
  const url = await tellDrift(forge, report, offer, told);
  if (url !== undefined) session.teller.line(`The choice is told in ${url}`);
}

async function offered(...[forge, environment, session, report]: Parameters<typeof offerToKeep>): Promise<Offer> {
  if (!(report.drift ?? []).some(({ kind }) => kind === "changed")) return { reasons: ["nothing was edited"] };
  return offerToKeep(forge, environment, session, report).catch((error: unknown) => ({
    reasons: [`the request could not be made (${error instanceof Error ? error.message : String(error)})`],
  }));
}
