/** The rules of lint, from their definitions. */
import { z } from "zod";
import { levels } from "../../../manifest/declare/model.ts";
import { rules, settingsOf } from "../../../manifest/check/settings.ts";
import { descriptionOf } from "../../../provider/definition/schema-walk.ts";
import { code, item, page } from "./markdown.ts";
import { typeName } from "./types.ts";

const INTRODUCTION = `# Rules of lint

\`landform check\` finds texts that are allowed but probably a mistake. It sends nothing. The [guide](../guides/lint.md) shows how to use it.

Under \`lint\`, a rule takes one of ${levels.map(code).join(", ")}, or a map: \`placeholder-text: { level: warning, except: ["pages.draft*"] }\`. A comment switches rules off for its line. On a line of its own, it switches them off for the next line: \`# lint-off too-long, empty-text -- why\`.

Each rule below shows its level. *In plans*: a plan reports the rule for the values that change, even without a section \`lint\`. *In each plan*: the values need not change.`;

/** The findings in a plan whose project has no rules of its own. */
const UNASKED = {
  all: ", in each plan",
  "of changes": ", in plans",
} as const;

export function lintPage(): string {
  const common = settingsOf(z.object({}));
  return page(
    INTRODUCTION,
    "## Every rule",
    options(common),
    ...rules.flatMap(({ id, about, level, unasked, options: own }) => [
      `## ${id}`,
      `${about} Level: ${code(level)}${unasked === undefined ? "" : UNASKED[unasked]}.`,
      ...(Object.keys(own.shape).length === 0 ? [] : [options(own)]),
    ]),
  );
}

function options(object: z.ZodObject): string {
  return Object.entries(object.shape as Record<string, z.ZodType>)
    .map(([name, schema]) => item(name, [typeName(schema)], descriptionOf(schema)))
    .join("\n");
}
