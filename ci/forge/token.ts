/** What opens the API of a code host, and what to do where it doesn't. Pure. */
import type { Forge } from "./forge.ts";
import type { ForgeError } from "./http.ts";

type Kind = Forge["kind"];

export function tokenVariable(kind: Kind): string {
  return kind === "github" ? "GITHUB_TOKEN" : "GITLAB_TOKEN";
}

const NEEDED: Readonly<Record<Kind, string>> = {
  github: "the job's permissions need contents, pull-requests and actions: read",
  gitlab: "it has to be a project access token with the scope api that has not expired, and no job's own token",
};

/** For the end of a message that says what could not be asked. */
export function wayOut({ status, message }: ForgeError, kind: Kind): string {
  const refused = (status === 401 || status === 403) && !/rate limit/i.test(message);
  return refused
    ? `${tokenVariable(kind)} doesn't open that: ${NEEDED[kind]}. Then run this job again`
    : "Run this job again once the code host answers";
}
