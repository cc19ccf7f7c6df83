import type { z } from "zod";
import { spellingsOf } from "../../../manifest/language/fields.ts";
import type { AnyDefinition } from "../../../provider/definition/define.ts";
import { registry, type Kind } from "../../../provider/kinds/registry.ts";
import { descriptionOf, isOptional } from "../../../provider/definition/schema-walk.ts";
import { membersOf } from "./interfaces.ts";
import { anchor, code, page, table } from "./markdown.ts";
import { nestedShape, typeName } from "./types.ts";

const INTRODUCTION = `# Resources

What every kind has in common: \`name\` defaults to the logical name, unknown properties are refused with the nearest known
name, and \`adoptId\` takes over an object that exists instead of creating one. Of a resource that has one already, the id of another object
replaces: that one is taken over, and the old one is deleted. Pulumi's own options (\`protect\`,
\`dependsOn\`, \`ignoreChanges\`, \`aliases\`, \`retainOnDelete\` and the rest) work on all of them, with one exception that holds for
every dynamic provider: \`replaceOnChanges\` replaces nothing, since Pulumi asks the provider alone what replaces.
With \`deletedWith\` Pulumi makes no call for what goes together with what it names: the object stays in the account, and the plan says so.

**Left out** says what becomes of a value that was declared and no longer is: *stays* as it is and is no longer managed, or
*cleared* by sending what stands there. Of maps such as \`content\`, the same holds for each key.

**On change** says what a changed value does to the existing object: *update* it, *replace* it by a new one, *refuse* at
preview with the reason, or *nothing* on the service. **Drift** says what a refresh can see: *seen* where the service shows
the value, *by key* where only the declared keys of a map are compared, *not shown* where the service never answers it.`;

export function resourcesPage(): string {
  const kinds = Object.entries(registry) as [Kind, AnyDefinition][];
  const contents = kinds.map(([, { type, doc }]) => `- [${type}](#${anchor(type)}): ${doc}`).join("\n");
  return page(
    INTRODUCTION,
    `${contents}\n${COMPONENTS}`,
    ...kinds.map(([, definition]) => resource(definition)),
    landingFunnel(),
    account(),
  );
}

const COMPONENTS = `- [LandingFunnel](#landingfunnel): Pages, their publication and the funnel over them, as one component of a program.
- [Account](#account): A second account in the same program.`;

function landingFunnel(): string {
  const source = "provider/pulumi/components.ts";
  return [
    "## LandingFunnel",
    "A usual funnel in ten lines, for programs: pages in order, published on one site, and a funnel over them. In landform.yaml each of these is an entry of its own.",
    "In a program `new landform.LandingFunnel(name, args, options)`. A page or funnel that stood on its own before, under the same name, is the same one: nothing is replaced.",
    "### Inputs of LandingFunnel",
    memberTable(source, "LandingFunnelArgs", true),
    "A step is one of three. A page that is made here takes all [inputs of Page](#inputs-of-page) but `publish`, `siteId`, `projectId`, and:",
    memberTable(source, "PageStep", true),
    "An external address, such as a checkout:",
    memberTable(source, "UrlStep", true),
    "A page that is managed elsewhere:",
    memberTable(source, "ExistingPageStep", true),
    "### Outputs of LandingFunnel",
    memberTable(source, "LandingFunnel", false),
  ].join("\n\n");
}

function account(): string {
  return [
    "## Account",
    "A second account in the same program: resources with the option `provider` go to it. Previews ask it with its own key, as they ask the first one.",
    `\`\`\`ts
const b = new landform.Account("b", { baseUrl: "https://HOST/v1", apiKeyEnv: "KEY_B" });
const options = { provider: b };
\`\`\``,
    "### Inputs of Account",
    memberTable("provider/pulumi/resource.ts", "AccountArgs", true),
  ].join("\n\n");
}

function memberTable(source: string, name: string, isInput: boolean): string {
  const rows = membersOf(source, name).map(({ name: member, type, optional, doc }) => {
    const plain = code(type.replace(/^pulumi\.Input<(.*)>$/, "$1"));
    return isInput ? [code(member), plain, optional ? "" : "yes", doc] : [code(member), plain, doc];
  });
  return table(isInput ? ["Input", "Type", "Required", "Meaning"] : ["Output", "Type", "Meaning"], rows);
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

function inManifest(input: string): string {
  const [first, ...others] = spellingsOf(input);
  if (first === undefined || first.name === input) return "";
  const further = others.map(({ name, reference }) => `; of a ${reference?.what ?? name} ${code(name)}`);
  return ` (YAML: ${code(first.name)}${further.join("")})`;
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
