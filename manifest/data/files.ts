/** The data files of a manifest's folder. Each is read once, however many entries take it. */
import { basename, extname } from "node:path";
import { Diagnostics } from "../source/diagnostics.ts";
import { SourceFile, type Place } from "../source/file.ts";
import { type Folder, type Problem, tellProblem } from "../source/folder.ts";
import { readCsv } from "./csv.ts";
import { readJson, readYaml } from "./json.ts";
import type { DataMap, DataValue, DataScalar } from "./value.ts";
import { readXliffData } from "./xliff.ts";

/** Reads a whole file. It returns undefined for a file with faults and puts them into `diagnostics`. */
export type DataReader = (file: SourceFile, diagnostics: Diagnostics) => DataValue | undefined;

/** Readers by extension. A new format needs one line here. */
export const dataReaders: Readonly<Record<string, DataReader>> = {
  ".csv": readCsv,
  ".tsv": readCsv,
  ".json": readJson,
  ".yaml": readYaml,
  ".yml": readYaml,
  ".xlf": readXliffData,
  ".xliff": readXliffData,
};

export interface DataFile {
  readonly file: SourceFile;
  readonly data: DataValue;
}

/** Copies that editors and merge tools leave beside a text. */
const LEFT_BY_TOOLS = /(?:~|\.(?:orig|bak|rej|tmp|swp))$/i;

/** The place that asks for a file: the file that names it, and the place in it. */
export interface Asking {
  /** Absolute. */
  readonly from: string;
  readonly place: Place;
  /** The path in the manifest; empty outside of one. */
  readonly path: string;
}

export class DataFiles {
  readonly folder: Folder;
  readonly #diagnostics: Diagnostics;
  readonly #sources = new Map<string, SourceFile>();
  readonly #read = new Map<string, DataFile | undefined>();
  readonly #told = new Set<string>();

  constructor(folder: Folder, diagnostics: Diagnostics) {
    this.folder = folder;
    this.#diagnostics = diagnostics;
  }

  /** All files that were read, with or without faults. */
  get sources(): readonly SourceFile[] {
    return [...this.#sources.values()];
  }

  /** Tells if this message is new: hundreds of entries may take one file. */
  isNews(what: string): boolean {
    const before = this.#told.size;
    return this.#told.add(what).size > before;
  }

  open(name: string, asking: Asking): DataFile | undefined {
    const file = this.text(name, asking);
    if (!file) return undefined;
    if (this.#read.has(file.path)) return this.#read.get(file.path);
    const found = this.#parsed(file, asking);
    this.#read.set(file.path, found);
    return found;
  }

  text(name: string, asking: Asking): SourceFile | undefined {
    const result = this.folder.read(asking.from, name);
    if (!("text" in result)) return this.#missed(result, asking);
    const file =
      this.#sources.get(result.path) ?? new SourceFile(result.path, this.folder.nameOf(result.path), result.text);
    this.#sources.set(result.path, file);
    return file;
  }

  /** Reads the files of a folder as a map from their names without extension to their texts. */
  texts(name: string, asking: Asking): DataMap | undefined {
    const { place: by, path } = asking;
    const listed = this.folder.list(asking.from, name);
    if (!("files" in listed)) return this.#missed(listed, asking);
    const entries = new Map<string, { keyPlace: Place; value: DataValue }>();
    for (const one of listed.files.filter((name) => !LEFT_BY_TOOLS.test(name))) {
      const file = this.text(one, asking);
      if (!file) return undefined;
      const key = basename(one, extname(one));
      const earlier = entries.get(key);
      if (earlier) {
        const message = `${file.name} and ${earlier.keyPlace.file.name} are both the text of "${key}"`;
        this.#diagnostics.error("duplicate-key", by, told(path, message), {
          path,
          hint: "Keep one of the two.",
        });
        return undefined;
      }
      const place = { file, start: 0, end: file.text.length };
      entries.set(key, { keyPlace: file.whole, value: { kind: "scalar", value: file.text, place } });
    }
    return { kind: "map", entries, place: by };
  }

  #missed<Read>(problem: Problem, { place, path }: Asking): Read | undefined {
    tellProblem(this.#diagnostics, { ...problem, problem: told(path, problem.problem) }, { place, path });
    return undefined;
  }

  #parsed(file: SourceFile, { place, path }: Asking): DataFile | undefined {
    const extension = extname(file.path).toLowerCase();
    const read = dataReaders[extension];
    if (!read) {
      const message = told(path, `${file.name} is no data file`);
      const hint = `Data files are ${Object.keys(dataReaders).join(", ")}.`;
      this.#diagnostics.error("data", place, message, { path, hint });
      return undefined;
    }
    const data = read(file, this.#diagnostics);
    return data && { file, data };
  }
}

export function told(path: string, problem: string): string {
  return path === "" ? problem : `${path}: ${problem}`;
}

export function* leaves(data: DataValue): Generator<DataScalar> {
  if (data.kind === "scalar") yield data;
  else if (data.kind === "list") for (const item of data.items) yield* leaves(item);
  else for (const { value } of data.entries.values()) yield* leaves(value);
}

/** Returns undefined for a file that is no data file or has faults: its user reports them. */
export function leavesOf(file: SourceFile): DataScalar[] | undefined {
  const data = dataReaders[extname(file.path).toLowerCase()]?.(file, new Diagnostics());
  return data && [...leaves(data)];
}

export function leavesIn(file: SourceFile): DataScalar[] {
  return leavesOf(file) ?? [];
}
