/**
 * The names of an entry's fields, and the references among them. They follow from the inputs: a `projectId` that refers to a project is written
 * `project`. It takes the key of a project if the registry has such a kind.
 */
import type { z } from "zod";
import { refersTo, schemaBelow, shapeOf } from "../../provider/definition/schema-walk.ts";
import { registry, type Kind } from "../../provider/kinds/registry.ts";

export interface Reference {
  /** The word of the collection that has the thing. */
  readonly what: string;
  /** The kind whose keys it takes. Undefined for things that a manifest can't declare; a manifest names those by their id. */
  readonly kind: Kind | undefined;
}

export interface Field {
  readonly name: string;
  readonly input: string;
  readonly schema: z.ZodType;
  readonly reference: Reference | undefined;
}

export type Fields = ReadonlyMap<string, Field>;

const known = new WeakMap<object, Fields>();

export function fieldsOf({ shape }: z.ZodObject): Fields {
  const found = known.get(shape);
  if (found) return found;
  const fields = new Map<string, Field>();
  for (const [input, schema] of Object.entries(shape) as [string, z.ZodType][]) {
    for (const { name, reference } of spellings(input, schema)) fields.set(name, { name, input, schema, reference });
  }
  known.set(shape, fields);
  return fields;
}

/** Returns the fields of all alternatives. A field is required only if every alternative requires it. */
export function fieldsOfAny(options: readonly z.ZodType[]): Fields {
  const all = options.flatMap((option) => {
    const shape = shapeOf(option);
    return shape.type === "object" ? [fieldsOf(shape.object)] : [];
  });
  const named = all.flatMap((fields) => [...fields]);
  return new Map(
    named.map(([name, field]) =>
      all.every((fields) => fields.has(name)) ? [name, field] : [name, { ...field, schema: field.schema.optional() }],
    ),
  );
}

/** Returns the spellings of an object's only field, if it is a reference: the key alone is enough there. */
export function onlyReference(schema: unknown): readonly Field[] {
  const shape = shapeOf(schema);
  if (shape.type !== "object") return [];
  const fields = [...fieldsOf(shape.object).values()];
  const [first] = fields;
  return fields.every(({ input, reference }) => input === first?.input && reference !== undefined) ? fields : [];
}

/** Returns the name of an input in a manifest. If there are several (a step's page or quiz), returns the first. */
export function manifestName(input: string): string {
  return references().get(input)?.[0]?.name ?? input;
}

/** Returns the names of an input, each with the kind that it refers to. */
export function spellingsOf(input: string): readonly Spelling[] {
  return references().get(input) ?? [{ name: input, reference: undefined }];
}

/** Returns a text of the provider in the words of the manifest: `publish.siteId` becomes `publish.site`. */
export function inManifestWords(text: string): string {
  return text.replaceAll(/\b[a-z][A-Za-z]*Id\b/g, manifestName);
}

const STEP = /[\w$-]+|\[(?:\d+|\*|"(?:[^"\\]|\\.)*")\]/g;

/** Returns a property path in the words of the inputs. It renames fields and keeps the user's own keys. */
export function inInputWords(path: string, inputs: z.ZodObject): string {
  let here: unknown = inputs;
  return path.replaceAll(STEP, (step) => {
    const shape = shapeOf(here);
    const options = shape.type === "union" ? shape.options : shape.type === "object" ? [shape.object] : [];
    const field = fieldsOfAny(options).get(step);
    here = schemaBelow(here, field?.input ?? step);
    return field?.input ?? step;
  });
}

interface Spelling {
  readonly name: string;
  readonly reference: Reference | undefined;
}

/** Gives a further target a name of its own: a step's page may be a quiz. */
function spellings(input: string, schema: z.ZodType): Spelling[] {
  const targets = refersTo(schema);
  if (targets.length === 0) return [{ name: input, reference: undefined }];
  return targets.map((what, index) => ({
    name: index === 0 ? input.replace(/Id$/, "") : what,
    reference: { what, kind: isKind(what) ? what : undefined },
  }));
}

let found: ReadonlyMap<string, readonly Spelling[]> | undefined;

/** Returns all inputs that are references, at any depth. */
function references(): ReadonlyMap<string, readonly Spelling[]> {
  found ??= new Map(Object.values(registry).flatMap(({ inputs }) => referencesBelow(inputs)));
  return found;
}

function referencesBelow(schema: unknown): [string, Spelling[]][] {
  const shape = shapeOf(schema);
  if (shape.type === "list") return referencesBelow(shape.element);
  if (shape.type === "map") return referencesBelow(shape.value);
  if (shape.type === "union") return shape.options.flatMap(referencesBelow);
  if (shape.type !== "object") return [];
  return Object.entries(shape.fields).flatMap(([input, field]): [string, Spelling[]][] =>
    refersTo(field).length > 0 ? [[input, spellings(input, field)]] : referencesBelow(field),
  );
}

export function targetsOf(input: string): readonly Reference[] {
  return (references().get(input) ?? []).flatMap(({ reference }) => reference ?? []);
}

export function nameFor(input: string, kind: Kind): string {
  return (
    references()
      .get(input)
      ?.find(({ reference }) => reference?.kind === kind)?.name ?? manifestName(input)
  );
}

/** Returns the names of inputs that a manifest writes without `Id`. */
export function referenceNames(): string[] {
  return [...references()].flatMap(([input, written]) =>
    written.map(({ name }) => name).filter((name) => name !== input),
  );
}

function isKind(name: string): name is Kind {
  return Object.hasOwn(registry, name);
}

export function isKey(value: string): boolean {
  return value !== "" && value.trim() === value && !/::|\p{Cc}/u.test(value);
}

/** Returns the alternative of a union of objects that has most of these names. */
export function alternative(options: readonly z.ZodType[], names: readonly string[]): z.ZodType | undefined {
  const score = (option: z.ZodType): number => {
    const shape = shapeOf(option);
    return shape.type === "object" ? names.filter((name) => fieldsOf(shape.object).has(name)).length : 0;
  };
  return [...options].sort((a, b) => score(b) - score(a))[0];
}
