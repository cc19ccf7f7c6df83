/** landform.yaml as the account is now: written anew, or merged into what is there. */
import { posix } from "node:path";
import { isDeepStrictEqual } from "node:util";
import {
  parseDocument,
  Scalar,
  YAMLMap,
  isMap as isMapNode,
  type Document,
  type Pair,
  type ToStringOptions,
} from "yaml";
import { registry, type Kind } from "../../provider/registry.ts";
import { sections } from "../language/addresses.ts";
import type { Declared, Loaded } from "../declarations/load.ts";
import type { Entry } from "../declarations/model.ts";
import type { Existing } from "./existing.ts";
import { slug } from "./keys.ts";
import { EntryMerge } from "./merge.ts";
import { addressOf, type Model, type Resource } from "./model.ts";
import { NodeWriter } from "./nodes.ts";
import { mergeLines } from "./patch.ts";
import { TextFiles } from "./texts.ts";
import { commentLines, headComment, leftOutOnly, neverListed, sectionComment } from "./comments.ts";

export interface Written {
  /** Texts by path relative to the folder; only of files that change. */
  readonly files: ReadonlyMap<string, string>;
  /** Files that are written only where there are none. */
  readonly standIns: ReadonlySet<string>;
  readonly added: readonly string[];
  readonly updated: readonly string[];
  /** Entries that adopt an object which the account no longer shows. */
  readonly gone: readonly string[];
  /** What differs from the account, but can't be brought up to date. */
  readonly kept: readonly string[];
}

interface Opened {
  readonly document: Document;
  readonly path: string;
  readonly text: string;
}

const MANIFEST = "landform.yaml";

export function writeYaml(model: Model, existing: Existing | undefined, taken: Iterable<string>): Written {
  return new YamlExport(model, existing, taken).write();
}

class YamlExport {
  readonly #model: Model;
  readonly #existing: Existing | undefined;
  readonly #texts: TextFiles;
  readonly #writer: NodeWriter;
  readonly #root: Opened;
  readonly #changed = new Set<Opened>();
  readonly #opened = new Map<Document, Opened>();
  readonly #added: string[] = [];
  readonly #updated: string[] = [];
  readonly #kept: string[] = [];

  constructor(model: Model, existing: Existing | undefined, taken: Iterable<string>) {
    this.#model = model;
    this.#existing = existing;
    this.#texts = new TextFiles(taken);
    this.#writer = new NodeWriter(this.#texts, ".");
    this.#root = existing ? this.#openRoot(existing.loaded) : freshDocument(model);
  }

  write(): Written {
    const entries = new Map(this.#existing?.entries.map((entry) => [entry.address, entry]));
    for (const resource of this.#model.resources) {
      const entry = entries.get(addressOf(resource));
      const declared = entry && this.#existing?.loaded.parts.get(registry[resource.kind].section)?.get(resource.key);
      if (entry && declared) this.#merge(entry, declared, resource);
      else this.#add(resource);
    }
    if (!this.#existing) this.#finishFresh();
    for (const { document, path, text } of this.#changed) this.#texts.files.set(path, printed(document, text));
    const { files, standIns } = this.#texts;
    return { files, standIns, added: this.#added, updated: this.#updated, gone: this.#gone(), kept: this.#kept };
  }

  #merge(entry: Entry, declared: Declared, resource: Resource): void {
    const opened = this.#open(declared);
    const merge = new EntryMerge(entry, resource, new NodeWriter(this.#texts, posix.dirname(opened.path)), {
      file: declared.reader.parsed.file,
      folder: this.#existing?.loaded.folder.root ?? "",
      texts: this.#texts.files,
    });
    const pair = pairOf(opened.document, resource);
    const address = addressOf(resource);
    if (pair && pair.value === null) pair.value = new YAMLMap();
    if (!pair || !isMapNode(pair.value)) {
      this.#kept.push(`${address} (written by an alias)`);
      return;
    }
    merge.apply(pair.value);
    if (merge.updated.length > 0) this.#changed.add(opened);
    this.#updated.push(...merge.updated.map((field) => `${address}.${field}`));
    this.#kept.push(...merge.kept.map((field) => `${address}.${field}`));
  }

  #add(resource: Resource): void {
    const section = this.#section(resource.kind);
    const pair = this.#writer.pair(resource.key, this.#writer.entry(resource));
    pair.key.spaceBefore = section.items.length > 0;
    section.items.push(pair);
    this.#changed.add(this.#root);
    this.#added.push(addressOf(resource));
  }

  /** The section in the root file; a new one stands in the order of the registry. */
  #section(kind: Kind): YAMLMap {
    const { section } = registry[kind];
    const { document } = this.#root;
    const top = document.contents;
    if (!isMapNode(top)) throw new TypeError("the manifest is no map");
    const pair = top.items.find(({ key }) => key instanceof Scalar && key.value === section);
    if (pair && isMapNode(pair.value)) return pair.value;
    const map = new YAMLMap();
    if (pair) {
      pair.value = map;
      return map;
    }
    const fresh = this.#writer.pair(section, map);
    fresh.key.spaceBefore = true;
    const comments = sectionComment(this.#model, kind)
      .flatMap(commentLines)
      .map((line) => ` ${line}`);
    if (comments.length > 0) fresh.key.commentBefore = comments.join("\n");
    const order = [...sections.keys()];
    const next = top.items.findIndex(
      ({ key }) => key instanceof Scalar && order.indexOf(String(key.value)) > order.indexOf(section),
    );
    top.items.splice(next === -1 ? top.items.length : next, 0, fresh);
    return map;
  }

  #finishFresh(): void {
    const closing = [...leftOutOnly(this.#model), ...neverListed()].flatMap(commentLines).map((line) => ` ${line}`);
    this.#root.document.comment = closing.join("\n");
    this.#changed.add(this.#root);
  }

  #gone(): string[] {
    if (!this.#model.whole) return [];
    const there = new Set(this.#model.resources.map(addressOf));
    const kinds = new Set(this.#model.resources.map(({ kind }) => kind));
    const adopting = this.#existing?.entries.filter(({ inputs }) => typeof inputs["adoptId"] === "string") ?? [];
    return adopting.filter(({ kind, address }) => kinds.has(kind) && !there.has(address)).map(({ address }) => address);
  }

  #openRoot(loaded: Loaded): Opened {
    for (const part of loaded.parts.values()) for (const declared of part.values()) this.#open(declared);
    const open = [...this.#opened.values()].find(({ path }) => path === MANIFEST);
    if (open) return open;
    // Nothing is declared in the root file itself.
    return { document: parseDocument(loaded.root.text), path: MANIFEST, text: loaded.root.text };
  }

  #open({ reader }: Declared): Opened {
    const { document, file } = reader.parsed;
    const folder = this.#existing?.loaded.folder.root ?? "";
    const path = file.path.slice(folder.length + 1).replaceAll("\\", "/");
    const opened = this.#opened.get(document) ?? { document, path, text: file.text };
    this.#opened.set(document, opened);
    return opened;
  }
}

function freshDocument(model: Model): Opened {
  const later = '"landform export" merges later changes into this file.';
  const name = slug(model.name, "account");
  const text = [
    "# yaml-language-server: $schema=node_modules/landform/schema/landform.schema.json",
    ...headComment(model, later)
      .flatMap(commentLines)
      .map((line) => `# ${line}`),
    "landform: 1",
    `name: ${name}`,
    "",
  ].join("\n");
  return { document: parseDocument(text), path: MANIFEST, text };
}

function pairOf(document: Document, { kind, key }: Resource): Pair | undefined {
  const top = document.contents;
  const section = isMapNode(top) ? top.get(registry[kind].section) : undefined;
  if (!isMapNode(section)) return undefined;
  return section.items.find((pair) => pair.key instanceof Scalar && String(pair.key.source ?? pair.key.value) === key);
}

/** The text with the document's changes, and nothing else changed. */
function printed(document: Document, written: string): string {
  const before = written.replaceAll("\r\n", "\n");
  const style = styleOf(before);
  const after = document.toString(style);
  const merged = mergeLines(parseDocument(before).toString(style), before, after);
  const text = isDeepStrictEqual(parseDocument(merged).toJS(), parseDocument(after).toJS()) ? merged : after;
  return written.includes("\r\n") ? text.replaceAll("\n", "\r\n") : text;
}

function styleOf(text: string): ToStringOptions {
  const [, indent = "  "] = /^[^\s#][^\n]*:[ \t]*(?:#.*)?\n(?:[ \t]*(?:#.*)?\n)*( +)[^\s#]/m.exec(text) ?? [];
  const flushLists = /^( *)[^\s#-][^\n]*:[ \t]*\n\1- /m.test(text);
  return {
    lineWidth: 0,
    indent: Math.min(indent.length, 8),
    indentSeq: !flushLists,
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
  };
}
