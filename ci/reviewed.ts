/** From the commit that is to be applied to the plan that was reviewed for it. */
import { setTimeout as wait } from "node:timers/promises";
import { RefusedError, UsageError } from "../stack/exit/codes.ts";
import type { CiEnvironment } from "./environment.ts";
import { ForgeError } from "./forge/http.ts";
import type { Forge, MergedChange } from "./forge/forge.ts";
import { tokenVariable, wayOut } from "./forge/token.ts";
import { WAYS_ON } from "./stored-plans.ts";

export interface Reviewed {
  readonly number?: number;
  /** The last commit of the change's branch. */
  readonly head: string;
  /** For people: `pull request #12`. */
  readonly name: string;
}

/** A code host needs a moment to know which change a new commit came from. */
const LOOKS = 3;
const PAUSE_MS = 2_000;

export async function reviewedFor(environment: CiEnvironment, forge: Forge | undefined): Promise<Reviewed> {
  const { change, commit, unmerged, pushed } = environment;
  if (change !== undefined) {
    const name = forge?.nameOf(change.number) ?? `change ${change.number}`;
    if (unmerged)
      throw new RefusedError(
        `${name} is not merged, so its plan is not applied. Nothing was sent. ci apply is for the push to the main branch that a merge makes`,
      );
    return { ...change, name };
  }
  if (commit === undefined)
    throw new UsageError("which commit is applied is not known here: name it with --commit SHA");
  if (forge === undefined)
    throw new UsageError(
      `which change ${short(commit)} came from is known to the code host alone, and it can't be asked here: ${setting(environment)}, or name the change's last commit with --head SHA`,
    );
  const all = await mergedAs(forge, commit, pushed);
  const [found, ...others] = meant(all, pushed);
  if (found === undefined) throw new RefusedError(none(forge, commit, all, pushed));
  if (others.length > 0)
    throw new RefusedError(
      `${short(commit)} came from ${named(forge, [found, ...others])}, and a plan is of one. ${WAYS_ON}`,
    );
  return { ...found, name: forge.nameOf(found.number) };
}

function setting({ forge }: CiEnvironment): string {
  return forge === undefined ? "say --forge and --repository, and set its token" : `set ${tokenVariable(forge.kind)}`;
}

/** Of those that were merged into the branch of the job, the one whose merge made the commit, or else all that held it. Pure. */
function meant(all: readonly MergedChange[], pushed: string | undefined): readonly MergedChange[] {
  const here = all.filter(({ into }) => pushed === undefined || into === pushed);
  const merging = here.filter((one) => one.merging);
  return merging.length > 0 ? merging : here;
}

function none(forge: Forge, commit: string, all: readonly MergedChange[], pushed = ""): string {
  if (all.length === 0)
    return `${short(commit)} came from no merged request, so nobody has reviewed a plan for it. ${WAYS_ON}`;
  const where = [...new Set(all.map(({ into }) => into))].join(" and ");
  return (
    `${short(commit)} came from ${named(forge, all)}, merged into ${where}, and this job is of ${pushed}: nobody has reviewed a plan for that branch. ${WAYS_ON}. ` +
    "Where the branch was moved on to what was reviewed for another one, name the last commit of the request with --head SHA"
  );
}

function named(forge: Forge, changes: readonly MergedChange[]): string {
  return changes.map(({ number }) => forge.nameOf(number)).join(" and ");
}

/** What can't be asked is an error, and never "none". */
async function mergedAs(forge: Forge, commit: string, pushed: string | undefined): Promise<MergedChange[]> {
  for (let look = 1; ; look += 1) {
    const found = await forge.changesOf(commit).catch((error: unknown) => {
      if (error instanceof ForgeError)
        throw new RefusedError(
          `which change ${short(commit)} came from could not be asked: ${error.message}. Nothing was sent. ${wayOut(error, forge.kind)}, or name the change's last commit with --head SHA`,
        );
      throw error;
    });
    if (meant(found, pushed).length > 0 || look === LOOKS) return found;
    await wait(PAUSE_MS);
  }
}

function short(commit: string): string {
  return commit.slice(0, 12);
}
