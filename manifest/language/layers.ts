/** Where keys and values of a map (a page's content, variables) may come from: files, folders, and several of them in order. */
import { z } from "zod";

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
        .regex(/^[\w-]+$/)
        .optional()
        .describe("Language: of de-AT, what is there for de, and over it what is there for de-AT."),
    })
    .describe("Keys and values of a data file."),
  folder: z
    .strictObject({ folder: z.string().min(1).describe("Folder of text files: the name of each is a key.") })
    .describe("The texts of a folder."),
} as const;

export type LayerForm = z.infer<(typeof layerForms)["file"]> | z.infer<(typeof layerForms)["folder"]>;

/** The form that a map with these keys is; one that is written in quotes is a key of the user's own. */
export function layerFormOf(
  keys: readonly { readonly name: string; readonly plain: boolean }[],
): "file" | "folder" | undefined {
  return (["file", "folder"] as const).find((form) => {
    const words = Object.keys(layerForms[form].shape);
    return keys.some(({ name, plain }) => name === form && plain) && keys.every(({ name }) => words.includes(name));
  });
}
