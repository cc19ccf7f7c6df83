/** Environments of another repository, whose requests have the same numbers. */
import { RefusedError } from "../exit/codes.ts";
import type { EnvironmentRecord } from "./record.ts";

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
