/** Hand edits in the words of a program: a text that stands in one literal is changed there; of anything else, the place is told. */
import { relative } from "node:path";
import { refusalText, withCells, type LiveTexts } from "../../manifest/index.ts";
import { type SourceOptions, openTexts } from "../sources/open.ts";
import type { RecordedObject, SourceText } from "../sources/texts.ts";
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
  for (const [file, own] of Map.groupBy(replacements, ({ source }) => source.place.file)) {
    const name = relative(folder.root, file.path);
    const changes = own.map(({ source: { place }, now }) => ({ place, value: now }));
    const after = own.some(({ source }) => source.isWhole) ? (own[0]?.now ?? "") : withCells(file, changes);
    if (typeof after === "string") {
      files.set(name, after);
      base.set(name, file.text);
      updated.push(...own.map(({ what }) => `${name}: ${what}`));
    } else kept.push(...own.map(({ what }) => `${what} (${refusalText(after)})`));
  }
  return { files, base, updated, kept };
}

interface Replacement {
  readonly source: SourceText;
  /** The text as it is to be written. */
  readonly now: string;
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
function says({ value, isWhole }: SourceText, text: string): boolean {
  return value === text || (isWhole === true && value.startsWith(text) && /^\r?\n$/.test(value.slice(text.length)));
}

function placeOf({ name, place: { file, start } }: SourceText): string {
  return `${name}:${file.text.slice(0, start).split("\n").length}`;
}
