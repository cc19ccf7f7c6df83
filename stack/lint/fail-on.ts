/** `--fail-on`: which findings a command ends with 1 for. */
import { InvalidArgumentError, Option } from "commander";
import type { Diagnostic } from "../../manifest/source/diagnostics.ts";
import { ruleTexts } from "../../manifest/check/lint.ts";
import { didYouMean } from "../../provider/values/nearest.ts";

const LEVELS = ["error", "warning", "never"] as const;

/** Levels and ids of rules. */
export type FailOn = readonly string[];

export function failOnOption(about: string): Option {
  return new Option(
    "--fail-on <what>",
    `${about}: error, warning, never, or rules by id, separated by commas`,
  ).argParser(parse);
}

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

function parse(text: string): FailOn {
  const words = text.split(",").map((word) => word.trim());
  const known = [...LEVELS, ...Object.keys(ruleTexts)];
  const unknown = words.find((word) => !known.includes(word));
  if (unknown !== undefined)
    throw new InvalidArgumentError(
      `There is no level and no rule "${unknown}"${didYouMean(unknown, known) || "."} Known are ${known.join(", ")}.`,
    );
  if (words.length > 1 && words.includes("never")) throw new InvalidArgumentError("never stands alone.");
  return words;
}
