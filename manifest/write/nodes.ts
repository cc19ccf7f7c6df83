/** Makes YAML nodes of values, in the words of the manifest. */
import { posix } from "node:path";
import { isNode, type Node, Pair, Scalar, visit, YAMLMap, YAMLSeq } from "yaml";
import { isMap, type Json } from "../../provider/values/json.ts";
import { registry, type Kind } from "../../provider/kinds/registry.ts";
import { manifestName, nameFor, targetsOf } from "../language/fields.ts";
import { escaped, forms, unescaped } from "../language/forms.ts";
import { isPlainMap, plain, Reference, Setting, tellingInputs } from "../match/model.ts";
import type { Model, Resource, Value } from "../match/model.ts";
import { isLong, type TextFiles } from "./files.ts";
import { comment, commentText, sectionComment, sentence } from "./comments.ts";

export class NodeWriter {
  readonly #texts: TextFiles;
  /** The folder of the written file, relative to the manifest's folder: paths start there. */
  readonly #folder: string;

  constructor(texts: TextFiles, folder: string) {
    this.#folder = folder;
    this.#texts = texts;
  }

  undoing<Result>(work: () => Result): Result {
    return this.#texts.undoing(work);
  }

  /** Returns a whole entry. Inputs with their default value are left out. */
  entry(resource: Resource): YAMLMap {
    const { kind, key, id, name, notes } = resource;
    const map = new YAMLMap();
    if (id !== undefined) map.items.push(this.pair("adoptId", id));
    if (registry[kind].named && name !== undefined && name !== key) map.items.push(this.pair("name", name));
    for (const [field, value] of tellingInputs(resource)) map.items.push(this.field(resource, field, value));
    const loose: string[] = [];
    for (const { field, text } of notes) {
      const present = field !== undefined && map.has(manifestName(field));
      if (present) addComment(map, manifestName(field), commentText(sentence(text)));
      else loose.push(` ${commentText(field === undefined ? text : `${manifestName(field)}: ${text}`)}`);
    }
    if (loose.length > 0) map.comment = loose.join("\n");
    return map;
  }

  field(resource: Resource, field: string, value: Value): Pair<Scalar> {
    return this.pair(nameOf(field, value), this.#fieldNode(resource, field, value));
  }

  pair(name: string, value: unknown): Pair<Scalar> {
    return new Pair(this.#verbatim(name), isNode(value) ? value : this.scalar(value));
  }

  /** Returns a content key or another text of a resource. A long text goes to a file of its own. */
  text(resource: Resource, field: string, text: string): Scalar | YAMLMap {
    if (!isLong(text)) return this.scalar(text);
    const path = posix.relative(this.#folder, this.#texts.add(resource, field, text));
    return flow([this.pair("file", path)]);
  }

  contentValue(resource: Resource, key: string, value: Json): Scalar | YAMLMap | YAMLSeq {
    if (typeof value === "string") return this.text(resource, key, value);
    if (typeof value !== "object" || value === null) return this.scalar(value);
    return looksLikeForm(value) ? flow([this.pair("literal", this.asWritten(value))]) : this.json(value);
  }

  /** Returns a step of a funnel, or the place of a page. */
  fields(value: Value): YAMLMap {
    const fields = Object.entries(isPlainMap(value) ? value : {});
    return flow(fields.map(([field, one]) => this.pair(nameOf(field, one), this.reference(field, one))));
  }

  /** Names a target outside of the manifest by its id. */
  reference(field: string, value: Value): Scalar | YAMLMap {
    if (value instanceof Reference) return this.scalar(value.key);
    const refers = targetsOf(field).some(({ kind }) => kind !== undefined);
    return refers ? flow([this.pair("id", plain(value))]) : this.scalar(plain(value));
  }

  scalar(value: unknown): Scalar {
    return this.#verbatim(typeof value === "string" ? escaped(value) : value);
  }

  /** Takes keys, and everything below `literal`, as they are. */
  #verbatim(value: unknown): Scalar {
    const scalar = new Scalar(value);
    if (typeof value === "string" && needsQuotes(value)) scalar.type = Scalar.QUOTE_DOUBLE;
    return scalar;
  }

  json(value: Json): YAMLMap | YAMLSeq | Scalar {
    if (Array.isArray(value)) return listOf(value.map((item) => this.json(item)));
    if (!isMap(value)) return this.scalar(value);
    return mapOf(Object.entries(value).map(([key, item]) => this.pair(key, this.json(item))));
  }

  /** Returns a value as it stands in the file already, or below `literal`. */
  asWritten(value: Json): YAMLMap | YAMLSeq | Scalar {
    const node = this.json(value);
    visit(node, {
      Scalar: (key, scalar) => {
        if (key !== "key" && typeof scalar.value === "string") scalar.value = unescaped(scalar.value) ?? scalar.value;
      },
    });
    return node;
  }

  #fieldNode(resource: Resource, field: string, value: Value): unknown {
    if (value instanceof Setting) return flow([this.pair("config", value.key)]);
    if (field === "content" && isPlainMap(value)) return this.#content(resource, value);
    if (field === "publish") return this.fields(value);
    if (field === "steps" && Array.isArray(value)) return listOf(value.map((step) => this.fields(step)));
    if (value instanceof Reference || targetsOf(field).length > 0) return this.reference(field, value);
    if (typeof value === "string") return this.text(resource, field, value);
    return this.json(keysIn(value) ?? plain(value));
  }

  #content(resource: Resource, content: Record<string, Value>): YAMLMap {
    const pairs = Object.entries(content).map(([key, value]) => {
      const pair = this.pair(key, this.contentValue(resource, key, plain(value)));
      if (Object.hasOwn(forms, key)) pair.key.type = Scalar.QUOTE_DOUBLE;
      return pair;
    });
    return mapOf(pairs);
  }
}

function nameOf(field: string, value: Value): string {
  return value instanceof Reference ? nameFor(field, value.kind) : manifestName(field);
}

export function listOf(items: readonly Node[]): YAMLSeq {
  const list = new YAMLSeq();
  list.items.push(...items);
  return list;
}

function addComment(map: YAMLMap, name: string, text: string): void {
  const pair = map.items.find(({ key }) => key instanceof Scalar && key.value === name);
  if (!(pair?.key instanceof Scalar)) return;
  const before = pair.key.commentBefore;
  pair.key.commentBefore = [...(before ? [before] : []), ` ${text}`].join("\n");
}

/** Returns the keys of a list that holds only references, such as the pages of a release. */
function keysIn(value: Value): string[] | undefined {
  const items = Array.isArray(value) ? value : [];
  const keys = items.flatMap((item) => {
    const [only, ...others] = isPlainMap(item) ? Object.values(item) : [];
    return only instanceof Reference && others.length === 0 ? [only.key] : [];
  });
  return keys.length > 0 && keys.length === items.length ? keys : undefined;
}

export function mapOf(pairs: readonly Pair<Scalar>[]): YAMLMap {
  const map = new YAMLMap();
  map.items.push(...pairs);
  return map;
}

/** A map on one line. */
export function flow(pairs: readonly Pair<Scalar>[]): YAMLMap {
  const map = mapOf(pairs);
  map.flow = true;
  return map;
}

/** Tells if a map, at any depth, has the keys of a form, which a reader would take it for. */
function looksLikeForm(value: Json): boolean {
  if (Array.isArray(value)) return value.some(looksLikeForm);
  if (!isMap(value)) return false;
  return Object.keys(forms).some((form) => Object.hasOwn(value, form)) || Object.values(value).some(looksLikeForm);
}

/** Matches texts that YAML 1.1 readers take for a truth value, a number or a date. */
const OTHERWISE_IN_1_1 =
  /^(y|n|yes|no|on|off|[-+]?\d[\d_]*(:[0-5]?\d)+(\.\d*)?|[-+]?\d[\d_,]*(\.[\d_]*)?|0b[01_]+|\d{4}-\d\d?-\d\d?([Tt\s].*)?)$/i;

/**
 * Tells if a text survives only in double quotes: a carriage return is a line break to YAML, `<<` merges, and invisible characters need an escape.
 * The library quotes all other cases.
 */
function needsQuotes(text: string): boolean {
  if (text === "<<" || text.includes("\r") || OTHERWISE_IN_1_1.test(text)) return true;
  return /[^\P{C}\n\p{Cf}]|[\u0085\u2028\u2029\uFEFF]/u.test(text) || /[ \t](\n|$)|^[\s]/.test(text);
}

/** Returns a section with a comment on the fields that the API hides. */
export function sectionOf(
  model: Model,
  kind: Kind,
  resources: readonly Resource[],
  writer: NodeWriter,
  tables: readonly Pair<Scalar>[] = [],
) {
  const pairs = [...resources.map((resource) => writer.pair(resource.key, writer.entry(resource))), ...tables];
  for (const [index, { key }] of pairs.entries()) key.spaceBefore = index > 0;
  const section = writer.pair(registry[kind].section, mapOf(pairs));
  section.key.spaceBefore = true;
  const lines = comment(sectionComment(model, kind), " ");
  if (lines !== "") section.key.commentBefore = lines;
  return section;
}
