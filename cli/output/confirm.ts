/** Nothing is changed without a yes. */
import { UsageError } from "../../stack/exit/codes.ts";
import type { Desk } from "../session.ts";
import type { Output } from "./terminal.ts";

export async function confirmed(
  { output, session }: Desk,
  { yes }: { readonly yes?: true },
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
  if (await agreed({ output, session }, question)) return true;
  output.line("Nothing was sent.");
  return false;
}

/** Whether somebody says yes; an interruption is none. */
export async function agreed(
  { output, session }: { output: Output; session?: { readonly interruption: { readonly cancel: AbortSignal } } },
  question: string,
): Promise<boolean> {
  const answer = await output
    .askApproval(`${output.canvas.styles.strong(question)} [y/N] `, session?.interruption.cancel)
    .catch(() => "");
  output.line();
  return /^y(es)?$/i.test(answer.trim());
}
