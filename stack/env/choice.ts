/** Which environment is meant. */
import { branchIn } from "../../provider/preview/checkout.ts";
import { RefusedError, UsageError } from "../exit/codes.ts";
import { environmentName, type EnvironmentRecord } from "./record.ts";
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

/** The other repository; undefined where it is this one, and where either is not known. */
export function elsewhere(record: EnvironmentRecord | undefined, here: string | undefined): string | undefined {
  const { repository } = record ?? {};
  return here === undefined || repository === here ? undefined : repository;
}

export function refuseOtherRepository(record: EnvironmentRecord | undefined, here: string | undefined): void {
  const other = elsewhere(record, here);
  if (record === undefined || other === undefined) return;
  throw new RefusedError(
    `${record.name} is a preview of ${other}, and this is ${here}: they have one backend and one project name, so their ` +
      "requests and branches can't be told apart. Nothing was sent. Give one of the projects another name; " +
      `npx landform env down ${record.name} takes this one away, whosever it is`,
  );
}
