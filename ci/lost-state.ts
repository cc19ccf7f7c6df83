/** A job's folder goes with the job, and with it a state that nobody has given another place. */
import { UsageError } from "../stack/exit/codes.ts";
import type { CiEnvironment } from "./environment.ts";
import type { OperationOptions } from "../stack/options.ts";
import { printError } from "../story/print.ts";
import { openProject } from "../stack/project/open.ts";
import { stackNamed } from "../stack/project/stack-name.ts";
import { withStacks } from "../stack/stacks/stacks.ts";

/**
 * The next job would know of nothing, and make everything a second time: refused where the job's machine is sure to go with it,
 * told where nobody knows. A stack that is there already was brought along.
 */
export async function guardState(
  { C, stack, engine }: OperationOptions,
  { passing }: Pick<CiEnvironment, "passing">,
): Promise<void> {
  if (passing === "no" || process.env["PULUMI_BACKEND_URL"]) return;
  const folder = await openProject(C, { runs: false });
  if (folder.project.backendUrl !== undefined) return;
  const name = stackNamed(stack, folder.project.name);
  await withStacks(engine, folder, async (stacks) => {
    if (stacks.place !== `${folder.root}/.pulumi`) return;
    if ((await stacks.list()).some((one) => one.name === name)) return;
    const where = `PULUMI_BACKEND_URL is not set, so the state of ${folder.project.name}/${name} would be in the folder of this job`;
    const remedy =
      "Set it among the variables of the repository: a bucket, PostgreSQL, Pulumi Cloud, or file:///FOLDER for one that stays";
    const again = "the next one would make everything a second time";
    if (passing === "surely") throw new UsageError(`${where} and go with it: ${again}. Nothing was sent. ${remedy}`);
    printError(`note: ${where}. If that goes with the job, ${again}. ${remedy}.`);
  });
}
