/** Which environment is meant. */
import { UsageError } from "../exit/codes.ts";
import { environmentName, isEnvironmentName } from "./record.ts";
import type { EnvironmentChoice } from "./types.ts";

export function nameFor({ pr, branch }: EnvironmentChoice): string {
  if (pr !== undefined) return environmentName({ pr });
  if (branch !== undefined && branch.trim() !== "") return environmentName({ branch: branch.trim() });
  throw new UsageError("say which environment is meant: --pr NUMBER or --branch NAME");
}

/** The same, where it may be called by its own name. */
export function namedOr({ name, ...choice }: EnvironmentChoice & { name?: string | undefined }): string {
  if (name === undefined) return nameFor(choice);
  if (choice.pr !== undefined || choice.branch !== undefined)
    throw new UsageError("name the environment, or say --pr or --branch, and not both");
  if (!isEnvironmentName(name))
    throw new UsageError(
      `"${name}" is no name of an environment, such as pr-12; npx landform env list shows those that there are`,
    );
  return name;
}
