/** `env gc` in a CI: the code host is asked what is still needed, and told what went. */
import type { Collected } from "../stack/env/gc.ts";
import type { EnvironmentRecord } from "../stack/env/record.ts";
import { standingsByGit, type Standings } from "../stack/env/standing.ts";
import { ciEnvironment, type CiEnvironment } from "./environment.ts";
import type { Forge } from "./forge/forge.ts";
import { standingsOf, type Origin } from "./forge/standing.ts";
import { tokenVariable } from "./forge/token.ts";
import { tellForge } from "./preview-tell.ts";
import { lineOf } from "./run.ts";
import { forgeOf } from "./tell.ts";

export interface Host {
  readonly environment: CiEnvironment;
  readonly forge: Forge | undefined;
}

/** Undefined where this is no CI of a code host, or the job was given no token. */
export function hostHere(): Host {
  const environment = ciEnvironment({});
  return { environment, forge: forgeOf(environment) };
}

/** Of the code host, which knows requests and branches; else of git. `repository`: of the folder. */
export function standingsAt({ environment, forge }: Host, folder: string, repository: string | undefined): Standings {
  if (forge !== undefined) return (records) => standingsOf(forge, records.map(originOf));
  const { forge: access } = environment;
  const instead = access && `${tokenVariable(access.kind)} is not set, so nobody can say whether its request is open`;
  return standingsByGit(folder, { repository, instead });
}

function originOf({ pr, branch = "" }: EnvironmentRecord): Origin {
  return pr === undefined ? { branch } : { change: pr };
}

export async function tellReclaimed(
  { environment, forge }: Host,
  project: string,
  { reclaimed }: Collected,
): Promise<void> {
  for (const { name, reason, record } of reclaimed) {
    if (record === undefined) continue;
    const { pr: change, base, commit } = record;
    const about = { project, name, base, change, commit, line: lineOf({ line: "Preview of", commit }, environment) };
    const down = { code: 0, name, environment: record, report: undefined, left: [] } as const;
    await tellForge(forge, environment, about, { end: "down", down, why: WHY[reason] });
  }
}

const WHY: Readonly<Record<Collected["reclaimed"][number]["reason"], string>> = {
  closed: "what it was made for is closed",
  expired: "its time was over",
  "half-made": "nothing of it was there",
};
