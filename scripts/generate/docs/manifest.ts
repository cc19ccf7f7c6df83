import type { z } from "zod";
import { entryOptions } from "../../../manifest/declare/entries.ts";
import { descriptionOf, isOptional } from "../../../provider/definition/schema-walk.ts";
import { referenceNames } from "../../../manifest/language/fields.ts";
import { forms, layerForms } from "../../../manifest/language/forms.ts";
import { sections } from "../../../manifest/language/addresses.ts";
import { anchor, code, item, page } from "./markdown.ts";
import { typeName } from "./types.ts";

const INTRODUCTION = `# landform.yaml

A manifest declares resources without a program. \`landform check\` checks it, and every command uses it if there is no program. With this first line,
your editor completes and checks it:

\`\`\`yaml
# yaml-language-server: $schema=node_modules/landform/schema/landform.schema.json
landform: 1
\`\`\`

A Pulumi program can use a manifest: \`export default manifest("landform.yaml")\` where \`manifest\` is from \`landform/manifest\`.`;

const REFERENCES = `## References

Inputs that take an id have a shorter name in a manifest, without \`Id\`: ${referenceNames().map(code).join(", ")}. Each takes one of these:

- the key of an entry of the same manifest: \`project: spring\` (a template or a video: its id, since a manifest can't declare one);
- \`{ id: ... }\`: an object that the code does not manage, by its id;
- \`{ lookup: { name: ... } }\`: the one object of the account with exactly this name, which Landform looks up when the program runs.

The order in the file does not matter. \`outputs\` and \`{ ref: ... }\` name an output as
\`pages.offer.url\`; put a key with a dot or a space in quotes: \`pages["my offer"].url\`.`;

export function manifestPage(): string {
  return page(
    INTRODUCTION,
    "## Top level",
    topLevel(),
    REFERENCES,
    "## Values from elsewhere",
    "Instead of a text, a number or any JSON you may write:",
    valueForms(),
    "Texts may have `${each.x}`, `${stack}` and `${config.x}`; `$${` stands for the characters `${`. A map such as `content` may come from files. Write one of these forms, or a list of forms and maps. For each key the last one in the list wins ([data](data.md)):",
    layerRows(),
    "## Options of an entry",
    "Each entry takes `each` ([one for each row of a list or file](../guides/many-pages.md)), `account` (the key of an account under `accounts`) and `options`:",
    fields(entryOptions),
    "## Accounts",
    "Each entry under `accounts` takes the [inputs of Account](resources.md#inputs-of-account).",
    "## Problems",
    "[Troubleshooting](../troubleshooting.md#landformyaml) explains the code of each problem.",
  );
}

function topLevel(): string {
  const settings = [
    ["`landform`", "Version of this format: 1. Required."],
    ["`name`", "Name of the project in Pulumi's state. Default: the name of the folder."],
    ["`include`", "More files of this folder; a `*` stands for any part of a name. Their entries are added."],
    ["`defaults`", "Values for the entries of a section that don't have their own."],
    ["`accounts`", "More accounts of the service, for entries that name one."],
    ["`copy`", "`source`: the source language of [translations](../guides/translations.md)."],
    ["`lint`", "Levels and options of the [rules of lint](lint.md)."],
    ["`outputs`", "Outputs of the stack: a name, and the output of a resource that it shows."],
    ["`x-...`", "Ignored: a place for YAML anchors."],
  ];
  const kinds = [...sections].map(
    ([section, { definition }]) => `[${code(section)}](resources.md#${anchor(definition.type)})`,
  );
  const lines = settings.map(([key = "", meaning = ""]) => `- ${key}: ${meaning}`);
  return [...lines, `- ${kinds.join(", ")}: Resources, each under a key of your own.`].join("\n");
}

function valueForms(): string {
  const rows = Object.entries(forms).map(([name, form]) => {
    const example = `{ ${Object.keys(form.shape)
      .map((key) => `${key}: ...`)
      .join(", ")} }`;
    return `- ${code(example)}: ${form.description ?? name}${further(form)}`;
  });
  return rows.join("\n");
}

function layerRows(): string {
  const rows = Object.values(layerForms).map((form) => {
    const example = `{ ${Object.keys(form.shape)
      .map((key) => `${key}: ...`)
      .join(", ")} }`;
    return `- ${code(example)}: ${form.description ?? ""}${further(form)}`;
  });
  return rows.join("\n");
}

/** Describes the fields beyond the one that names the form. */
function further(form: z.ZodObject): string {
  const optional = Object.entries(form.shape as Record<string, z.ZodType>).filter(([, schema]) => isOptional(schema));
  return optional.map(([name, schema]) => ` ${code(name)}: ${descriptionOf(schema)}`).join("");
}

function fields(object: z.ZodObject): string {
  return Object.entries(object.shape as Record<string, z.ZodType>)
    .map(([name, schema]) =>
      item(name, [typeName(schema), isOptional(schema) ? "" : "required"], descriptionOf(schema)),
    )
    .join("\n");
}
