/** The rules of lint, from their definitions. */
import { z } from "zod";
import { levels } from "../../../manifest/declare/model.ts";
import { rules, settingsOf } from "../../../manifest/check/settings.ts";
import { descriptionOf } from "../../../provider/definition/schema-walk.ts";
import { code, page, table } from "./markdown.ts";
import { typeName } from "./types.ts";

const INTRODUCTION = `# Rules of lint

\`landform check\` looks for what a landform.yaml may declare and probably doesn't mean. Nothing is sent. The [guide](../guides/lint.md)
shows how it is used.

\`\`\`yaml
lint:
  missing-alt: error
  duplicate-title: off
  too-long: { limits: { hero.title: 60, "*.cta": 24 } }
  placeholder-text: { level: warning, except: ["pages.draft*"] }
\`\`\`

A rule takes one of ${levels.map(code).join(", ")}, or a map. A rule that isn't there is an error. A comment switches rules off on its line, or, on a
line of its own, on the next one: \`# lint-off too-long, empty-text -- why\`.

| exit code | meaning |
|---|---|
| 0 | nothing that \`--fail-on\` names (default: \`error\`) was found |
| 1 | something was found that it names |
| 4 | the manifest, a rule or the options are wrong |`;

export function lintPage(): string {
  const common = settingsOf(z.object({}));
  return page(
    INTRODUCTION,
    "## Every rule",
    options(common),
    ...rules.flatMap(({ id, about, level, options: own }) => [
      `## ${id}`,
      `${about} Level: ${code(level)}.`,
      ...(Object.keys(own.shape).length === 0 ? [] : [options(own)]),
    ]),
  );
}

function options(object: z.ZodObject): string {
  const rows = Object.entries(object.shape as Record<string, z.ZodType>).map(([name, schema]) => [
    code(name),
    typeName(schema),
    descriptionOf(schema),
  ]);
  return table(["Option", "Type", "Meaning"], rows);
}
