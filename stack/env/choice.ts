/** Which environment is meant. */
import { branchIn } from "../../provider/preview/repository.ts";
import { UsageError } from "../exit/codes.ts";
import { environmentName } from "./record.ts";
import type { EnvironmentChoice } from "./types.ts";

/** What was said, without what is empty: jobs pass on variables that may not be set. */
export function choiceIn({ pr, branch: said }: EnvironmentChoice): EnvironmentChoice {
  const branch = branchIn(said);
  return { ...(pr !== undefined && { pr }), ...(branch !== undefined && { branch }) };
}

export function nameFor(options: EnvironmentChoice): string {
  const { pr, branch } = choiceIn(options);
  if (pr !== undefined) return environmentName({ pr });
  if (branch !== undefined) return environmentName({ branch });
  throw new UsageError("say which environment is meant: --pr NUMBER or --branch NAME");
}

/** The same, where it may be called by its own name: that of its stack. */
export function namedOr({ name, ...choice }: EnvironmentChoice & { name?: string | undefined }): string {
  if (name === undefined) return nameFor(choice);
  if (choice.pr !== undefined || choice.branch !== undefined)
    throw new UsageError("name the environment, or say --pr or --branch, and not both");
  return name;
}
