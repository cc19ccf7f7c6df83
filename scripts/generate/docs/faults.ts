import { faultSchema } from "../../../emulator/index.ts";
import { code, page, table } from "./markdown.ts";

const INTRODUCTION = `# Faults on purpose

\`landform emulator --faults FILE\` reads a JSON file with an array of faults; \`startEmulator({ faults })\` and \`emulator.faults.add\` of
\`landform/emulator\` take the same objects. A call is struck by the first fault that matches it and has strikes left.

\`\`\`json
[
  { "method": "POST", "path": "/pages", "phase": "after" },
  { "method": "PATCH", "path": "/pages/content", "phase": "status", "status": 429, "retryAfter": "2", "times": 3 },
  { "scope": "products:write", "phase": "status", "status": 403, "times": null }
]
\`\`\`

The first page is made although its answer is lost; three edits of content are told to come back after two seconds; every write of a
product is refused as if the key had not the scope.`;

interface Field {
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly description: string;
}

export function faultsPage(): string {
  const fields = Object.entries(faultSchema.properties) as [string, Field][];
  return page(
    INTRODUCTION,
    table(
      ["Field", "Values", "Meaning"],
      fields.map(([name, field]) => [code(name), valuesOf(field), field.description]),
    ),
  );
}

function valuesOf({ type, enum: values }: Field): string {
  if (values !== undefined) return values.map(code).join(", ");
  return typeof type === "string" ? type : (type ?? []).join(" or ");
}
