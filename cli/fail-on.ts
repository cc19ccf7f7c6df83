/** The option `--fail-on`. It knows the rules, which most commands need not load. */
import { InvalidArgumentError, Option } from "commander";
import { insteadOf } from "../provider/values/nearest.ts";
import { FAIL_ON } from "../stack/lint/findings.ts";
import type { FailOn } from "../stack/options.ts";

export function failOnOption(about: string): Option {
  return new Option(
    "--fail-on <what>",
    `${about}: error, warning, never, or rules by id, separated by commas`,
  ).argParser(failOn);
}

function failOn(text: string): FailOn {
  const words = text.split(",").map((word) => word.trim());
  const unknown = words.find((word) => !FAIL_ON.includes(word));
  if (unknown !== undefined)
    throw new InvalidArgumentError(
      `There is no level and no rule "${unknown}"${insteadOf(unknown, FAIL_ON, "Known are")}`,
    );
  if (words.length > 1 && words.includes("never")) throw new InvalidArgumentError("Write never without other words.");
  return words;
}
