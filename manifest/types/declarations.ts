/** What is known of templates as TypeScript: it adds to the interface `Templates` of the package. Pure. */
import type { TemplateKeys } from "../online/keys-file.ts";

export const TYPES_FILE = "landform.templates.d.ts";

const HEADER = `// Written by \`npx landform templates types\` from landform.keys.json: commit both. \`npx landform templates types --check\` tells when it is behind.
import "landform";

// prettier-ignore
declare module "landform" {
  interface Templates {`;

export function typesSource(templates: ReadonlyMap<string, TemplateKeys>): string {
  const each = [...templates].flatMap(([id, { name, keys, variables }]) => [
    `    /** ${name.replaceAll("*/", "*\\/").replaceAll(/\s+/g, " ")} */`,
    `    ${JSON.stringify(id)}: {`,
    `      content:${oneOf(keys)};`,
    `      variables:${oneOf(variables)};`,
    "    };",
  ]);
  return `${[HEADER, ...each, "  }", "}"].join("\n")}\n`;
}

/** One a line: a difference shows which came and which went. */
function oneOf(names: readonly string[]): string {
  return names.length === 0 ? " never" : names.map((name) => `\n        | ${JSON.stringify(name)}`).join("");
}
