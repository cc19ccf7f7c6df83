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
import { Folder, type Problem, readText, tellProblem, unreadable } from "../source/folder.ts";
import { parse } from "../source/parse.ts";
import { Reader, type MapEntry } from "../source/reader.ts";

const SETTINGS = ["landform", "name", "include", "defaults"];
const PARTS = [...sections.keys(), "accounts", "outputs", "lint", "copy"];

export function load(path: string, cwd: string, diagnostics: Diagnostics): Loaded | undefined {
  const absolute = resolve(cwd, path);
  const result = existsSync(absolute)
    ? readText(absolute, path)
    : unreadable(path, "does not exist", `Make one with "${landform("init")}".`);
  if (!("text" in result)) {
    tellProblem(diagnostics, result, { place: new SourceFile(absolute, path, "").whole, path: "" });
    return undefined;
  }
  const folder = new Folder(dirname(absolute), cwd);
  const real = join(folder.root, basename(absolute));
  return new Loader(folder, new SourceFile(real, folder.nameOf(real), result.text), diagnostics).load();
}

const FIRST_LINE = { hint: "Write landform: 1 on the first line." };

class Loader {
  readonly #folder: Folder;
  readonly #root: SourceFile;
  readonly #diagnostics: Diagnostics;
  readonly #files = new Map<string, SourceFile>();
  readonly #parts = new Map(PARTS.map((part) => [part, new Map<string, Declared>()]));
  readonly #defaults = new Map<string, MapEntry[]>();
  #sound = true;
  #name: string | undefined;

  constructor(folder: Folder, root: SourceFile, diagnostics: Diagnostics) {
    this.#folder = folder;
    this.#root = root;
    this.#diagnostics = diagnostics;
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
    if (isMap(top)) this.#top(reader, reader.entries(top), [...chain, file]);
    else {
      const message = "a manifest is a map that begins with landform: 1";
      this.#diagnostics.error("version", reader.place(top), message, FIRST_LINE);
    }
  }

  #top(reader: Reader, entries: readonly MapEntry[], chain: readonly SourceFile[]): void {
    const isRoot = chain.length === 1;
    if (isRoot && !entries.some(({ key }) => key === "landform")) {
      const place = entries[0]?.keyPlace ?? this.#root.whole;
      this.#diagnostics.error("version", place, "the manifest doesn't say landform: 1", FIRST_LINE);
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
    const about = { place: reader.place(value, keyPlace), path: "landform" };
    const hint = "Write landform: 1. Another number is for another version of Landform.";
    this.#diagnostics.fault("version", about, " takes the number 1", hint);
  }

  #project(reader: Reader, { value, keyPlace }: MapEntry, isRoot: boolean): void {
    const name = isScalar(value) ? value.value : undefined;
    if (!isRoot) {
      const hint = "Remove the line: the name is that of the first file.";
      this.#diagnostics.error("include", keyPlace, "an included file has no name of its own", { path: "name", hint });
    } else if (typeof name === "string" && /^[\w.-]{1,100}$/.test(name)) this.#name = name;
    else {
      const about = { place: reader.place(value, keyPlace), path: "name" };
      const message = " takes letters, digits, dots, dashes and underscores, at most 100 of them";
      this.#diagnostics.fault(
        "invalid-value",
        about,
        message,
        typeof name === "number" ? "Put it in quotes." : undefined,
      );
    }
  }

  #includes(reader: Reader, { value, keyPlace }: MapEntry, chain: readonly SourceFile[]): void {
    const hint = "Write include: [pages.yaml].";
    if (!isSeq(value)) this.#include(reader.place(value, keyPlace), "include takes a list of files", hint);
    for (const item of isSeq(value) ? (value.items as Node[]) : []) {
      const node = reader.follow(item);
      const name = isScalar(node) && typeof node.value === "string" ? node.value : undefined;
      if (name === undefined) this.#include(reader.place(node, keyPlace), "a file is named by its path", hint);
      else this.#take(name, reader.place(node), chain);
    }
  }

  #take(name: string, place: Place, chain: readonly SourceFile[]): void {
    const from = chain.at(-1) ?? this.#root;
    const found = name.includes("*") ? this.#folder.matching(from.path, name) : { files: [name] };
    if ("files" in found) for (const one of found.files) this.#takeOne(one, from, place, chain);
    else this.#missed(found, place);
  }

  #missed(problem: Problem, place: Place): void {
    this.#sound = false;
    tellProblem(this.#diagnostics, problem, { place, path: "include" });
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
      const place = reader.place(value, keyPlace);
      this.#notMap({ place, path: "defaults" }, " of sections", "Write defaults: { pages: { template: … } }.");
      return;
    }
    for (const section of reader.entries(value)) {
      const about = { place: section.keyPlace, path: `defaults.${section.key}` };
      if (!sections.has(section.key)) this.#unknown(section, [...sections.keys()], "defaults.");
      else if (isMap(section.value)) this.#sectionDefaults(about.path, section.key, reader.entries(section.value));
      else this.#notMap(about, "", "Write the properties that its entries share, each as name: value.");
    }
  }

  #sectionDefaults(path: string, section: string, entries: readonly MapEntry[]): void {
    const known = this.#defaults.get(section) ?? [];
    for (const entry of entries) {
      const { key, keyPlace } = entry;
      const earlier = known.find((one) => one.key === key);
      const message = `${path}: ${key} can't be a default: write it in an entry`;
      if (earlier) this.#twice(path, entry, earlier);
      else if (key === "each" || key === "rows")
        this.#diagnostics.error("each", keyPlace, message, { path: `${path}.${key}` });
      else known.push(entry);
    }
    this.#defaults.set(section, known);
  }

  #part(reader: Reader, { key: part, keyPlace, value }: MapEntry): void {
    if (isScalar(value) && value.value === null) return;
    if (!isMap(value)) {
      const hint = "Write a key of your own for each entry, with its properties below.";
      this.#notMap({ place: reader.place(value, keyPlace), path: part }, "", hint);
      return;
    }
    const known = this.#parts.get(part);
    for (const entry of reader.entries(value)) {
      const earlier = known?.get(entry.key);
      if (earlier) this.#twice(part, entry, earlier);
      else known?.set(entry.key, { ...entry, reader });
    }
  }

  #notMap(about: { readonly place: Place; readonly path: string }, what: string, hint: string): void {
    this.#diagnostics.fault("invalid-value", about, ` takes a map${what}`, hint);
  }

  #twice(part: string, { key, keyPlace }: MapEntry, earlier: MapEntry): void {
    const message = `${part} has "${key}" already: at`;
    tellRepeated(this.#diagnostics, key, keyPlace, earlier.keyPlace, { message, path: `${part}.${key}` });
  }

  #unknown({ key, keyPlace }: MapEntry, names = [...SETTINGS, ...PARTS], path = ""): void {
    this.#diagnostics.error("unknown-section", keyPlace, `there is no section "${key}"${didYouMean(key, names)}`, {
      path: path + key,
      hint: `Known are ${names.join(", ")}. Landform ignores keys that begin with x-.`,
    });
  }
}
