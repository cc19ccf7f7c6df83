import type { z } from "zod";
import { spellingsOf } from "../../../manifest/language/fields.ts";
import type { AnyDefinition } from "../../../provider/definition/define.ts";
import { registry, type Kind } from "../../../provider/kinds/registry.ts";
import { descriptionOf, isOptional } from "../../../provider/definition/schema-walk.ts";
import { membersOf } from "./interfaces.ts";
import { anchor, code, item, page } from "./markdown.ts";
import { nestedShape, typeName } from "./types.ts";

const INTRODUCTION = `# Resources

In a program each resource is a class ([example](../examples.md#a-program)). In landform.yaml it is an entry in the section of its kind: a
\`Page\` in \`pages\`, a \`VideoPlayer\` in \`videoPlayers\`.

## For every kind

- \`name\` is the display name. Default: the logical name.
- With \`adoptId\`, Landform adopts the object of this id instead of creating one. If you change \`adoptId\` later, Landform adopts the
  other object and deletes the old one.
- The outputs are the inputs as the service shows them, \`id\`, the dates \`createdAt\` and \`updatedAt\` (ISO-8601), and those of the kind.
  An output is \`null\` if the service shows no value.
- Landform refuses an unknown property and names the nearest known one.

An input behaves as follows, and the line of an exception names it. For a map such as \`content\`, this holds for each key.

- **Change**: a new value updates the object. Exceptions: *replace* (Landform makes a new object), *refuse* (the plan fails with the
  reason), *nothing* (the object stays as it is).
- **Removal**: the object keeps the value, and Landform no longer manages it. Exceptions: *cleared* (to the value in parentheses),
  *replace*, *refuse*.
- **Drift**: a refresh sees if somebody changed the value in the app. Exceptions: *by key* (only for declared keys), *not shown* (the
  service does not show the value, so Landform compares the code with what was sent).

Pulumi's options work (\`protect\`, \`dependsOn\`, \`ignoreChanges\`, \`aliases\`, \`retainOnDelete\` and the rest), with these exceptions:

- \`replaceOnChanges\` replaces nothing, because only the provider decides about a replacement.
- With \`deletedWith\` Pulumi makes no call. The object stays in the account, and the plan says so.
- With \`deleteBeforeReplace\` a public page is gone until its replacement is published, and the plan warns of it. Without the option, Landform
  makes the new page first.`;

export function resourcesPage(): string {
  const kinds = Object.entries(registry) as [Kind, AnyDefinition][];
  const types = [...kinds.map(([, { type }]) => type), "LandingFunnel", "Account"];
  return page(
    INTRODUCTION,
    types.map((type) => `[${type}](#${anchor(type)})`).join(" · "),
    ...kinds.map(([, definition], index) =>
      resource(
        definition,
        kinds.slice(0, index).map(([, one]) => one),
      ),
    ),
    landingFunnel(),
    account(),
  );
}

function landingFunnel(): string {
  const source = "provider/pulumi/components.ts";
  return [
    "## LandingFunnel",
    "A funnel in ten lines of a program: pages in order, published on one site, and the funnel that joins them. In landform.yaml each of these is an entry of its own.",
    "If you move a page or funnel into it and keep the name, Landform replaces nothing.",
    "### Inputs of LandingFunnel",
    memberList(source, "LandingFunnelArgs", true),
    "There are three kinds of step. The first is a page that the component makes. It takes the [inputs of Page](#inputs-of-page) except `publish`, `siteId` and `projectId`, and these:",
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

function resource(definition: AnyDefinition, before: readonly AnyDefinition[]): string {
  const { type, doc, limits } = definition;
  return [
    `## ${type}`,
    doc,
    "### Inputs of " + type,
    withoutRepeats("inputs", definition, before),
    "### Outputs of " + type,
    withoutDates(definition),
    withoutRepeats("outputs", definition, before),
    "### Limits of " + type,
    limits.map(({ api, landform }) => `- **${api}** ${landform}`).join("\n"),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

const DATES = ["createdAt", "updatedAt"];

/** Says which dates the kind has not. */
function withoutDates({ outputs }: AnyDefinition): string {
  const missing = DATES.filter((name) => !(name in outputs.shape));
  return missing.length === 0 ? "" : `It has no ${missing.map(code).join(" and no ")}.`;
}

/** Items in their order, by the name of the field. An item may have several lines. */
type Items = ReadonlyMap<string, string>;

const ITEMS: Readonly<Record<"inputs" | "outputs", (definition: AnyDefinition) => Items>> = {
  inputs: inputItems,
  outputs: outputItems,
};

const MANY = 5;

/** Names the fields that an earlier kind describes in the same words, if there are many, and describes the others. */
function withoutRepeats(
  part: "inputs" | "outputs",
  definition: AnyDefinition,
  before: readonly AnyDefinition[],
): string {
  const items = ITEMS[part](definition);
  for (const { type, ...other } of before) {
    const known = ITEMS[part]({ type, ...other });
    const [same, own] = [true, false].map((isSame) =>
      [...items].filter(([name, text]) => (known.get(name) === text) === isSame),
    ) as [[string, string][], [string, string][]];
    if (same.length < MANY) continue;
    const told = `- As in [${type}](#${part}-of-${anchor(type)}): ${same.map(([name]) => code(name)).join(", ")}.`;
    return [told, ...own.map(([, text]) => text)].join("\n");
  }
  return [...items.values()].join("\n");
}

function inputItems(definition: AnyDefinition): Items {
  const shape = definition.schema.shape as Record<string, z.ZodType>;
  const fields = definition.inputs.shape as Record<string, z.ZodType>;
  const isShown = (name: string): boolean => name !== "adoptId" || definition.calls.adopt.length > 0;
  return new Map(
    Object.entries(shape)
      .filter(([name]) => isShown(name))
      .map(([name, schema]) => [name, [inputItem(definition, name, schema), ...fieldItems(fields[name])].join("\n")]),
  );
}

/** The input that the introduction tells once. */
const USUAL_NAME = "Display name. Default: the resource's logical name.";

/** The effects that the introduction tells once. */
const USUAL: Readonly<Record<string, string>> = { Change: "update", Removal: "stays", Drift: "seen" };

function inputItem(definition: AnyDefinition, name: string, schema: z.ZodType): string {
  const effects = [
    ["Change", onChange(definition, name)],
    ["Removal", onRemoval(definition, name, schema)],
    ["Drift", drift(definition, name)],
  ].flatMap(([word = "", effect = ""]) =>
    effect === "" || effect === USUAL[word] || name === "adoptId" ? [] : [`*${word}:* ${effect}.`],
  );
  const secret = definition.secrets?.includes(name) === true ? " Secret." : "";
  const facts = [typeName(schema), isOptional(schema) ? "" : "required", inManifest(name)];
  const isTold = name === "adoptId" || descriptionOf(schema) === USUAL_NAME;
  const about = isTold ? "" : descriptionOf(schema).replace(/ ?A change replaces [\w ]+\./, "") + secret;
  return item(name, facts, [about, ...effects].filter((part) => part !== "").join(" "));
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
  const { shownValue, proxyOutput, perKey, onChange: effect, shownOnWrites } = definition.rule(name);
  if (shownOnWrites) return "not shown";
  if (effect === "none") return "";
  if (perKey && shownValue) return "by key";
  if (shownValue) return "seen";
  return proxyOutput === undefined ? "not shown" : `seen only if ${code(proxyOutput)} changes`;
}

/** Lists the fields of an input below it: of an object, or of the objects in a list or map. */
function fieldItems(schema: z.ZodType | undefined): string[] {
  return Object.entries(schema === undefined ? {} : nestedShape(schema)).map(([field, inner]) => {
    const facts = [typeName(inner), isOptional(inner) ? "" : "required", inManifest(field)];
    return item(field, facts, descriptionOf(inner), "  ");
  });
}

function outputItems({ outputs, inputs }: AnyDefinition): Items {
  const shape = outputs.shape as Record<string, z.ZodType>;
  const declared = inputs.shape as Record<string, z.ZodType>;
  const isKnown = (name: string, about: string): boolean =>
    declared[name] !== undefined && descriptionOf(declared[name]).startsWith(about.replace(/\.$/, ""));
  const lines = Object.entries(shape).flatMap(([name, schema]): [string, string][] => {
    const about = descriptionOf(schema);
    return isKnown(name, about) || DATES.includes(name)
      ? []
      : [[name, item(name, [typeName(schema).replace(/ or null$/, "")], about)]];
  });
  return new Map(lines);
}
