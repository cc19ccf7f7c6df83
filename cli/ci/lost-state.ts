/** A job's folder goes with the job, and with it a state that nobody has given another place. */
import { UsageError } from "../exit/codes.ts";
import type { OperationOptions } from "../options.ts";
import { openProject } from "../project/open.ts";
import { stackNamed } from "../project/stack-name.ts";
import { withStacks } from "../stacks/stacks.ts";

/** The next job would know of nothing, and make everything a second time. A stack that is there already was brought along. */
export async function refuseLostState({ C, stack, engine }: OperationOptions): Promise<void> {
  if (process.env["PULUMI_BACKEND_URL"]) return;
  const folder = await openProject(C, { runs: false });
  if (folder.project.backendUrl !== undefined) return;
  const name = stackNamed(stack, folder.project.name);
  await withStacks(engine, folder, async (stacks) => {
    if (stacks.place !== `${folder.root}/.pulumi`) return;
    if ((await stacks.list()).some((one) => one.name === name)) return;
    throw new UsageError(
      `PULUMI_BACKEND_URL is not set, so the state of ${folder.project.name}/${name} would be in the folder of this job and go with it: ` +
        "the next one would make everything a second time. Nothing was sent. Set it among the variables of the repository: " +
        "a bucket, PostgreSQL, Pulumi Cloud, or file:///FOLDER for one that stays",
    );
  });
}
