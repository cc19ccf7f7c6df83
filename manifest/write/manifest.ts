/** Updates an existing manifest to the account's values. */
import { posix } from "node:path";
import { isMap, isScalar } from "yaml";
import { registry, type Kind } from "../../provider/kinds/registry.ts";
import type { Declared, Entry } from "../declare/model.ts";
import { EditRefused } from "./splices.ts";
import { YamlEdit } from "./yaml/edit.ts";
import { sections } from "../language/addresses.ts";
import type { SourceFile } from "../source/file.ts";
import { ExportError, TextFiles } from "./files.ts";
import { EntryMerge } from "./entry.ts";
import type { LastApplied } from "../match/values.ts";
import { addressOf, type Model, type Resource } from "../match/model.ts";
import { NodeWriter, sectionOf } from "./nodes.ts";
import { DataTexts, type Existing, nothingTold, type Sharing, type Told } from "./shared.ts";
import type { Path } from "../source/reader.ts";
import type { OutsideValues } from "../match/spelling.ts";

interface MergeOptions {
  readonly taken: Iterable<string>;
  readonly outside: OutsideValues;
  /** Addresses of entries that adopt an object which is gone for certain. */
  readonly gone: readonly string[];
  readonly lastApplied?: LastApplied | undefined;
  readonly sharing?: Sharing | undefined;
}

export function mergeManifest(model: Model, existing: Existing, options: MergeOptions): Written {
  return new ManifestMerge(model, existing, options).write();
}

interface OpenFile {
  readonly file: SourceFile;
  /** Relative to the folder. */
  readonly path: string;
  readonly edit: YamlEdit;
}

class ManifestMerge {
  readonly #model: Model;
  readonly #existing: Existing;
  readonly #options: MergeOptions;
  readonly #texts: TextFiles;
  readonly #data: DataTexts;
  readonly #open = new Map<SourceFile, OpenFile>();
  /** Ids by address. */
  readonly #ids: ReadonlyMap<string, string>;
  readonly #told = nothingTold();

  constructor(model: Model, existing: Existing, options: MergeOptions) {
    this.#model = model;
    this.#existing = existing;
    this.#options = options;
    this.#ids = idsIn(model, existing, options.lastApplied);
    this.#texts = new TextFiles(options.taken);
    this.#data = new DataTexts(existing, options.sharing);
  }

  write(): Written {
    const entries = new Map(this.#existing.entries.map((entry) => [entry.address, entry]));
    const fresh: Resource[] = [];
    for (const resource of this.#model.resources) {
      const entry = entries.get(addressOf(resource));
      const declared = this.#declared(resource.kind, resource.key);
      if (entry && declared) this.#merge(entry, declared, resource);
      else fresh.push(resource);
    }
    for (const [kind, resources] of Map.groupBy(fresh, ({ kind }) => kind)) this.#add(kind, resources);
    this.#told.gone.push(...this.#options.gone.filter((address) => this.#release(entries.get(address))));
    const data = this.#data.settle(this.#told);
    const files = new Map([...this.#texts.files, ...data, ...this.#printed()]);
    return { ...this.#told, files, standIns: this.#texts.standIns };
  }

  #merge(entry: Entry, declared: Declared, resource: Resource): void {
    const opened = this.#opened(declared.reader.parsed.file);
    const { one } = entry;
    const path = pathOf(opened.edit, resource);
    const of = one && pathOf(opened.edit, { kind: entry.kind, key: one.of });
    const applied = this.#options.lastApplied?.(entry.definition.type, entry.key);
    new EntryMerge(entry, resource, this.#writer(opened), {
      edit: opened.edit,
      path,
      row: of && [...of, "rows", one.row.key],
      file: opened.file,
      data: this.#data,
      told: this.#told,
      outside: this.#options.outside,
      // If the last run knew another object, its values say nothing about this one.
      applied: applied?.id === resource.id ? applied : undefined,
      idOf: (other) => this.#ids.get(other),
    }).apply();
  }

  /** Adds new entries to the end of their section in the first file. A new section stands in the order of the registry. */
  #add(kind: Kind, resources: readonly Resource[]): void {
    const root = this.#opened(this.#existing.loaded.root);
    const writer = this.#writer(root);
    const { section } = registry[kind];
    const there = root.edit.nodeAt([section]);
    if (there === undefined) {
      const after = precedingSection(root.edit, section);
      root.edit.insert([], sectionOf(this.#model, kind, resources, writer), { after, apart: true });
    } else {
      const hasOthers = isMap(there) && there.items.length > 0;
      for (const [index, resource] of resources.entries()) {
        const pair = writer.pair(resource.key, writer.entry(resource));
        root.edit.insert([section], pair, { apart: hasOthers || index > 0 });
      }
    }
    this.#told.added.push(...resources.map(addressOf));
  }

  /** Drops the adoptId of a missing object. The next up makes the object anew, or a person removes the entry after reading the report. */
  #release(entry: Entry | undefined): boolean {
    const declared = entry && this.#declared(entry.kind, entry.key);
    if (!entry || !declared) return false;
    const { edit } = this.#opened(declared.reader.parsed.file);
    const path = pathOf(edit, entry);
    if (path && edit.nodeAt([...path, "adoptId"])) edit.remove([...path, "adoptId"]);
    return true;
  }

  *#printed(): Generator<[string, string]> {
    for (const { file, path, edit } of this.#open.values()) {
      const text = printedText(edit, file);
      if (text !== file.text) yield [path, text];
    }
  }

  #declared(kind: Kind, key: string): Declared | undefined {
    return this.#existing.loaded.parts.get(registry[kind].section)?.get(key);
  }

  #writer({ path }: OpenFile): NodeWriter {
    return new NodeWriter(this.#texts, posix.dirname(path));
  }

  #opened(file: SourceFile): OpenFile {
    const known = [...this.#open.values()].find((one) => one.file.path === file.path);
    if (known) return known;
    const path = file.path.slice(this.#existing.loaded.folder.root.length + 1).replaceAll("\\", "/");
    const opened = { file, path, edit: new YamlEdit(file.text) };
    this.#open.set(file, opened);
    return opened;
  }
}

function printedText(edit: YamlEdit, file: SourceFile): string {
  try {
    return edit.print();
  } catch (error) {
    if (!(error instanceof EditRefused)) throw error;
    const message = `Landform can't edit ${file.name} safely: the result would not mean the same. Nothing was written. Export into another folder (--out), and copy from there.`;
    throw new ExportError(message, { cause: error });
  }
}

/** Returns the ids of the model, and those of the last run, also of objects that the export leaves out. */
function idsIn({ resources }: Model, { entries }: Existing, lastApplied?: LastApplied): ReadonlyMap<string, string> {
  const applied = entries.map(({ address, key, definition }) => [address, lastApplied?.(definition.type, key)?.id]);
  const own = resources.map((resource) => [addressOf(resource), resource.id]);
  return new Map([...applied, ...own].filter((one): one is [string, string] => one[1] !== undefined));
}

/** Returns the path of an entry; undefined for one that comes from elsewhere. */
function pathOf(edit: YamlEdit, { kind, key }: { readonly kind: Kind; readonly key: string }): Path | undefined {
  const path = [registry[kind].section, key];
  const node = edit.nodeAt(path);
  return edit.has(path) && (node === undefined || isMap(node) || (isScalar(node) && node.value === null))
    ? path
    : undefined;
}

/** Returns the section or setting that comes before this one in the order of the registry. */
function precedingSection(edit: YamlEdit, section: string): { key: string } | undefined {
  const order = [...sections.keys()];
  const keys = edit.keysAt([]);
  const next = keys.findIndex((key) => order.indexOf(key) > order.indexOf(section));
  const before = keys[next - 1];
  return before === undefined ? undefined : { key: before };
}

/** The result of an export before it writes a file. */
export interface Written extends Told {
  /** The texts of changed files, by path relative to the folder. */
  readonly files: ReadonlyMap<string, string>;
  /** Files that are written only if they don't exist. */
  readonly standIns: ReadonlySet<string>;
}
