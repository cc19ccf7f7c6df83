/** Which environment is meant. */
import { UsageError } from "../exit/codes.ts";
import { environmentName } from "./record.ts";
import type { EnvironmentChoice } from "./types.ts";

export function nameFor({ pr, branch }: EnvironmentChoice): string {
  if (pr !== undefined) return environmentName({ pr });
  if (branch !== undefined && branch.trim() !== "") return environmentName({ branch: branch.trim() });
  throw new UsageError("say which environment is meant: --pr NUMBER or --branch NAME");
}

/** The same, where it may be called by its own name: that of its stack. */
export function namedOr({ name, ...choice }: EnvironmentChoice & { name?: string | undefined }): string {
  if (name === undefined) return nameFor(choice);
  if (choice.pr !== undefined || choice.branch !== undefined)
    throw new UsageError("name the environment, or say --pr or --branch, and not both");
  return name;
}
