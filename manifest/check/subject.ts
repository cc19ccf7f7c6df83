/** What a rule of lint is: data about it, and a pure function from what the manifest declares to what it finds there. */
import { z } from "zod";
import { isMap } from "../../provider/values/json.ts";
import { propertyPath } from "../../provider/values/paths.ts";
import { spotOf } from "../declare/faults.ts";
import {
  Deferred,
  type Entry,
  type Level,
  type Manifest,
  type Spot,
  type Tree,
  type TreeMap,
} from "../declare/model.ts";
import { textsIn } from "../declare/texts.ts";
import type { TemplateKeys } from "../language/templates.ts";
import type { Place } from "../source/file.ts";
import {
  type ChangedTexts,
  type CopyRecord,
  type LostLanguage,
  lostLanguages,
  type Standing,
  standingIn,
  type Translation,
  translationsIn,
} from "../translate/translations.ts";

export interface Finding {
  readonly at: Spot;
  readonly message: string;
  readonly hint?: string;
  readonly related?: readonly { readonly place: Place; readonly message: string }[];
}

export interface Rule {
  readonly id: string;
  /** What it finds, in a line. */
  readonly about: string;
  /** Where the manifest says nothing. */
  readonly level: Level;
  /** What it takes beyond its level. */
  readonly options: z.ZodObject;
  /** `options`: as the manifest has them. */
  check(subject: Subject, options: unknown): Iterable<Finding>;
}

interface Definition<Shape extends z.ZodRawShape> {
  readonly id: string;
  readonly about: string;
  readonly level: Level;
  readonly options?: Shape;
  check(subject: Subject, options: z.output<z.ZodObject<Shape>>): Iterable<Finding>;
}

export function defineRule<const Shape extends z.ZodRawShape>(rule: Definition<Shape>): Rule {
  const { id, about, level } = rule;
  const options = z.object((rule.options ?? {}) as Shape);
  return { id, about, level, options, check: (subject, given) => rule.check(subject, options.parse(given)) };
}

interface LintText {
  readonly entry: Entry;
  /** Of content its key (`hero.title`), of other texts their input (`publish.slug`). */
  readonly name: string;
  readonly value: string;
  readonly spot: Spot;
  /** Where it is content: of what. */
  readonly of: ContentEntry | undefined;
}

/** An entry that takes content. */
export interface ContentEntry {
  readonly entry: Entry;
  readonly content: Readonly<Record<string, Tree>>;
  /** Names of the variables that it gives a value. */
  readonly variables: readonly string[];
  /** The template that it is made from, itself or through the entries that it is a copy of. */
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
  readonly lost: readonly LostLanguage[];
  /** Of a plan. */
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
  const standing = standingIn(translations, record, changed);
  const lost = lostLanguages(translations, record, changed);
  return { manifest, entries, contents: [...contents.values()], texts, translations, standing, lost, changed };
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
  return {
    entry,
    content: mapIn(entry.inputs["content"]),
    variables: Object.keys(mapIn(entry.inputs["variables"])),
    template,
    isCopy: entry.inputs["duplicateOf"] !== undefined,
    known: template === undefined ? undefined : templates.get(template),
  };
}

/** Through copies of copies; what is only known when it runs is not known here. */
function templateOf(entry: Entry, entries: ReadonlyMap<string, Entry>): string | undefined {
  const { templateId, duplicateOf } = entry.inputs;
  if (typeof templateId === "string") return templateId;
  const original = targetOf(duplicateOf);
  const source = original === undefined ? undefined : entries.get(original);
  // The entries are in order: a copy never leads back to itself.
  return source && templateOf(source, entries);
}

/** The address of the entry whose id this is. */
export function targetOf(tree: Tree | undefined): string | undefined {
  return tree instanceof Deferred && tree.origin.from === "resource" ? tree.origin.target : undefined;
}

export function mapIn(tree: Tree | undefined): TreeMap {
  return tree instanceof Deferred || !isMap(tree) ? {} : tree;
}

function textsOf(entry: Entry, of: ContentEntry | undefined): LintText[] {
  return textsIn(entry.inputs, entry.definition.inputs, []).flatMap(({ path, value }) => {
    const spot = entry.places.get(propertyPath(path));
    // A name that nobody wrote is the key.
    if (spot === undefined) return [];
    const isContent = path[0] === "content" && path.length === 2;
    const name = isContent ? String(path[1]) : propertyPath(path);
    return [{ entry, name, value, spot, of: isContent ? of : undefined }];
  });
}
