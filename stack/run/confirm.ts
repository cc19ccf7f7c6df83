/** Nothing is changed without a yes. */
import { UsageError } from "../exit/codes.ts";
import type { Output } from "../../cli/output/terminal.ts";
import type { StackSession } from "./session.ts";

export async function confirmed(
  { output, interruption }: StackSession,
  { yes }: { yes?: true },
  question: string,
): Promise<boolean> {
  if (yes === true) {
    output.line();
    return true;
  }
  if (!output.interactive) {
    throw new UsageError("there is nobody to ask here, and nothing was sent. Add --yes to go ahead without asking");
  }
  output.line();
  if (await agreed({ output, interruption }, question)) return true;
  output.line("Nothing was sent.");
  return false;
}

/** Whether somebody says yes; an interruption is none. */
export async function agreed(
  { output, interruption }: { output: Output; interruption?: { readonly cancel: AbortSignal } },
  question: string,
): Promise<boolean> {
  const answer = await output
    .askApproval(`${output.canvas.styles.strong(question)} [y/N] `, interruption?.cancel)
    .catch(() => "");
  output.line();
  return /^y(es)?$/i.test(answer.trim());
}
