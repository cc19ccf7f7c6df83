/** Steps that no visitor comes to. */
import { spotOf } from "../../declarations/check.ts";
import type { Entry, Spot, Tree } from "../../declarations/model.ts";
import { defineRule, type Finding } from "../rule.ts";
import { mapIn, targetOf, type Subject } from "../subject.ts";

/** Where a visitor has arrived. */
const END = /^thank[\s_-]?you$/i;

export const unreachableStep = defineRule({
  id: "unreachable-step",
  about: "A step of a funnel that no visitor comes to: its page is not published, or the funnel ends before it.",
  level: "error",
  *check(subject) {
    for (const entry of subject.manifest.entries) {
      if (entry.definition.public !== "flow") continue;
      const { steps } = entry.inputs;
      if (Array.isArray(steps)) yield* inFlow(entry, steps, subject);
    }
  },
});

function* inFlow(entry: Entry, steps: readonly Tree[], { entries }: Subject): Generator<Finding> {
  let end: Spot | undefined;
  for (const [index, step] of steps.entries()) {
    const at = spotOf(entry, ["steps", index]);
    if (end !== undefined) {
      yield {
        at,
        message: `${at.path} comes after ${end.path}, a thank-you page, where visitors have arrived`,
        related: [{ place: end.place, message: "the funnel ends here" }],
      };
    }
    const { pageId, pageType } = mapIn(step);
    const target = entries.get(targetOf(pageId) ?? "");
    if (target !== undefined && isDraft(target)) {
      yield {
        at,
        message: `${at.path} leads to ${target.address}, which is not published`,
        hint: `Give ${target.address} a publish, or take the step out.`,
        related: [{ place: target.place, message: `${target.address} is declared here` }],
      };
    }
    if (typeof pageType === "string" && END.test(pageType)) end ??= at;
  }
}

/** What is adopted may have been published by hand. */
function isDraft({ inputs: { publish, adoptId }, definition }: Entry): boolean {
  return "publish" in definition.inputs.shape && publish === undefined && adoptId === undefined;
}
