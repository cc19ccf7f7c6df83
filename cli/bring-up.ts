/** The way from the code to the account, with people: for `up`, `ci apply` and whatever else applies the code. */
import type { Ended, Intent } from "../stack/plan/plan.ts";
import type { Advice, Report } from "../stack/report/model.ts";
import { carryOut } from "./carry-out.ts";
import type { Desk } from "./session.ts";

/** The options for the way from the code to the account. */
export type UpChoice = Pick<Intent, "yes" | "force" | "maxDeletes" | "foreignEdits" | "refresh" | "verify">;

/** `reviewed`: what was reviewed, and whose; nobody is asked then. */
export function broughtUp(
  desk: Desk,
  { yes, force, maxDeletes, foreignEdits, refresh, verify }: UpChoice,
  { saved, reviewed }: Pick<Intent, "saved" | "reviewed"> = {},
): Promise<Ended> {
  const choice: UpChoice = {
    ...{ foreignEdits, refresh, verify },
    ...(yes && { yes }),
    ...(force && { force }),
    ...(maxDeletes && { maxDeletes }),
  };
  const intent: Intent = saved
    ? { ...choice, kind: "up --plan", yes: true, saved, reviewed }
    : { ...choice, kind: "up" };
  return carryOut(desk, intent, { question: "Apply these changes?", next: nextStep });
}

function nextStep({ result, counts, failures, held = [] }: Report): Advice[] {
  const one = (command: string, reason: string, ...given: string[]): Advice => ({ command, arguments: given, reason });
  if (failures.some(({ cause }) => cause === "locked")) return [];
  if (failures.length > 0 && failures.every(({ cause }) => cause === "unseen"))
    return [one("drift", "looks again: all of it was done, and is public as far as the service tells.", "--public")];
  if (result !== "succeeded") return [one("up", "carries on where this one stopped.")];
  if (held.length > 0) return [one("up", "publishes what is a draft still, once those edits are published or undone.")];
  if (counts.same + counts.create + counts.adopt + counts.update + counts.replace === 0) return [];
  return [
    one("drift", "finds what is changed by hand."),
    one("destroy", "deletes what the API can delete, and names the rest."),
  ];
}
