import type { z } from "zod";
import { accountSettings, entryOptions } from "../../../manifest/declare/entries.ts";
import { codes } from "../../../manifest/source/diagnostics.ts";
import { descriptionOf, isOptional } from "../../../provider/definition/schema-walk.ts";
import { referenceNames } from "../../../manifest/language/fields.ts";
import { forms, layerForms } from "../../../manifest/language/forms.ts";
import { sections } from "../../../manifest/language/addresses.ts";
import { anchor, code, page, table } from "./markdown.ts";
import { typeName } from "./types.ts";

const INTRODUCTION = `# landform.yaml

A manifest declares what a program would, without one. \`landform check\` checks it, and every command takes it where there
is no program. \`schema/landform.schema.json\` gives editors completion and checks: put this line first.

\`\`\`yaml
# yaml-language-server: $schema=node_modules/landform/schema/landform.schema.json
landform: 1
\`\`\`

A Pulumi program can take a manifest in, too: \`export default manifest("landform.yaml")\` with \`manifest\` from
\`landform/manifest\`.`;

const REFERENCES = `## References

An input that is the id of something is written without \`Id\`: ${referenceNames().map(code).join(", ")}. It takes one of

- the key of an entry of the same manifest: \`project: spring\` (a template or a video: its id, since a manifest can't declare one);
- \`{ id: ... }\`: an object that is not managed here, by its id;
- \`{ lookup: { name: ... } }\`: the one object of the account with exactly this name, looked up when the program runs.

Entries are registered after what they refer to, whatever their order in the file. \`outputs\` and \`{ ref: ... }\` name an output as
\`pages.offer.url\`; a key with a dot or a space is quoted: \`pages["my offer"].url\`.`;

export function manifestPage(): string {
  return page(
    INTRODUCTION,
    "## Top level",
    topLevel(),
    REFERENCES,
    "## Values from elsewhere",
    "Where a scalar is expected, or any JSON, one of these may stand:",
    valueForms(),
    "Texts take `${each.x}`, `${stack}` and `${config.x}`; `$${` writes the two characters. A map (content, variables) may be one of these, or a list of them and of maps, in order:",
    layerRows(),
    "## Options of an entry",
    "Each entry takes `each` ([one for each row of a list or file](../guides/many-pages.md)), `account` (the key of an account under `accounts`) and `options`:",
    fields(entryOptions),
    "## Accounts",
    "Each entry under `accounts` takes:",
    fields(accountSettings),
    "## Diagnostics",
    "Every problem has a stable code, a file, a line and a column. [Troubleshooting](../troubleshooting.md) says more of each.",
    table(
      ["Code", "Meaning"],
      Object.entries(codes).map(([name, meaning]) => [
        `[${code(name)}](../troubleshooting.md#${anchor(`manifest ${name}`)})`,
        meaning,
      ]),
    ),
  );
}

function topLevel(): string {
  const settings = [
    ["`landform`", "Version of this format: 1. Required."],
    ["`name`", "Name of the project in Pulumi's state. Default: the name of the folder."],
    [
      "`include`",
      "Further files of this folder, relative to this one; a `*` stands for any part of a name. Their entries are added.",
    ],
    ["`defaults`", "What the entries of a section have where they don't say it themselves."],
    ["`accounts`", "Further accounts of the service, for entries that name one."],
    ["`copy`", "`source`: the language that everything is [translated](../guides/translations.md) from."],
    ["`lint`", "Levels and options of the [rules of lint](lint.md)."],
    ["`outputs`", "Outputs of the stack: a name, and the output of a resource that it shows."],
    ["`x-...`", "Ignored: a place for YAML anchors."],
  ];
  const kinds = [...sections].map(([section, { definition }]) => [
    code(section),
    `${definition.doc} Fields: [${definition.type}](resources.md#${anchor(definition.type)}).`,
  ]);
  return table(["Key", "Meaning"], [...settings, ...kinds]);
}

function valueForms(): string {
  const rows = Object.entries(forms).map(([name, form]) => {
    const example = `{ ${Object.keys(form.shape)
      .map((key) => `${key}: ...`)
      .join(", ")} }`;
    return [code(example), `${form.description ?? name}${further(form)}`];
  });
  return table(["Form", "Value"], rows);
}

function layerRows(): string {
  const rows = Object.values(layerForms).map((form) => {
    const example = `{ ${Object.keys(form.shape)
      .map((key) => `${key}: ...`)
      .join(", ")} }`;
    return [code(example), `${form.description ?? ""}${further(form)}`];
  });
  return table(["Form", "Keys and values"], rows);
}

/** What the fields beyond the one that names the form do. */
function further(form: z.ZodObject): string {
  const optional = Object.entries(form.shape as Record<string, z.ZodType>).filter(([, schema]) => isOptional(schema));
  return optional.map(([name, schema]) => ` ${code(name)}: ${descriptionOf(schema)}`).join("");
}

function fields(object: z.ZodObject): string {
  const rows = Object.entries(object.shape as Record<string, z.ZodType>).map(([name, schema]) => [
    code(name),
    typeName(schema),
    isOptional(schema) ? "" : "yes",
    descriptionOf(schema),
  ]);
  return table(["Field", "Type", "Required", "Meaning"], rows);
}
