/** Hand edits in the words of a program: a text that stands in one literal is changed there; of anything else, the place is told. */
import { relative } from "node:path";
import { refusalText, type LiveTexts } from "../../manifest/index.ts";
import { type SourceOptions, openTexts } from "../sources/open.ts";
import type { RecordedObject, SourceText } from "../sources/texts.ts";
import { changedFiles, type Replacement } from "../sources/writing.ts";
import type { Drift, DriftField } from "../report/model.ts";
import { pathText } from "../report/values.ts";

export async function programTexts(changed: readonly Drift[], options: SourceOptions): Promise<LiveTexts> {
  const { sources, objects, folder } = await openTexts(options);
  const replacements: (Replacement & { readonly what: string })[] = [];
  const kept: string[] = [];
  for (const one of changed) {
    const object = objects.find(({ urn }) => urn === one.urn);
    for (const field of one.fields) {
      const what = `${one.type} ${one.name} ${pathText(field.path)}`;
      const found = literalOf(field, sources, object);
      if (typeof found === "string") kept.push(`${what} (${found})`);
      else replacements.push({ ...found, what });
    }
  }
  const [files, base] = [new Map<string, string>(), new Map<string, string>()];
  const updated: string[] = [];
  for (const { path, before, after } of changedFiles(replacements)) {
    const own = replacements.filter(({ source }) => source.file === path);
    if (typeof after === "string") {
      files.set(relative(folder.root, path), after);
      base.set(relative(folder.root, path), before);
      updated.push(...own.map(({ source, what }) => `${source.name}: ${what}`));
    } else kept.push(...own.map(({ what }) => `${what} (${refusalText(after)})`));
  }
  return { files, base, updated, kept };
}

/** The one literal that says what the code wants there; why there is none, in words. */
function literalOf(
  { live, code }: DriftField,
  sources: readonly SourceText[],
  object: RecordedObject | undefined,
): Replacement | string {
  const declaredAt = object?.declaredAt;
  const place = declaredAt === undefined ? "" : `, declared at ${declaredAt.name}:${declaredAt.line}`;
  if (typeof live !== "string" || typeof code !== "string") return `no text${place}`;
  const saying = sources.filter((source) => says(source, code));
  const [only] = saying;
  if (only !== undefined && saying.length === 1) return { source: only, now: live + only.value.slice(code.length) };
  if (saying.length === 0) return `the code computes it${place}`;
  return `${saying.length} places of the code say so (${saying.map(placeOf).slice(0, 3).join(", ")}${saying.length > 3 ? ", …" : ""})`;
}

/** The line end of a file that is one text is often left out by who reads it. */
function says({ value, by }: SourceText, text: string): boolean {
  return value === text || (by.kind === "plain" && value.startsWith(text) && /^\r?\n$/.test(value.slice(text.length)));
}

function placeOf({ name, whole, start }: SourceText): string {
  return `${name}:${whole.slice(0, start).split("\n").length}`;
}
