import { faultSchema } from "../../../emulator/index.ts";
import { code, item, page } from "./markdown.ts";

const INTRODUCTION = `# Faults of the emulator

The emulator can fail on purpose. \`landform emulator --faults FILE\` reads a JSON file with an array of faults. \`startEmulator({ faults })\` and
\`emulator.faults.add\` of \`landform/emulator\` take the same objects. For each call, the emulator uses the first matching fault that still has calls left (\`times\`).

\`\`\`json
[
  { "method": "POST", "path": "/pages", "phase": "after" },
  { "method": "PATCH", "path": "/pages/content", "phase": "status", "status": 429, "retryAfter": "2", "times": 3 },
  { "scope": "products:write", "phase": "status", "status": 403, "times": null }
]
\`\`\`

Here the emulator makes the first page, and its answer is lost. It answers three edits of content with 429, and asks for two seconds of patience.
It refuses every write of a product, as if the key lacked the scope.`;

interface Field {
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly description: string;
}

export function faultsPage(): string {
  const fields = Object.entries(faultSchema.properties) as [string, Field][];
  return page(INTRODUCTION, fields.map(([name, field]) => item(name, [valuesOf(field)], field.description)).join("\n"));
}

function valuesOf({ type, enum: values, description }: Field): string {
  // A description with a list tells the values.
  if (description.includes("\n")) return "";
  if (values !== undefined) return values.map(code).join(", ");
  return typeof type === "string" ? type : (type ?? []).join(" or ");
}
