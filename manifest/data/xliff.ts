/**
 * Reads XLIFF 1.2 with the place of each text. It refuses a document type, which could define endless entities or read files outside. It leaves
 * notes, alternatives and the elements of other tools alone.
 */
import { landform } from "../../provider/values/command-line.ts";
import { SaxesParser, type SaxesTagNS } from "saxes";
import { type Diagnostics, Told, tellRepeated, unlessTold } from "../source/diagnostics.ts";
import type { Place, SourceFile } from "../source/file.ts";
import type { DataEntry, DataMap } from "./value.ts";
import { NAMESPACE } from "./xliff-write.ts";

interface XliffText {
  readonly text: string;
  /** The text between the tags, or the element itself if it has no end tag. */
  readonly place: Place;
  readonly state: string | undefined;
  /** With its tags. */
  readonly whole: Place;
}

export interface XliffUnit {
  readonly original: string;
  readonly id: string;
  readonly source: XliffText;
  readonly target: XliffText | undefined;
  readonly place: Place;
}

export interface Xliff {
  readonly units: readonly XliffUnit[];
  /** The target language of its first file. */
  readonly targetLanguage: string | undefined;
}

export function readXliff(file: SourceFile, diagnostics: Diagnostics): Xliff | undefined {
  return unlessTold(() => new XliffReader(file, diagnostics).read());
}

interface Open {
  readonly name: string;
  readonly start: number;
  readonly inner: number;
}

/** Elements that stand for a piece of a text: their own text, or their `equiv-text`. */
const CODES = new Set(["x", "bx", "ex", "ph", "bpt", "ept", "it"]);
const MAX_DEPTH = 100;

/** Elements around a part of a text. */
const AROUND = new Set(["g", "mrk", "sub"]);

class XliffReader {
  readonly #file: SourceFile;
  readonly #diagnostics: Diagnostics;
  readonly #parser = new SaxesParser({ xmlns: true, position: true });
  readonly #open: Open[] = [];
  readonly #units: XliffUnit[] = [];
  readonly #known = new Map<string, Place>();
  #languages: { target: string | undefined } | undefined;
  #original = "";
  #start = 0;
  #unit: { id: string; start: number; source?: XliffText; target?: XliffText } | undefined;
  #text: { parts: string[]; state: string | undefined } | undefined;
  /** The depth within an element whose equal text replaces its own. */
  #replaced = 0;

  constructor(file: SourceFile, diagnostics: Diagnostics) {
    this.#file = file;
    this.#diagnostics = diagnostics;
  }

  read(): Xliff {
    const parser = this.#parser;
    parser.on("doctype", () => {
      this.#fault("a document type is not taken: it could define entities", "Remove the line <!DOCTYPE …>.");
    });
    parser.on("opentagstart", () => {
      this.#start = this.#file.text.lastIndexOf("<", parser.position - 1);
    });
    parser.on("opentag", (tag) => this.#opened(tag));
    parser.on("closetag", (tag) => this.#closed(tag));
    parser.on("text", (text) => this.#add(text));
    parser.on("cdata", (text) => this.#add(text));
    parser.on("error", (error) => {
      this.#fault(`this is not XML: ${error.message.replace(/^[\d:]+\s*/, "")}`, undefined);
    });
    parser.write(this.#file.text).close();
    if (this.#languages === undefined)
      this.#fault(
        "this is no XLIFF 1.2: it has no <file>",
        'Ask for XLIFF 1.2, which begins with <xliff version="1.2">.',
      );
    return { units: this.#units, targetLanguage: this.#languages.target };
  }

  #opened(tag: SaxesTagNS): void {
    const name = tag.uri === NAMESPACE || tag.uri === "" ? tag.local : "";
    const parent = this.#open.at(-1)?.name;
    // The parser searches all elements around each element for its name space.
    if (this.#open.length >= MAX_DEPTH)
      this.#fault(`elements are nested more than ${MAX_DEPTH} levels deep`, undefined);
    this.#open.push({ name, start: this.#start, inner: this.#parser.position });
    if (parent === undefined) this.#root(tag);
    else if (name === "file") this.#fileBegins(tag);
    else if (name === "trans-unit") this.#unit = { id: attribute(tag, "id") ?? "", start: this.#start };
    else if ((name === "source" || name === "target") && parent === "trans-unit")
      this.#text = { parts: [], state: attribute(tag, "state") };
    else if (this.#text !== undefined) this.#within(name, tag);
  }

  #root(tag: SaxesTagNS): void {
    const version = attribute(tag, "version");
    if (tag.local === "xliff" && version?.startsWith("1.") === true) return;
    const what = tag.local === "xliff" ? `XLIFF ${version ?? "without a version"}` : `<${tag.local}>`;
    this.#fault(`this is ${what}, and XLIFF 1.2 is read`, "Ask the service for XLIFF 1.2.");
  }

  #fileBegins(tag: SaxesTagNS): void {
    this.#original = attribute(tag, "original") ?? "";
    this.#languages ??= { target: attribute(tag, "target-language") };
  }

  #within(name: string, tag: SaxesTagNS): void {
    if (this.#replaced > 0) {
      this.#replaced++;
      return;
    }
    if (AROUND.has(name)) return;
    if (!CODES.has(name))
      this.#fault(`<${tag.name}> is not known within a text`, "Known are the inline elements of XLIFF 1.2.");
    const equal = attribute(tag, "equiv-text");
    if (equal === undefined) return;
    this.#text?.parts.push(equal);
    this.#replaced = 1;
  }

  #closed(tag: SaxesTagNS): void {
    const { name, start, inner } = this.#open.pop() as Open;
    const end = this.#parser.position;
    const parent = this.#open.at(-1)?.name;
    if (this.#replaced > 0) this.#replaced--;
    else if (this.#text !== undefined && parent === "trans-unit")
      this.#textEnds(name, start, inner, end, tag.isSelfClosing);
    else if (name === "trans-unit") this.#unitEnds(end);
  }

  #textEnds(name: string, start: number, inner: number, end: number, isClosed: boolean): void {
    const { parts, state } = this.#text ?? { parts: [], state: undefined };
    this.#text = undefined;
    if (this.#unit === undefined || (name !== "source" && name !== "target")) return;
    const whole = { file: this.#file, start, end };
    const place = isClosed
      ? whole
      : { file: this.#file, start: inner, end: this.#file.text.lastIndexOf("</", end - 1) };
    this.#unit[name] = { text: parts.join(""), place, state, whole };
  }

  #unitEnds(end: number): void {
    if (this.#unit === undefined) return;
    const { id, start, source, target } = this.#unit;
    this.#unit = undefined;
    const place = { file: this.#file, start, end };
    if (id === "") this.#fault("this unit has no id", "The id is the content key.", place);
    if (source === undefined) this.#fault(`"${id}" has no <source>`, undefined, place);
    const key = JSON.stringify([this.#original, id]);
    const earlier = this.#known.get(key);
    if (earlier) {
      tellRepeated(this.#diagnostics, id, place, earlier, { hint: "Remove one of the two." });
      throw new Told();
    }
    this.#known.set(key, place);
    this.#units.push({ original: this.#original, id, source, target, place });
  }

  #add(text: string): void {
    if (this.#replaced === 0) this.#text?.parts.push(text);
  }

  #fault(message: string, hint: string | undefined, at?: Place): never {
    const end = Math.min(this.#parser.position, this.#file.text.length);
    const place = at ?? { file: this.#file, start: Math.max(0, end - 1), end };
    this.#diagnostics.error("data", place, `${this.#file.name}: ${message}`, { hint });
    throw new Told();
  }
}

function attribute({ attributes }: SaxesTagNS, name: string): string | undefined {
  return attributes[name]?.value;
}

/** Reads the file as a data file: the key and the translation of each unit. A unit without a translation says nothing, and an empty target is none. */
export function readXliffData(file: SourceFile, diagnostics: Diagnostics): DataMap | undefined {
  const xliff = readXliff(file, diagnostics);
  if (xliff === undefined) return undefined;
  const entries = new Map<string, DataEntry>();
  for (const { id, source, target, place } of xliff.units) {
    const earlier = entries.get(id);
    if (earlier !== undefined) {
      tellRepeated(diagnostics, id, place, earlier.keyPlace, {
        message: `two units say "${id}": the first is at`,
        hint: `As content of a page each key stands in one unit. ${landform("copy import")} takes files of several pages.`,
      });
      return undefined;
    }
    const isEmpty = target?.text.trim() === "" && source.text.trim() !== "";
    if (target === undefined || isEmpty || isUnfinished(target.state)) continue;
    entries.set(id, { keyPlace: place, value: { kind: "scalar", value: target.text, place: target.place } });
  }
  return { kind: "map", entries, place: file.whole };
}

/** Tells if a state asks a person to look at the text. */
export function isUnfinished(state: string | undefined): boolean {
  return state !== undefined && /^(new$|needs-)/.test(state);
}
