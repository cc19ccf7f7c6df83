/** Lints the code of a plan, if landform.yaml has rules of its own or the command has to fail on some. */
import type { Diagnostic } from "../../manifest/index.ts";
import { failing } from "../lint/findings.ts";
import { findingsOf } from "../lint/of-plan.ts";
import type { Check } from "./check.ts";

const NO_CODE = "it applies no code that lint could look at";
const HISTORY = "its values come from the history: lint looks at the code, which an undo leaves as it is";

/** Findings that are hardly meant and would be public. A person has to allow them. */
const HELD = ["lost-language"];
const ALLOWED = "Nothing was sent. If that is what you want, allow it with --force.";

export const lint: Check = {
  name: "lint",
  not: {
    ...{ undo: HISTORY, "undo --preview": HISTORY, "undo --plan": HISTORY },
    ...{ destroy: NO_CODE, "env down": NO_CODE },
    adopt: "nothing is published by it, and the up that follows is asked",
  },
  run: ({ session: { folder, redactor }, intent: { failOn, force }, ran: { preview } }, report) => {
    // A program that stopped early may register more. Nobody knows what.
    if (folder.manifest === undefined && report.result !== "succeeded") return {};
    const found = findingsOf(folder, preview, failOn);
    const failed = new Set(failing(found, failOn ?? []));
    return {
      findings: redactor.value(
        found.map((one) => {
          const text = toldOf(one);
          if (failed.has(one)) return { weight: "refuse" as const, text, failure: { cause: "refused" as const } };
          const isHeld = HELD.includes(one.code) && force !== true;
          return isHeld ? { weight: "hold" as const, text: `${text}\n${ALLOWED}` } : { weight: "warn" as const, text };
        }),
      ),
    };
  },
};

function toldOf({ file, line, column, message, code }: Diagnostic<string>): string {
  return `${file}:${line}:${column}: ${message} [${code}]`;
}
