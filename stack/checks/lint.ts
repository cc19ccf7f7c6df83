/**
 * Lints the code of a plan, if landform.yaml has rules of its own or the command has to fail on some. A key that the template of a new page
 * lacks, or a placeholder that it leaves open, fails the page after the service has made it: the plan refuses it before.
 */
import { DESTROYS, UNDOES } from "../intents.ts";
import type { Diagnostic } from "../../manifest/index.ts";
import { failing } from "../lint/findings.ts";
import { findingsOf, templateFaultsIn } from "../lint/of-plan.ts";
import type { Finding } from "../report/model.ts";
import { parsePath } from "../../manifest/language/addresses.ts";
import { listed } from "../../provider/values/wording.ts";
import { type Check, type CheckFinding, since } from "./check.ts";

export const lint: Check = {
  name: "lint",
  not: {
    ...since("its values come from the history: lint looks at the code, which an undo leaves as it is", ...UNDOES),
    ...since("it applies no code that lint could look at", ...DESTROYS),
  },
  run: ({ session: { folder, redactor }, intent: { failOn, force }, ran: { preview } }, report) => {
    // A program that stopped early may register more. Nobody knows what.
    if (folder.manifest === undefined && report.result !== "succeeded") return {};
    const sure = templateFaultsIn(folder, preview);
    const found = findingsOf(folder, preview, failOn).filter(
      ({ code, path }) => !sure.some((one) => one.code === code && one.path === path),
    );
    const failed = new Set(failing(found, failOn ?? []));
    const toldOf = (one: Diagnostic<string>): CheckFinding => {
      const finding = findingFor(one);
      if (failed.has(one)) return { ...finding, weight: "refuse", cause: "refused" };
      const isHeld = one.holds === true && force !== true;
      return isHeld ? { ...finding, weight: "hold", allowed: "--force" } : finding;
    };
    const refused = sure.map((one): CheckFinding => {
      const finding = findingFor(one);
      return { ...finding, weight: "refuse", text: `${finding.text}. ${one.hint ?? ""}` };
    });
    return { findings: redactor.value([...refused, ...found.map(toldOf)]) };
  },
};

function findingFor({ file, line, column, message, code, also = [] }: Diagnostic<string>): Omit<Finding, "check"> {
  const others = also.length === 0 ? "" : ` (the same in ${also.length} more: ${listed(also.map(entryIn), 5)})`;
  return { weight: "warn", text: `${message}${others} [${code}]`, source: `${file}:${line}:${column}` };
}

/** `page-acme-de-offer` of `pages.page-acme-de-offer.content["hero.title"]` */
function entryIn(path: string): string {
  return parsePath(path)?.[1] ?? path;
}
