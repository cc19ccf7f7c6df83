/** Reads a manifest and its included files, and gathers their top-level parts. */
import { landform } from "../../provider/values/command-line.ts";
import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isMap, isScalar, isSeq, type Node } from "yaml";
import { didYouMean } from "../../provider/values/nearest.ts";
import { sections } from "../language/addresses.ts";
import { DataFiles } from "../data/files.ts";
import type { Declared, Loaded } from "./model.ts";
import { expanded } from "./expand.ts";
import { type Diagnostics, tellRepeated } from "../source/diagnostics.ts";
import { SourceFile, type Place } from "../source/file.ts";
import { Folder, readText, type Problem } from "../source/folder.ts";
import { parse } from "../source/parse.ts";
import { Reader, type MapEntry } from "../source/reader.ts";

const SETTINGS = ["landform", "name", "include", "defaults"];
const PARTS = [...sections.keys(), "accounts", "outputs", "lint", "copy"];

/** Returns undefined if the manifest can't be read on; `diagnostics` has the errors. */
export function load(path: string, cwd: string, diagnostics: Diagnostics): Loaded | undefined {
  const absolute = resolve(cwd, path);
  const folder = existsSync(dirname(absolute)) ? new Folder(dirname(absolute), cwd) : undefined;
  const result =
    folder && existsSync(absolute)
      ? readText(absolute, path)
      : ({
          code: "file-unreadable",
          problem: `${path} does not exist`,
          hint: `Make one with "${landform("init")}".`,
        } as const);
  if (!folder || !("text" in result)) {
    const nowhere = new SourceFile(absolute, path, "").whole;
    if (!("text" in result))
      diagnostics.error(result.code, nowhere, result.problem, { hint: result.hint || undefined });
    return undefined;
  }
  const real = join(folder.root, basename(absolute));
  const root = new SourceFile(real, folder.nameOf(real), result.text);
  return new Loader(folder, root, diagnostics).load();
}

class Loader {
  readonly #folder: Folder;
  readonly #root: SourceFile;
  readonly #diagnostics: Diagnostics;
  readonly #files = new Map<string, SourceFile>();
  readonly #parts = new Map<string, Map<string, Declared>>();
  readonly #defaults = new Map<string, MapEntry[]>();
  #sound = true;
  #name: string | undefined;

  constructor(folder: Folder, root: SourceFile, diagnostics: Diagnostics) {
    this.#folder = folder;
    this.#root = root;
    this.#diagnostics = diagnostics;
    for (const part of PARTS) this.#parts.set(part, new Map());
  }

  load(): Loaded | undefined {
    this.#file(this.#root, []);
    if (!this.#sound) return undefined;
    const files = [...this.#files.values()];
    const data = new DataFiles(this.#folder, this.#diagnostics);
    const { parts, groups } = expanded(this.#parts, this.#defaults, data, this.#diagnostics);
    return { folder: this.#folder, data, root: this.#root, files, name: this.#name, parts, groups };
  }

  #file(file: SourceFile, chain: readonly SourceFile[]): void {
    this.#files.set(file.path, file);
    const parsed = parse(file, this.#diagnostics);
    if (!parsed) {
      this.#sound = false;
      return;
    }
    const reader = new Reader(parsed, this.#diagnostics);
    const top = reader.follow(parsed.document.contents);
    if (!isMap(top)) {
      this.#diagnostics.error("version", reader.place(top), "a manifest is a map that begins with landform: 1", {
        hint: "Write landform: 1 on the first line.",
      });
      return;
    }
    this.#top(reader, reader.entries(top), [...chain, file]);
  }

  #top(reader: Reader, entries: readonly MapEntry[], chain: readonly SourceFile[]): void {
    const isRoot = chain.length === 1;
    if (isRoot && !entries.some(({ key }) => key === "landform")) {
      this.#diagnostics.error(
        "version",
        entries[0]?.keyPlace ?? this.#root.whole,
        "the manifest doesn't say landform: 1",
        {
          hint: "Write landform: 1 on the first line.",
        },
      );
    }
    for (const entry of entries) {
      if (entry.key === "landform") this.#version(reader, entry);
      else if (entry.key === "name") this.#project(reader, entry, isRoot);
      else if (entry.key === "defaults") this.#addDefaults(reader, entry);
      else if (entry.key === "include") this.#includes(reader, entry, chain);
      else if (this.#parts.has(entry.key)) this.#part(reader, entry);
      else if (!entry.key.startsWith("x-")) this.#unknown(entry);
    }
  }

  #version(reader: Reader, { value, keyPlace }: MapEntry): void {
    if (isScalar(value) && value.value === 1) return;
    this.#diagnostics.error("version", reader.place(value, keyPlace), "landform takes the number 1", {
      path: "landform",
      hint: "Write landform: 1. Another number is for another version of Landform.",
    });
  }

  #project(reader: Reader, { value, keyPlace }: MapEntry, isRoot: boolean): void {
    const name = isScalar(value) ? value.value : undefined;
    if (!isRoot) {
      this.#diagnostics.error("include", keyPlace, "an included file has no name of its own", {
        path: "name",
        hint: "Remove the line: the name is that of the first file.",
      });
    } else if (typeof name === "string" && /^[\w.-]{1,100}$/.test(name)) this.#name = name;
    else {
      const message = "name takes letters, digits, dots, dashes and underscores, at most 100 of them";
      this.#diagnostics.error("invalid-value", reader.place(value, keyPlace), message, {
        path: "name",
        hint: typeof name === "number" ? "Put it in quotes." : undefined,
      });
    }
  }

  #includes(reader: Reader, { value, keyPlace }: MapEntry, chain: readonly SourceFile[]): void {
    const items = isSeq(value) ? (value.items as Node[]) : [];
    if (!isSeq(value)) {
      this.#include(reader.place(value, keyPlace), "include takes a list of files", "Write include: [pages.yaml].");
    }
    for (const item of items) {
      const node = reader.follow(item);
      const name = isScalar(node) && typeof node.value === "string" ? node.value : undefined;
      if (name === undefined)
        this.#include(reader.place(node, keyPlace), "a file is named by its path", "Write include: [pages.yaml].");
      else this.#take(name, reader.place(node), chain);
    }
  }

  #take(name: string, place: Place, chain: readonly SourceFile[]): void {
    const from = chain.at(-1) ?? this.#root;
    if (!name.includes("*")) {
      this.#takeOne(name, from, place, chain);
      return;
    }
    const found = this.#folder.matching(from.path, name);
    if ("files" in found) for (const one of found.files) this.#takeOne(one, from, place, chain);
    else this.#missed(found, place);
  }

  #missed({ code, problem, hint }: Problem, place: Place): void {
    this.#sound = false;
    this.#diagnostics.error(code, place, problem, { path: "include", hint: hint || undefined });
  }

  #takeOne(name: string, from: SourceFile, place: Place, chain: readonly SourceFile[]): void {
    const result = this.#folder.read(from.path, name);
    if (!("text" in result)) {
      this.#missed(result, place);
      return;
    }
    const open = chain.findIndex(({ path }) => path === result.path);
    if (open !== -1) {
      const circle = [...chain.slice(open), chain[open] ?? from].map((file) => file.name).join(" → ");
      this.#include(place, `${name} includes itself: ${circle}`, "Remove one of these lines.");
    } else if (!this.#files.has(result.path)) {
      this.#file(new SourceFile(result.path, this.#folder.nameOf(result.path), result.text), chain);
    }
  }

  #include(place: Place, message: string, hint: string): void {
    this.#diagnostics.error("include", place, message, { path: "include", hint });
  }

  #addDefaults(reader: Reader, { value, keyPlace }: MapEntry): void {
    if (!isMap(value)) {
      this.#diagnostics.error("invalid-value", reader.place(value, keyPlace), "defaults takes a map of sections", {
        path: "defaults",
        hint: "Write defaults: { pages: { template: … } }.",
      });
      return;
    }
    for (const section of reader.entries(value)) {
      if (!sections.has(section.key)) this.#unknown(section, [...sections.keys()], "defaults.");
      else if (isMap(section.value)) this.#sectionDefaults(section.key, reader.entries(section.value));
      else
        this.#diagnostics.error("invalid-value", section.keyPlace, `defaults.${section.key} takes a map`, {
          path: `defaults.${section.key}`,
          hint: "Write the properties that its entries share, each as name: value.",
        });
    }
  }

  #sectionDefaults(section: string, entries: readonly MapEntry[]): void {
    const known = this.#defaults.get(section) ?? [];
    for (const entry of entries) {
      const earlier = known.find(({ key }) => key === entry.key);
      if (earlier) this.#twice(`defaults.${section}`, entry, earlier);
      else if (entry.key === "each" || entry.key === "rows")
        this.#diagnostics.error(
          "each",
          entry.keyPlace,
          `defaults.${section}: ${entry.key} can't be a default: write it in an entry`,
          {
            path: `defaults.${section}.${entry.key}`,
          },
        );
      else known.push(entry);
    }
    this.#defaults.set(section, known);
  }

  #part(reader: Reader, { key: part, keyPlace, value }: MapEntry): void {
    if (isScalar(value) && value.value === null) return;
    if (!isMap(value)) {
      this.#diagnostics.error("invalid-value", reader.place(value, keyPlace), `${part} takes a map`, {
        path: part,
        hint: "Write a key of your own for each entry, with its properties below.",
      });
      return;
    }
    const known = this.#parts.get(part);
    for (const entry of reader.entries(value)) {
      const earlier = known?.get(entry.key);
      if (earlier) this.#twice(part, entry, earlier);
      else known?.set(entry.key, { ...entry, reader });
    }
  }

  #twice(part: string, { key, keyPlace }: MapEntry, earlier: MapEntry): void {
    const message = `${part} has "${key}" already: at`;
    tellRepeated(
      this.#diagnostics,
      key,
      { place: keyPlace, first: earlier.keyPlace },
      { message, path: `${part}.${key}` },
    );
  }

  #unknown({ key, keyPlace }: MapEntry, names = [...SETTINGS, ...PARTS], path = ""): void {
    this.#diagnostics.error("unknown-section", keyPlace, `there is no section "${key}"${didYouMean(key, names)}`, {
      path: path + key,
      hint: `Known are ${names.join(", ")}. Landform ignores keys that begin with x-.`,
    });
  }
}
