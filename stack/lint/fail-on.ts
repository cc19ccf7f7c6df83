/** `--fail-on`: which findings a command ends with 1 for. */
import type { Diagnostic } from "../../manifest/source/diagnostics.ts";
import { ruleTexts } from "../../manifest/check/lint.ts";

/** Levels and ids of rules. */
export type FailOn = readonly string[];

export const FAIL_ON: readonly string[] = ["error", "warning", "never", ...Object.keys(ruleTexts)];

/** Of what is to be failed on the rules, which are looked at though they are off. */
export function rulesIn(failOn: FailOn): string[] {
  return failOn.filter((word) => Object.hasOwn(ruleTexts, word));
}

export function failing<One extends Diagnostic<string>>(findings: readonly One[], failOn: FailOn): One[] {
  return findings.filter(
    ({ severity, code }) =>
      failOn.includes(code) || failOn.includes(severity) || (severity === "error" && failOn.includes("warning")),
  );
}
