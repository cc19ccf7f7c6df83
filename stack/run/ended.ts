/** What a command on a stack ends with. */
import { exitCodes, type ExitCode } from "../exit/codes.ts";
import type { Counts, Report } from "../report/model.ts";

/** What a run that did not succeed exits with. */
export function failureCode(
  { failures, counts }: Pick<Report, "failures" | "counts">,
  { sent }: { sent: boolean },
): ExitCode {
  const isStale = failures.some(({ cause }) => cause === "stale");
  // A refusal says that nothing was sent.
  if (isStale && !(sent && hasDone(counts))) return exitCodes.refused;
  const wrong = failures.length > 0 && failures.every(({ cause }) => cause === "program");
  return wrong && !sent ? exitCodes.invalid : exitCodes.failed;
}

function hasDone({ create, adopt, update, replace, delete: deleted, left, unfinished }: Counts): boolean {
  return create + adopt + update + replace + deleted + left + unfinished > 0;
}
