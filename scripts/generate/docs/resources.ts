import type { z } from "zod";
import { spellingsOf } from "../../../manifest/language/fields.ts";
import type { AnyDefinition } from "../../../provider/definition/define.ts";
import { registry, type Kind } from "../../../provider/kinds/registry.ts";
import { descriptionOf, isOptional } from "../../../provider/definition/schema-walk.ts";
import { membersOf } from "./interfaces.ts";
import { anchor, code, item, page } from "./markdown.ts";
import { nestedShape, typeName } from "./types.ts";

const INTRODUCTION = `# Resources

For every kind: \`name\` defaults to the logical name. Landform refuses an unknown property and names the nearest known one. With \`adoptId\`
Landform adopts an existing object instead of creating one. If you change \`adoptId\` later, Landform replaces the resource and deletes the old object.

Pulumi's options work (\`protect\`, \`dependsOn\`, \`ignoreChanges\`, \`aliases\`, \`retainOnDelete\` and the rest), with two exceptions.
\`replaceOnChanges\` replaces nothing, because for this kind of provider only the provider decides about a replacement. With \`deletedWith\` Pulumi makes no call: the object stays
in the account, and the plan says so.

In a program each resource is a class ([example](../examples.md#a-program)).

Each input says three things:

- **Change**: what a new value does to the object. *Update* it, *replace* it by a new one, *refuse* the plan with the reason, or *nothing*.
- **Removal**: what happens if the code no longer declares it. It *stays* as it is and is not managed any more, or it is *cleared* to the value
  that is shown. For a map such as \`content\`, this holds for each key.
- **Drift**: if a refresh sees that somebody changed it. *Seen*, *by key* (only the declared keys of a map), or *not shown*, since the service never returns it.`;

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

const COMPONENTS = `- [LandingFunnel](#landingfunnel): Pages, their publication and the funnel that joins them, as one component of a program.
- [Account](#account): A second account in the same program.`;

function landingFunnel(): string {
  const source = "provider/pulumi/components.ts";
  return [
    "## LandingFunnel",
    "A funnel in ten lines of a program: pages in order, published on one site, and the funnel that joins them. In landform.yaml each of these is an entry of its own.",
    "In a program `new landform.LandingFunnel(name, args, options)`. If you move a page or funnel into it and keep the name, Landform replaces nothing.",
    "### Inputs of LandingFunnel",
    memberList(source, "LandingFunnelArgs", true),
    "There are three kinds of step. The first is a page that the component makes. It takes the [inputs of Page](#inputs-of-page) except `publish`, `siteId` and `projectId`. It also takes:",
    memberList(source, "PageStep", true),
    "The second is an external address, such as a checkout:",
    memberList(source, "UrlStep", true),
    "The third is a page that is managed elsewhere:",
    memberList(source, "ExistingPageStep", true),
    "### Outputs of LandingFunnel",
    memberList(source, "LandingFunnel", false),
  ].join("\n\n");
}

function account(): string {
  return [
    "## Account",
    "A second account in the same program. To put a resource into this account, pass the option `provider`. Each account has its own key.",
    `\`\`\`ts
import * as landform from "landform";

const b = new landform.Account("b", { baseUrl: "https://HOST/v1", apiKeyEnv: "KEY_B" });
const options = { provider: b }; // for each resource of the second account
\`\`\``,
    "### Inputs of Account",
    memberList("provider/pulumi/resource.ts", "AccountArgs", true),
  ].join("\n\n");
}

function memberList(source: string, name: string, isInput: boolean): string {
  return membersOf(source, name)
    .map(({ name: member, type, optional, doc }) => {
      const plain = code(type.replace(/^pulumi\.Input<(.*)>$/, "$1"));
      return item(member, [plain, isInput && !optional ? "required" : ""], doc);
    })
    .join("\n");
}

function resource(definition: AnyDefinition): string {
  const { type, doc, section, limits } = definition;
  return [
    `## ${type}`,
    doc,
    `In a program \`new landform.${type}(name, args, options)\`; in landform.yaml the section \`${section}\`.`,
    "### Inputs of " + type,
    inputList(definition),
    "### Outputs of " + type,
    "All inputs, and:",
    outputList(definition),
    "### What the API can't do with a " + type,
    limits.map(({ api, landform }) => `- **${api}** ${landform}`).join("\n"),
  ].join("\n\n");
}

function inputList(definition: AnyDefinition): string {
  const shape = definition.schema.shape as Record<string, z.ZodType>;
  const fields = definition.inputs.shape as Record<string, z.ZodType>;
  const isShown = (name: string): boolean => name !== "adoptId" || definition.calls.adopt.length > 0;
  return Object.entries(shape)
    .filter(([name]) => isShown(name))
    .flatMap(([name, schema]) => [inputItem(definition, name, schema), ...fieldItems(fields[name])])
    .join("\n");
}

function inputItem(definition: AnyDefinition, name: string, schema: z.ZodType): string {
  const effects = [
    ["Change", onChange(definition, name)],
    ["Removal", onRemoval(definition, name, schema)],
    ["Drift", drift(definition, name)],
  ].flatMap(([word, effect]) => (effect === undefined || effect === "" ? [] : [`*${word}:* ${effect}.`]));
  const secret = definition.secrets?.includes(name) === true ? " Secret." : "";
  const facts = [typeName(schema), isOptional(schema) ? "" : "required", inManifest(name)];
  return item(name, facts, [descriptionOf(schema) + secret, ...effects].join(" "));
}

function inManifest(input: string): string {
  const [first, ...others] = spellingsOf(input);
  if (first === undefined || first.name === input) return "";
  const further = others.map(({ name, reference }) => ` or, for a ${reference?.what ?? name}, ${code(name)}`);
  return `in YAML ${code(first.name)}${further.join("")}`;
}

function onChange(definition: AnyDefinition, name: string): string {
  const { changeDoc, onChange: word = "update" } = definition.rule(name);
  return changeDoc ?? (word === "none" ? "nothing" : word);
}

/** Tells the effect of removing a declared value. */
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
  return witness === undefined ? "not shown" : `seen only if ${code(witness)} changes`;
}

/** Lists the fields of an input below it: of an object, or of the objects in a list or map. */
function fieldItems(schema: z.ZodType | undefined): string[] {
  return Object.entries(schema === undefined ? {} : nestedShape(schema)).map(([field, inner]) => {
    const facts = [typeName(inner), isOptional(inner) ? "" : "required", inManifest(field)];
    return item(field, facts, descriptionOf(inner), "  ");
  });
}

function outputList({ outputs, inputs }: AnyDefinition): string {
  const shape = outputs.shape as Record<string, z.ZodType>;
  const lines = Object.entries(shape).map(([name, schema]) => {
    const shown = name in inputs.shape ? " As the service shows it." : "";
    return item(name, [typeName(schema)], descriptionOf(schema) + shown);
  });
  return [item("id", ["text"], "Id of the object in the service."), ...lines].join("\n");
}
