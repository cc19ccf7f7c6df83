/** Tells who runs: the actor and the commit that a CI names in its usual variables, or the user of this machine. Pure but for the user. */
import { hostname, userInfo } from "node:os";

export interface Who {
  readonly name: string;
  /** The name of the CI; absent if a person runs. */
  readonly ci?: string;
  readonly commit?: string;
  readonly url?: string;
}

type Env = Readonly<Record<string, string | undefined>>;

const SERVICES = [
  {
    name: "GitHub Actions",
    // The variable that shows that it is this CI.
    mark: "GITHUB_ACTIONS",
    actor: "GITHUB_ACTOR",
    commit: "GITHUB_SHA",
    url: (env: Env) => joined(env["GITHUB_SERVER_URL"], env["GITHUB_REPOSITORY"], "actions/runs", env["GITHUB_RUN_ID"]),
  },
  {
    name: "GitLab CI",
    mark: "GITLAB_CI",
    actor: "GITLAB_USER_LOGIN",
    commit: "CI_COMMIT_SHA",
    url: (env: Env) => env["CI_JOB_URL"],
  },
];

export function whoRuns(env: Env): Who {
  const service = SERVICES.find(({ mark }) => (env[mark] ?? "") !== "");
  if (service === undefined) return { name: userOfMachine(), ...(env["CI"] ? { ci: "CI" } : {}) };
  const commit = env[service.commit];
  const url = service.url(env);
  return {
    name: env[service.actor] || service.name,
    ci: service.name,
    ...(commit ? { commit } : {}),
    ...(url ? { url } : {}),
  };
}

function joined(...parts: readonly (string | undefined)[]): string | undefined {
  return parts.some((part) => part === undefined || part === "") ? undefined : parts.join("/");
}

function userOfMachine(): string {
  const host = hostname();
  try {
    return `${userInfo().username}@${host}`;
  } catch {
    return `uid ${process.getuid?.() ?? "unknown"}@${host}`;
  }
}
