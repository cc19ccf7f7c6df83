/** What was found in a manifest, as text: colours are ours alone, and none of a manifest's own gets through. */
import { renderText, type TextOptions } from "../manifest/source/report.ts";
import type { Diagnostic } from "../manifest/source/diagnostics.ts";
import { printableValue } from "../stack/report/printable.ts";
import { styles } from "./styles.ts";
import { messageText } from "../stack/report/text.ts";

export function diagnosticsText(
  diagnostics: readonly Diagnostic<string>[],
  options: Pick<TextOptions, "guide"> = {},
): string {
  const shown = printableValue(diagnostics).map((one) => ({ ...one, message: messageText(one.message) }));
  return renderText(shown, { colour: styles(process.stdout).colour, ...options });
}
