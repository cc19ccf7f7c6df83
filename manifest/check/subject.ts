/** A lint rule: its data, and a pure function from the manifest's declarations to the findings. */
import { z } from "zod";
import { propertyPath } from "../../provider/values/paths.ts";
import { spotOf } from "../declare/faults.ts";
import { type Entry, isTreeMap, type Level, type Manifest, type Spot } from "../declare/model.ts";
import { targetOf, type Tree, type TreeMap } from "../declare/model.ts";
import { textsIn } from "../declare/texts.ts";
import type { TemplateKeys } from "../language/templates.ts";
import type { Place } from "../source/file.ts";
import { type ExchangedLanguage, exchangedLanguages, type Lost, lostIn } from "../translate/lost.ts";
import { type ChangedTexts, type CopyRecord, type Standing, standingIn } from "../translate/translations.ts";
import { type Translation, translationsIn } from "../translate/translations.ts";

export interface Finding {
  readonly at: Spot;
  /** The part of the text that is meant. It tells which cell, if the text is put together from several. */
  readonly part?: string;
  readonly message: string;
  readonly hint?: string;
  /** Addresses of other entries that take the same value from the same place. */
  readonly also?: readonly string[];
  /** A plan that brings it needs a person's permission, because visitors would read what can't be meant. */
  readonly holds?: boolean;
  /** For a finding that is one of many of its kind: the one that ranks highest is told, with a count. */
  readonly among?: { readonly rank: number; readonly told: (count: number) => string };
  readonly related?: readonly { readonly place: Place; readonly message: string }[];
}

/** The findings that a plan tells unasked: all of them, or those about resources that it changes. */
type Unasked = "all" | "of changes";

interface Traits {
  readonly id: string;
  readonly about: string;
  readonly level: Level;
  readonly unasked?: Unasked;
  /**
   * Findings with the same message, but for the path, are told as one with a count. An export has many texts that its account leaves empty.
   * `by rank`: those that have `among` are told so.
   */
  readonly together?: "from two" | "if many" | "by rank";
}

export interface Rule extends Traits {
  readonly options: z.ZodObject;
  /** `options`: the values in the manifest. */
  check(subject: Subject, options: unknown): Iterable<Finding>;
}

interface Definition<Shape extends z.ZodRawShape> extends Traits {
  readonly options?: Shape;
  check(subject: Subject, options: z.output<z.ZodObject<Shape>>): Iterable<Finding>;
}

export function defineRule<const Shape extends z.ZodRawShape>(rule: Definition<Shape>): Rule {
  const options = z.object((rule.options ?? {}) as Shape);
  return { ...rule, options, check: (subject, given) => rule.check(subject, options.parse(given)) };
}

interface LintText {
  readonly entry: Entry;
  /** The key of a content text (`hero.title`), or the input of another text (`publish.slug`). */
  readonly name: string;
  readonly value: string;
  readonly spot: Spot;
  readonly of: ContentEntry | undefined;
}

export interface ContentEntry {
  readonly entry: Entry;
  readonly content: Readonly<Record<string, Tree>>;
  readonly variables: readonly string[];
  /** The template of the entry, or of the entry that it is a copy of. */
  readonly template: string | undefined;
  readonly isCopy: boolean;
  readonly known: TemplateKeys | undefined;
}

export interface Subject {
  readonly manifest: Manifest;
  readonly entries: ReadonlyMap<string, Entry>;
  readonly contents: readonly ContentEntry[];
  readonly texts: readonly LintText[];
  readonly translations: readonly Translation[];
  readonly standing: ReadonlyMap<Translation, Standing>;
  readonly lost: Lost;
  readonly exchanged: readonly ExchangedLanguage[];
  readonly changed: ChangedTexts | undefined;
}

export function subjectOf(
  manifest: Manifest,
  templates: ReadonlyMap<string, TemplateKeys>,
  record: CopyRecord,
  changed: ChangedTexts | undefined,
): Subject {
  const entries = new Map(manifest.entries.map((entry) => [entry.address, entry]));
  const contents = new Map(
    manifest.entries.flatMap((entry) =>
      "content" in entry.definition.inputs.shape ? [[entry, contentOf(entry, entries, templates)] as const] : [],
    ),
  );
  const texts = manifest.entries.flatMap((entry) => textsOf(entry, contents.get(entry)));
  const translations = translationsIn(manifest);
  return {
    manifest,
    entries,
    contents: [...contents.values()],
    texts,
    translations,
    standing: standingIn(translations, record, changed),
    lost: lostIn(translations, record, changed),
    exchanged: exchangedLanguages(translations, record, changed),
    changed,
  };
}

export function keySpot({ entry }: ContentEntry, key: string): Spot {
  return spotOf(entry, ["content", key]);
}

function contentOf(
  entry: Entry,
  entries: ReadonlyMap<string, Entry>,
  templates: ReadonlyMap<string, TemplateKeys>,
): ContentEntry {
  const template = templateOf(entry, entries);
  const { content, variables, duplicateOf } = entry.inputs;
  return {
    entry,
    content: mapIn(content),
    variables: Object.keys(mapIn(variables)),
    template,
    isCopy: duplicateOf !== undefined,
    known: templates.get(template ?? ""),
  };
}

/** Follows copies of copies. Values that only the run knows are unknown here. */
function templateOf(entry: Entry, entries: ReadonlyMap<string, Entry>): string | undefined {
  const { templateId, duplicateOf } = entry.inputs;
  if (typeof templateId === "string") return templateId;
  const source = entries.get(targetOf(duplicateOf) ?? "");
  // The entries are in order, so a copy never leads back to itself.
  return source && templateOf(source, entries);
}

export function mapIn(tree: Tree | undefined): TreeMap {
  return isTreeMap(tree) ? tree : {};
}

function textsOf(entry: Entry, of: ContentEntry | undefined): LintText[] {
  return textsIn(entry.inputs, entry.definition.inputs, []).flatMap(({ path, value }) => {
    const spot = entry.places.get(propertyPath(path));
    // If nobody wrote a name, it is the key.
    if (spot === undefined) return [];
    const isContent = path[0] === "content" && path.length === 2;
    const name = isContent ? String(path[1]) : propertyPath(path);
    return [{ entry, name, value, spot, of: isContent ? of : undefined }];
  });
}
