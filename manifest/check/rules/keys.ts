/** Compares content with the keys of the template, if they are known (`landform templates keys TEMPLATE --probe`). */
import { landform } from "../../../provider/values/command-line.ts";
import { listed } from "../../../provider/values/wording.ts";
import { z } from "zod";
import { didYouMean, isSlipOf } from "../../../provider/values/nearest.ts";
import { isMap } from "../../../provider/values/json.ts";
import { spotOf } from "../../declare/faults.ts";
import { matches } from "../../language/addresses.ts";
import { type ContentEntry, defineRule, keySpot } from "../subject.ts";

export const missingKey = defineRule({
  id: "missing-key",
  about: "A key of the template has no text of yours, so visitors see the template's own.",
  level: "warning",
  options: {
    fills: z
      .array(z.string().min(1))
      .optional()
      .describe("Keys that the template may fill in, with * for any run of characters: `[footer.*]`."),
  },
  *check({ contents }, { fills = [] }) {
    for (const { entry, content, known, template, isCopy } of contents) {
      // A copy begins with the texts of its original.
      if (known === undefined || isCopy) continue;
      const missing = known.keys.filter(
        (key) => !Object.hasOwn(content, key) && !fills.some((pattern) => matches(pattern, key)),
      );
      if (missing.length === 0) continue;
      const at = spotOf(entry, ["content"]);
      const message = `${entry.address} declares no text for ${listed(missing)} of ${template ?? "its template"}`;
      yield {
        at,
        message,
        hint: "Declare them, or name those that the template may fill in: missing-key: { fills: [footer.*] }.",
      };
    }
  },
});

export const unknownKey = defineRule({
  id: "unknown-key",
  about: "A content key that the template doesn't have.",
  level: "error",
  *check({ contents }) {
    for (const one of contents) {
      const { known, template, content } = one;
      if (known === undefined) continue;
      const keys = new Set(known.keys);
      for (const key of Object.keys(content).filter((name) => !keys.has(name))) {
        const at = keySpot(one, key);
        const hint = `Keys: ${listed(known.keys)}. ${readOn(one)}`;
        const message = `${at.path}: ${template ?? "the template"} has no content key "${key}"${didYouMean(key, keys)}`;
        yield { at, message, hint };
      }
    }
  },
});

function readOn({ known, template = "TEMPLATE" }: ContentEntry): string {
  return `The keys were read on ${known?.readAt ?? ""}; ${landform("templates keys", template, "--probe")} reads them again.`;
}

export const missingVariable = defineRule({
  id: "missing-variable",
  about: "A variable of the template has no value, so its placeholder stays on the page.",
  level: "warning",
  *check({ contents }) {
    for (const one of contents) {
      const { entry, content, variables, known, template, isCopy } = one;
      if (known === undefined || isCopy) continue;
      const stays = (holders: readonly string[]): boolean =>
        holders.length === 0 || holders.some((key) => !Object.hasOwn(content, key));
      const missing = Object.entries(known.variables).flatMap(([name, holders]) =>
        !variables.includes(name) && stays(holders) ? [name] : [],
      );
      if (missing.length === 0) continue;
      const at = spotOf(entry, ["variables"]);
      const message = `${entry.address} gives no value to ${listed(missing.map((name) => `{{${name}}}`))} of ${template ?? "its template"}`;
      yield {
        at,
        message,
        hint: `Give each a value under variables, or other texts to the keys that hold it. ${readOn(one)}`,
      };
    }
  },
});

/** The service takes any text as the type of a step. The specification names the first three. */
const STEP_TYPES = ["presell", "sales", "thankyou", "upsell", "downsell", "checkout", "optin", "webinar"];

export const stepType = defineRule({
  id: "step-type",
  about: "The type of a funnel's step is nearly a usual one: pressell for presell.",
  level: "warning",
  *check({ manifest }) {
    for (const entry of manifest.entries) {
      const { steps } = entry.inputs;
      for (const [index, step] of Array.isArray(steps) ? steps.entries() : []) {
        const type = isMap(step) ? step["pageType"] : undefined;
        const meant = typeof type === "string" ? STEP_TYPES.find((one) => isSlipOf(type, one)) : undefined;
        if (typeof type !== "string" || meant === undefined || STEP_TYPES.includes(type)) continue;
        const at = spotOf(entry, ["steps", index, "pageType"]);
        yield { at, message: `${at.path} is "${type}", did you mean "${meant}"?` };
      }
    }
  },
});
