/** A plan is applied for the branch that its request was merged into. A push to another branch doesn't apply it. */
import { describe, expect, test } from "vitest";
import { ciEnvironment, type CiOptions } from "../../ci/environment.ts";
import { reviewedFor, type Reviewed } from "../../ci/plans.ts";
import { forgeOf } from "../../ci/tell.ts";
import { RefusedError } from "../../stack/exit/codes.ts";
import { forEachTest } from "../suite/opened.ts";
import { thorough } from "../suite/parts.ts";
import { CodeHost } from "./code-host.ts";
import { githubJob, gitlabJob } from "./jobs.ts";

const [HEAD, OTHER, MERGE] = ["a".repeat(40), "b".repeat(40), "c".repeat(40)] as const;

const host = forEachTest(() => CodeHost.open());

const VARIABLES = {
  github: (ref: string) => {
    const name = ref.startsWith("tags/") ? `refs/${ref}` : `refs/heads/${ref}`;
    return githubJob(host, { GITHUB_SHA: MERGE, GITHUB_REF: name });
  },
  gitlab: (ref: string) =>
    gitlabJob(host, { CI_COMMIT_SHA: MERGE, ...(!ref.startsWith("tags/") && { CI_COMMIT_BRANCH: ref }) }),
};

describe.each(["github", "gitlab"] as const)("on %s", (kind) => {
  const reviewed = (ref: string, options: CiOptions = {}): Promise<Reviewed> => {
    const environment = ciEnvironment(options, { variables: VARIABLES[kind](ref) });
    return reviewedFor(environment, forgeOf(environment));
  };

  thorough("a push to another branch than the one it was merged into: 3, and how to go on", async () => {
    host.merged(7, HEAD, MERGE, { base: "release/1" });
    const refused = reviewed("main");
    await expect(refused).rejects.toThrow(RefusedError);
    await expect(refused).rejects.toThrow(
      /^c{12} came from (pull|merge) request .7, merged into release\/1, and this job is of main: nobody has reviewed a plan for that branch\. If this branch .*--head SHA\. Nothing was sent\./,
    );
    expect((await reviewed("release/1")).number).toBe(7);
  });

  test("a tag and a commit that is named by hand have no branch", async () => {
    host.merged(7, HEAD, MERGE);
    expect((await reviewed("tags/v1")).number).toBe(7);
    expect((await reviewed("release/1", { commit: MERGE })).number).toBe(7);
  });

  test("of two requests that were merged with one commit, the one into this branch is meant", async () => {
    host.merged(7, HEAD, MERGE, { base: "feature" });
    host.merged(8, OTHER, MERGE);
    expect(await reviewed("main")).toMatchObject({ number: 8, head: OTHER });
  });
});
