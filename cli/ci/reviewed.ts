/** From the commit that is to be applied to the plan that was reviewed for it. */
import { setTimeout as wait } from "node:timers/promises";
import { RefusedError, UsageError } from "../exit/codes.ts";
import type { CiEnvironment } from "./environment.ts";
import { ForgeError } from "./forge/http.ts";
import type { Forge } from "./forge/forge.ts";
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
  const { change, commit, unmerged } = environment;
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
  const [found, ...others] = await mergedAs(forge, commit);
  if (found === undefined)
    throw new RefusedError(
      `${short(commit)} came from no merged request, so nobody has reviewed a plan for it. ${WAYS_ON}`,
    );
  if (others.length > 0)
    throw new RefusedError(
      `${short(commit)} came from ${[found, ...others].map(({ number }) => forge.nameOf(number)).join(" and ")}, and a plan is of one. ${WAYS_ON}`,
    );
  return { ...found, name: forge.nameOf(found.number) };
}

function setting({ forge }: CiEnvironment): string {
  return forge === undefined ? "say --forge and --repository, and set its token" : `set ${tokenVariable(forge.kind)}`;
}

/** What can't be asked is an error, and never "none". */
async function mergedAs(forge: Forge, commit: string): ReturnType<Forge["changesOf"]> {
  for (let look = 1; ; look += 1) {
    const found = await forge.changesOf(commit).catch((error: unknown) => {
      if (error instanceof ForgeError)
        throw new RefusedError(
          `which change ${short(commit)} came from could not be asked: ${error.message}. Nothing was sent. ${wayOut(error, forge.kind)}, or name the change's last commit with --head SHA`,
        );
      throw error;
    });
    if (found.length > 0 || look === LOOKS) return found;
    await wait(PAUSE_MS);
  }
}

function short(commit: string): string {
  return commit.slice(0, 12);
}
