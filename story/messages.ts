/** Failures, warnings and what was found of interrupted runs, for people. Pure. */
import type { Report } from "../stack/report/model.ts";
import type { Canvas } from "./canvas.ts";
import { outcomeText } from "./reasons.ts";
import { printableValue } from "./printable.ts";
import { messageText } from "./text.ts";

export function troubleLines(
  { failures: failed, warnings: warned, pending: open }: Report,
  { styles }: Canvas,
): string[] {
  const { failures, warnings, pending } = printableValue({ failures: failed, warnings: warned, pending: open });
  return [
    ...pending.map(
      (one) => `${styles.warn("interrupted earlier:")} ${one.operation} ${messageText(one.urn)}: ${outcomeText(one)}`,
    ),
    ...warnings.map((warning) => `${styles.warn("warning:")} ${indented(warning)}`),
    ...failures.map(({ message, source, guide }) => {
      const place = source === undefined || message.includes(source) ? "" : `${source}: `;
      const further = guide === undefined ? "" : `\n  ${styles.faint(guide)}`;
      return `${styles.bad("error:")} ${place}${indented(message)}${further}`;
    }),
  ];
}

function indented(text: string): string {
  return messageText(text).replaceAll("\n", "\n  ");
}
