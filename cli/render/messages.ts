/** Failures, warnings and what was found of interrupted runs, for people. Pure. */
import type { Report } from "../report/model.ts";
import type { Canvas } from "./plan.ts";

export function troubleLines({ failures, warnings, pending }: Report, { styles }: Canvas): string[] {
  return [
    ...pending.map(
      ({ urn, operation, outcome }) => `${styles.warn("interrupted earlier:")} ${operation} ${urn}: ${outcome}`,
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
  return text.replaceAll("\n", "\n  ");
}
