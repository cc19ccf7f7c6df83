/** Whether a page may be published, in words. Pure. */
import type { PageValidation } from "../../api/records.ts";
import { without } from "./writes.ts";
import { ApplyError } from "../../messages/errors.ts";
import { isMap } from "../../values/json.ts";

type Found = Pick<PageValidation, "issues" | "remaining_variables">;

export function refuseUnready(id: string, isPublic: boolean, validation: PageValidation): void {
  if (!validation.ready_to_publish) throw new ApplyError(notReady(id, isPublic, validation));
}

function notReady(id: string, isPublic: boolean, validation: Found): string {
  const left = validation.remaining_variables.map((name) => `{{${name}}}`).join(", ");
  const others = issuesBesides(validation);
  const reasons = [...(left === "" ? [] : [`placeholders without a value: ${left}`]), ...others];
  const state = isPublic ? "keeps its last published revision" : "stays a draft";
  return (
    `publish: page ${id} is not ready (POST /pages/validate-before-publish), so it ${state}. ` +
    (reasons.length > 0 ? `${capitalized(reasons.join("; "))}. ` : "") +
    `${left === "" ? "Correct this" : "Give these a value under variables"} and run again: it goes on from here.`
  );
}

/** What else keeps it from being published than placeholders, a text each. */
export function issuesBesides({ issues, remaining_variables: names }: Found): string[] {
  return issues.map(issueText).filter((text) => !names.some((name) => text.includes(`{{${name}}}`)));
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function issueText(issue: unknown): string {
  if (typeof issue === "string") return issue;
  const text = isMap(issue) ? (issue["message"] ?? issue["reason"] ?? issue["code"]) : undefined;
  return typeof text === "string" ? text.replace(/\.$/, "") : JSON.stringify(issue);
}
