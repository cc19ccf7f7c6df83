/**
 * What the fields of an entry are called, and which of them refer to something. It follows from the inputs: a `projectId`
 * is written `project` and takes the key of a project, since the registry has a kind of that name.
 */
import type { z } from "zod";
import type { LookupKind } from "../../provider/lookups/index.ts";
import { registry, type Kind } from "../../provider/registry.ts";
import { schemaBelow, shapeOf } from "../../provider/schema-walk.ts";

export interface Reference {
  readonly what: LookupKind;
  /** The kind whose keys it takes; undefined for things that a manifest can't declare, which are named by their id. */
  readonly kind: Kind | undefined;
}

export interface Field {
  readonly name: string;
  /** Name of the input. */
  readonly input: string;
  readonly schema: z.ZodType;
  readonly reference: Reference | undefined;
}

const NAMED_BY_ID = new Set(["template", "video"]);

/** Fields by the name that a manifest gives them. */
export type Fields = ReadonlyMap<string, Field>;

const known = new WeakMap<object, Fields>();

export function fieldsOf({ shape }: z.ZodObject): Fields {
  const found = known.get(shape);
  if (found) return found;
  const fields = new Map<string, Field>();
  for (const [input, schema] of Object.entries(shape) as [string, z.ZodType][]) {
    for (const { name, reference } of spellings(input)) fields.set(name, { name, input, schema, reference });
  }
  known.set(shape, fields);
  return fields;
}

/** The name of an input in a manifest; of several (a step's page or quiz) the first. */
export function manifestName(input: string): string {
  return spellings(input)[0]?.name ?? input;
}

/** A text of the provider in the words of the manifest: `publish.siteId` is `publish.site`. */
export function inManifestWords(text: string): string {
  return text.replaceAll(/\b[a-z]+Id\b/g, manifestName);
}

const STEP = /[\w$-]+|\[(?:\d+|\*|"(?:[^"\\]|\\.)*")\]/g;

/** The other way round, for property paths: what is a field is renamed, what is a key of the user's own is not. */
export function inInputWords(path: string, inputs: z.ZodObject): string {
  let here: unknown = inputs;
  return path.replaceAll(STEP, (step) => {
    const shape = shapeOf(here);
    const field = shape.type === "object" ? fieldsOf(shape.object).get(step) : undefined;
    here = schemaBelow(here, field?.input ?? step);
    return field?.input ?? step;
  });
}

function spellings(input: string): { name: string; reference: Reference | undefined }[] {
  if (input === "duplicateOf") return [{ name: input, reference: { what: "page", kind: "page" } }];
  // A quiz is hosted by a page, and its id is that page's.
  if (input === "pageId") return [refersTo("page"), refersTo("quiz")];
  const name = input.endsWith("Id") ? input.slice(0, -2) : "";
  if (isKind(name)) return [refersTo(name)];
  if (NAMED_BY_ID.has(name)) return [{ name, reference: { what: name as LookupKind, kind: undefined } }];
  return [{ name: input, reference: undefined }];
}

function refersTo(kind: Kind): { name: string; reference: Reference } {
  return { name: kind, reference: { what: kind as LookupKind, kind } };
}

function isKind(name: string): name is Kind {
  return Object.hasOwn(registry, name);
}

export function isKey(value: string): boolean {
  return value !== "" && value.trim() === value && !/::|\p{Cc}/u.test(value);
}

/** Of the alternatives of a union of objects, the one that most of these names belong to. */
export function alternative(options: readonly z.ZodType[], names: readonly string[]): z.ZodType | undefined {
  const score = (option: z.ZodType): number => {
    const shape = shapeOf(option);
    return shape.type === "object" ? names.filter((name) => fieldsOf(shape.object).has(name)).length : 0;
  };
  return [...options].sort((a, b) => score(b) - score(a))[0];
}
