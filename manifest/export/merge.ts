/**
 * Brings entries of a manifest to what the account holds, in the documents they were written in: comments, order and
 * everything that the API doesn't show stay. Values that stand for others ({ env: }, { config: }, { ref: }) are left
 * alone, and a text in a file of its own is written to that file.
 */
import { dirname, join, posix } from "node:path";
import type { YAMLMap } from "yaml";
import { Scalar, YAMLSeq, isMap as isMapNode, type Node } from "yaml";
import { isMap, type Json, type JsonMap } from "../../provider/json.ts";
import { registry } from "../../provider/registry.ts";
import { render } from "../../provider/resources/pages/variables.ts";
import { manifestName, targetsOf } from "../language/fields.ts";
import { Deferred, type Entry, type Tree } from "../declarations/model.ts";
import type { SourceFile } from "../source/file.ts";
import { plain } from "./build.ts";
import { addressOf, isDefault, isPlainMap, Reference, StandIn, type Resource, type Value } from "./model.ts";
import type { NodeWriter } from "./nodes.ts";
import { fitsFile, isLong } from "./texts.ts";

export class EntryMerge {
  readonly #writer: NodeWriter;
  /** Text files to write, by path relative to the folder. */
  readonly #texts: Map<string, string>;
  readonly #entry: Entry;
  readonly #resource: Resource;
  readonly #file: SourceFile;
  readonly #folder: string;
  /** Paths of what was brought up to date, and of what differs but could not be. */
  readonly updated: string[] = [];
  readonly kept: string[] = [];

  constructor(
    entry: Entry,
    resource: Resource,
    writer: NodeWriter,
    place: { file: SourceFile; folder: string; texts: Map<string, string> },
  ) {
    this.#entry = entry;
    this.#resource = resource;
    this.#writer = writer;
    this.#file = place.file;
    this.#folder = place.folder;
    this.#texts = place.texts;
  }

  /** `map` is the entry as it is written. */
  apply(map: YAMLMap): void {
    const { kind, id, name, inputs } = this.#resource;
    const declared = this.#entry.inputs;
    if (id !== undefined && declared["adoptId"] === undefined) {
      map.items.unshift(this.#writer.pair("adoptId", id));
      this.updated.push("adoptId");
    }
    if (registry[kind].named && name !== undefined) this.#field(map, "name", declared["name"], name);
    for (const [field, value] of Object.entries(inputs)) this.#field(map, field, declared[field], value);
  }

  #field(map: YAMLMap, field: string, declared: Tree | undefined, live: Value): void {
    if (live instanceof StandIn) {
      if (declared === undefined) this.#replace(map, undefined, field, live.value);
      return;
    }
    if (!isChosen(field, declared) && this.#agrees(declared, live)) return;
    if (declared === undefined && isDefault(this.#resource.kind, field, live)) return;
    if (live === null) {
      this.kept.push(manifestName(field));
      return;
    }
    const name = nameIn(map, field);
    const node = name === undefined ? undefined : map.get(name, true);
    if (field === "content" && isPlainMap(live) && isMapNode(node)) this.#content(node, declared, live);
    else if (field === "publish" && isPlainMap(live) && isMapNode(node)) this.#publish(node, declared, live);
    else if (field === "steps" && Array.isArray(live) && node instanceof YAMLSeq) this.#steps(node, declared, live);
    else this.#replace(map, name, field, live);
  }

  #replace(map: YAMLMap, name: string | undefined, field: string, live: Value): void {
    const node = name === undefined ? undefined : (map.get(name, true) as Node | undefined);
    if (typeof live !== "string" || targetsOf(field).length > 0 || !this.#setText(node, live)) {
      const pair = this.#writer.field(this.#resource, field, live);
      const old = map.items.find(({ key }) => key instanceof Scalar && key.value === name);
      if (old?.key instanceof Scalar) {
        old.key.value = pair.key.value;
        old.value = withComment(pair.value as Node, node);
      } else map.items.push(pair);
    }
    this.updated.push(manifestName(field));
  }

  #content(map: YAMLMap, declared: Tree | undefined, live: Record<string, Value>): void {
    const texts = isMap(declared) ? (declared as Record<string, Tree>) : {};
    for (const [key, value] of Object.entries(live)) {
      if (this.#agrees(texts[key], value) || this.#rendered(texts[key]) === value) continue;
      const node = map.get(key, true) as Node | undefined;
      if (typeof value !== "string" || !this.#setText(node, value)) {
        const fresh = this.#writer.contentValue(this.#resource, key, plain(value));
        if (map.has(key)) map.set(key, withComment(fresh, node));
        else map.items.push(this.#writer.pair(key, fresh));
      }
      this.updated.push(`content.${key}`);
    }
  }

  #publish(map: YAMLMap, declared: Tree | undefined, live: Record<string, Value>): void {
    const before = isMap(declared) ? (declared as Record<string, Tree>) : {};
    const { siteId, slug = "" } = live;
    if (siteId !== undefined && !this.#agrees(before["siteId"], siteId))
      map.set(manifestName("siteId"), this.#writer.reference("siteId", siteId));
    if (!this.#agrees(before["slug"] ?? "", slug)) map.set("slug", this.#writer.scalar(slug));
    this.updated.push("publish");
  }

  #steps(list: YAMLSeq, declared: Tree | undefined, live: readonly Value[]): void {
    const before = Array.isArray(declared) ? declared : [];
    for (const [index, step] of live.entries()) {
      if (index < before.length && this.#agrees(before[index], step)) continue;
      list.items[index] = withComment(this.#writer.step(step), list.items[index] as Node | undefined);
    }
    list.items.splice(live.length);
    this.updated.push("steps");
  }

  /** Sets a text where one stands, in the file or in its own; false where something else stands there. */
  #setText(node: Node | undefined, text: string): boolean {
    if (isMapNode(node) && node.has("file") && fitsFile(text)) {
      const path = join(dirname(this.#file.path), String(node.get("file")));
      this.#texts.set(posix.normalize(path.slice(this.#folder.length + 1).replaceAll("\\", "/")), text);
      return true;
    }
    if (!(node instanceof Scalar) || node.type === Scalar.BLOCK_FOLDED) return false;
    if (isLong(text) && !isLong(String(node.value))) return false;
    const { type } = this.#writer.scalar(text);
    const wasQuoted = node.type === Scalar.QUOTE_DOUBLE || node.type === Scalar.QUOTE_SINGLE;
    node.value = text;
    if (type !== undefined || !wasQuoted || text.includes("\n")) node.type = type;
    return true;
  }

  /** What a declared text with placeholders is on the page. */
  #rendered(declared: Tree | undefined): Json | undefined {
    const { variables } = this.#entry.inputs;
    if (typeof declared !== "string" || !isMap(variables)) return undefined;
    return render(declared, variables as JsonMap);
  }

  #agrees(declared: Tree | undefined, live: Value): boolean {
    if (declared instanceof Deferred) {
      const { origin } = declared;
      if (origin.from !== "resource" || origin.property.join() !== "id") return true;
      return live instanceof Reference && origin.target === addressOf(live);
    }
    if (live instanceof Reference) return false;
    if (Array.isArray(live)) {
      const same = Array.isArray(declared) && declared.length === live.length;
      return same && live.every((item, index) => this.#agrees(declared[index], item));
    }
    if (isPlainMap(live)) {
      if (!isMap(declared)) return false;
      const keys = new Set([...Object.keys(live), ...Object.keys(declared)]);
      return [...keys].every((key) => this.#agrees((declared as Record<string, Tree>)[key], live[key] ?? null));
    }
    return (declared ?? null) === live;
  }
}

/** A template is never shown: the one that an export knows was named by the user, for a setting that an earlier one left. */
function isChosen(field: string, declared: Tree | undefined): boolean {
  return field === "templateId" && declared instanceof Deferred && declared.origin.from === "config";
}

/** The name that a field is written under in a map: a step's page may be a quiz. */
function nameIn(map: YAMLMap, field: string): string | undefined {
  return map.has(manifestName(field)) ? manifestName(field) : undefined;
}

function withComment<N extends Node>(node: N, old: Node | undefined | null): N {
  if (old?.comment) node.comment = old.comment;
  if (old?.commentBefore) node.commentBefore = old.commentBefore;
  if (old?.spaceBefore) node.spaceBefore = true;
  return node;
}
