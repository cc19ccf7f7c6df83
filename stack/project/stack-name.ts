/**
 * A stack as people write it: `prod`, `PROJECT/prod` as the reports say it, or `ORG/PROJECT/prod` as Pulumi Cloud, its operator and
 * Deployments do. Pure.
 */
import { UsageError } from "../exit/codes.ts";

/** The one organization of folders, buckets and databases. */
export const OF_BACKENDS = "organization";

/** As it is asked for: with its organization only where that says something. */
export function stackNamed(text: string, project: string): string {
  const parts = text.split("/");
  const stack = parts.at(-1) ?? "";
  if (parts.length === 3 && parts[1] !== project)
    throw new UsageError(
      `${text} is a stack of the project ${parts[1] ?? ""}, and this one is called ${project}; check --stack and -C`,
    );
  const isPlain = parts.length === 2 ? parts[0] === project || parts[0] === OF_BACKENDS : parts[0] === OF_BACKENDS;
  return parts.length > 1 && isPlain ? stack : text;
}

/** Lists tell stacks by their last name. */
export function lastName(stack: string): string {
  return stack.slice(stack.lastIndexOf("/") + 1);
}
