import type { z } from "zod";
import { manifestName } from "../../../manifest/language/fields.ts";
import type { AnyDefinition } from "../../../provider/define.ts";
import { registry, type Kind } from "../../../provider/registry.ts";
import { descriptionOf, isOptional } from "../../../provider/schema-walk.ts";
import { anchor, code, page, table } from "./markdown.ts";
import { nestedShape, typeName } from "./types.ts";

const INTRODUCTION = `# Resources

What every kind has in common: \`name\` defaults to the logical name, unknown properties are refused with the nearest known
name, and \`adoptId\` takes over an object that exists instead of creating one. Pulumi's own options (\`protect\`,
\`dependsOn\`, \`ignoreChanges\`, \`aliases\`, \`retainOnDelete\` and the rest) work on all of them, with one exception that holds for
every dynamic provider: \`replaceOnChanges\` replaces nothing, since Pulumi asks the provider alone what replaces.

**Left out** says what becomes of a value that was declared and no longer is: *stays* as it is and is no longer managed, or
*cleared* by sending what stands there. Of maps such as \`content\`, the same holds for each key.

**On change** says what a changed value does to the existing object: *update* it, *replace* it by a new one, *refuse* at
preview with the reason, or *nothing* on the service. **Drift** says what a refresh can see: *seen* where the service shows
the value, *by key* where only the declared keys of a map are compared, *not shown* where the service never answers it.`;

export function resourcesPage(): string {
  const kinds = Object.entries(registry) as [Kind, AnyDefinition][];
  const contents = kinds.map(([, { type, doc }]) => `- [${type}](#${anchor(type)}): ${doc}`).join("\n");
  return page(INTRODUCTION, contents, ...kinds.map(([, definition]) => resource(definition)));
}

function resource(definition: AnyDefinition): string {
  const { type, doc, section, inputs, limits } = definition;
  return [
    `## ${type}`,
    doc,
    `In a program \`new landform.${type}(name, args, options)\`; in landform.yaml the section \`${section}\`.`,
    "### Inputs of " + type,
    inputTable(definition),
    ...nestedTables(inputs.shape),
    "### Outputs of " + type,
    "All inputs, and:",
    outputTable(definition),
    "### What the API can't do with a " + type,
    table(
      ["The API", "Landform"],
      limits.map(({ api, landform }) => [api, landform]),
    ),
  ].join("\n\n");
}

function inputTable(definition: AnyDefinition): string {
  const shape = definition.schema.shape as Record<string, z.ZodType>;
  const rows = Object.entries(shape).map(([name, schema]) => [
    code(name) + inManifest(name),
    typeName(schema),
    isOptional(schema) ? "" : "yes",
    onChange(definition, name),
    onRemoval(definition, name, schema),
    drift(definition, name),
    descriptionOf(schema) + (definition.secrets?.includes(name) === true ? " Kept secret." : ""),
  ]);
  return table(["Input", "Type", "Required", "On change", "Left out", "Drift", "Meaning"], rows);
}

function inManifest(name: string): string {
  const written = manifestName(name);
  return written === name ? "" : ` (YAML: ${code(written)})`;
}

function onChange(definition: AnyDefinition, name: string): string {
  const { changeDoc, onChange: word = "update" } = definition.rule(name);
  return changeDoc ?? (word === "none" ? "nothing" : word);
}

/** What a value does that was declared, and is no longer. */
function onRemoval(definition: AnyDefinition, name: string, schema: z.ZodType): string {
  const { cleared, removalReplaces, removalRefused, onChange: effect } = definition.rule(name);
  if (!isOptional(schema) || effect === "none" || (definition.named && name === "name")) return "";
  if (removalReplaces) return "replace";
  if (removalRefused !== undefined) return "refuse";
  return cleared === undefined ? "stays" : `cleared (${code(JSON.stringify(cleared))})`;
}

function drift(definition: AnyDefinition, name: string): string {
  const { live, witness, perKey, onChange: effect, shownOnWrites } = definition.rule(name);
  if (shownOnWrites) return "not shown";
  if (effect === "none") return "";
  if (perKey && live) return "by key";
  if (live) return "seen";
  return witness ? "seen by its number" : "not shown";
}

/** One table for each input that is an object, or a list or map of objects. */
function nestedTables(shape: Record<string, z.ZodType>): string[] {
  return Object.entries(shape).flatMap(([name, schema]) => {
    const fields = Object.entries(nestedShape(schema));
    if (fields.length === 0) return [];
    const rows = fields.map(([field, inner]) => [
      code(field) + inManifest(field),
      typeName(inner),
      isOptional(inner) ? "" : "yes",
      descriptionOf(inner),
    ]);
    return [`${code(name)}:`, table(["Field", "Type", "Required", "Meaning"], rows)];
  });
}

function outputTable({ outputs, inputs }: AnyDefinition): string {
  const shape = outputs.shape as Record<string, z.ZodType>;
  const rows = Object.entries(shape).map(([name, schema]) => [
    code(name),
    typeName(schema),
    descriptionOf(schema) + (name in inputs.shape ? " As the service shows it." : ""),
  ]);
  return table(["Output", "Type", "Meaning"], [["`id`", "text", "Id of the object in the service."], ...rows]);
}
