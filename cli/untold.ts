/** No command ends with a failure that nobody is told of: what was not said by then is said here. */
import { exitCodes, type ExitCode } from "../stack/exit/codes.ts";
import type { Report } from "../stack/report/model.ts";
import { isTold, printError, styles } from "../story/print.ts";
import { messageText } from "../stack/report/text.ts";

/** Failures of its report that were in nothing that was shown. */
export function tellUntold({ failures }: Pick<Report, "failures">, exit: ExitCode): void {
  if (!isFailure(exit)) return;
  for (const { message } of failures) if (!isTold(messageText(message))) tellError(messageText(message));
}

/** A command that ended with nothing but its code. */
export function breakSilence(exit: number, command: string): void {
  if (isFailure(exit) && !isTold())
    tellError(
      `npx landform ${command} ended with ${exit} and told nothing of why: a fault of Landform, please report it`,
    );
}

function isFailure(exit: number): boolean {
  return exit !== exitCodes.done && exit !== exitCodes.changes;
}

export function tellError(message: string): void {
  printError(`${styles(process.stderr).bad("error:")} ${message}`);
}
