/**
 * Forms: values that stand for others, such as `{ file: }`, `{ env: }`, `{ config: }` and `{ ref: }`. `{ literal: }` holds JSON that looks like a
 * form. A form is a map with exactly these keys. It may stand in place of a scalar or of any JSON; the maps and lists of the schema itself are
 * written out.
 */
import { z } from "zod";
import { shapeOf, takesAnything } from "../../provider/definition/schema-walk.ts";
import { parsePath } from "./addresses.ts";

/** The type that a text from outside becomes. */
export type Wanted = "text" | "number" | "boolean" | "json";

const scalar = z.union([z.string(), z.number(), z.boolean()]);

export const forms = {
  file: z
    .strictObject({
      file: z.string().min(1).describe("Text file in the manifest's folder, relative to the file that names it."),
    })
    .describe("The text of a file, as it is."),
  env: z
    .strictObject({
      env: z.string().min(1).describe("Name of the environment variable. An empty one counts as not set."),
      default: scalar.optional().describe("Value when the variable is not set."),
      secret: z.boolean().optional().describe("Keeps the value secret in state and output."),
    })
    .describe("The value of an environment variable when the program runs."),
  config: z
    .strictObject({
      config: z.string().min(1).describe("Key of the setting, of the project unless it has a namespace."),
      default: scalar.optional().describe("Value when the key is not set."),
    })
    .describe("A setting of the stack. A secret one stays secret."),
  ref: z
    .strictObject({ ref: z.string().min(1).describe("An output of a resource, such as pages.thanks.url.") })
    .describe("An output of another resource of the manifest."),
  literal: z
    .strictObject({ literal: z.json().describe("Any JSON, taken as it is.") })
    .describe("JSON that looks like one of these forms but is not one, such as { literal: { file: a.txt } }."),
} as const;
export type FormName = keyof typeof forms;

const formNames = Object.keys(forms) as FormName[];

export function formOf(keys: readonly string[], schema: unknown): FormName | undefined {
  const name = formNames.find((form) => keys.includes(form) && keys.every((key) => key in forms[form].shape));
  return name === "literal" && !takesAnything(schema) ? undefined : name;
}

/** `${{name}}` is a variable behind a dollar. */
const SIGN = /\$?\$\{(?!\{)/g;

/** Returns a text without its escapes. Returns undefined for a text with an expression, which nothing fills in. */
export function unescaped(text: string): string | undefined {
  const signs: readonly string[] = text.match(SIGN) ?? [];
  return signs.includes("${") ? undefined : text.replaceAll(SIGN, "${");
}

export function escaped(text: string): string {
  return text.replaceAll(/\$\{(?!\{)/g, "$$$${");
}

/** Returns the type that a form has to give for a schema; undefined if no form may stand there. */
export function wantedBy(schema: unknown): Wanted | undefined {
  const { type } = shapeOf(schema);
  if (type === "number" || type === "boolean") return type;
  if (type === "json" || type === "unknown") return "json";
  return type === "text" || type === "choice" ? "text" : undefined;
}

export function coerce(text: string, wanted: Wanted): string | number | boolean | undefined {
  if (wanted === "text" || wanted === "json") return text;
  const trimmed = text.trim();
  if (wanted === "boolean") return trimmed === "true" ? true : trimmed === "false" ? false : undefined;
  const number = Number(trimmed);
  return trimmed !== "" && Number.isFinite(number) ? number : undefined;
}

export const layerForms = {
  file: z
    .strictObject({
      file: z
        .string()
        .min(1)
        .describe("YAML, JSON or CSV file of the manifest's folder. With locale, a * in it stands for the language."),
      key: z.string().min(1).optional().describe("Column of a CSV file that holds the keys. Default: key."),
      value: z.string().min(1).optional().describe("Column of a CSV file that holds the values. Default: value."),
      locale: z
        .string()
        .regex(/^[\w-]+$/, { error: 'takes the tag of a language, such as "de" or "pt-BR"' })
        .optional()
        .describe("Language. For de-AT: the texts of de, and over them those of de-AT."),
    })
    .describe("Keys and values of a data file."),
  folder: z
    .strictObject({ folder: z.string().min(1).describe("Folder of text files: the name of each is a key.") })
    .describe("The texts of a folder."),
} as const;

export type LayerForm = z.infer<(typeof layerForms)["file"]> | z.infer<(typeof layerForms)["folder"]>;

/** Returns the form that has these keys. A name in quotes is a key of the user's own. */
export function layerFormOf(
  keys: readonly { readonly name: string; readonly plain: boolean }[],
): "file" | "folder" | undefined {
  return (["file", "folder"] as const).find((form) => {
    const words = Object.keys(layerForms[form].shape);
    return keys.some(({ name, plain }) => name === form && plain) && keys.every(({ name }) => words.includes(name));
  });
}

export type TextPart =
  | string
  | { readonly from: "each"; readonly path: readonly string[]; readonly written: string }
  | { readonly from: "stack" }
  | { readonly from: "config"; readonly key: string };

type ExpressionFault = { readonly fault: "open" } | { readonly fault: "unknown"; readonly written: string };

/** Matches from behind the opening sign to the closing brace. A key in quotes may hold a brace. */
const INNER = /(?:[^"{}\n]|"(?:[^"\\\n]|\\.)*")*\}/y;

/** Returns the parts of a text. A text without expressions has one part. */
export function textParts(text: string): readonly TextPart[] | ExpressionFault {
  const parts: TextPart[] = [];
  let plain = "";
  let at = 0;
  for (const { 0: sign, index } of text.matchAll(SIGN)) {
    if (index < at) continue;
    plain += text.slice(at, index);
    at = index + sign.length;
    if (sign === "$${") {
      plain += "${";
      continue;
    }
    INNER.lastIndex = at;
    const [inner] = INNER.exec(text) ?? [];
    if (inner === undefined) return { fault: "open" };
    const part = partOf(inner.slice(0, -1));
    if (!part) return { fault: "unknown", written: `\${${inner}` };
    if (plain !== "") parts.push(plain);
    parts.push(part);
    plain = "";
    at += inner.length;
  }
  plain += text.slice(at);
  if (plain !== "" || parts.length === 0) parts.push(plain);
  return parts;
}

function partOf(inner: string): Exclude<TextPart, string> | undefined {
  if (inner === "stack") return { from: "stack" };
  const [, key] = /^config\.([\w.:-]+)$/.exec(inner) ?? [];
  if (key !== undefined) return { from: "config", key };
  const [first, ...path] = parsePath(inner) ?? [];
  return first === "each" && path.length > 0 ? { from: "each", path, written: `\${${inner}}` } : undefined;
}

export function isFault(found: readonly TextPart[] | ExpressionFault): found is ExpressionFault {
  return "fault" in found;
}
