import { isNode, isScalar, LineCounter, parseDocument } from "yaml";
import type { Document } from "yaml";
import type { Json } from "../model/types.ts";
import { ProjectFileError } from "../state/errors.ts";

/** A YAML file that knows the places of its parts and keeps its comments when it is written. */
export class YamlFile {
  readonly file: string;
  readonly document: Document;
  readonly #lines = new LineCounter();

  constructor(file: string, text: string) {
    this.file = file;
    // Integers are BigInt: a long id in a configuration must not lose digits.
    this.document = parseDocument(text, { lineCounter: this.#lines, intAsBigInt: true, merge: true });
    const [error] = this.document.errors;
    if (error !== undefined)
      throw new ProjectFileError(`${this.#position(error.pos[0])}: ${error.message.split(" at line")[0] ?? ""}`);
    const { contents } = this.document;
    if (isScalar(contents) && contents.value === null) this.document.contents = null;
  }

  error(message: string, node?: unknown): ProjectFileError {
    const start = isNode(node) ? node.range?.[0] : undefined;
    return new ProjectFileError(`${start === undefined ? this.file : this.#position(start)}: ${message}`);
  }

  /** Returns the value of a node, with aliases and merges resolved. */
  plain(node: unknown): Json {
    return this.#plain(isNode(node) ? (node.toJS(this.document) as unknown) : node, node);
  }

  #plain(value: unknown, node: unknown): Json {
    if (Array.isArray(value)) return value.map((item) => this.#plain(item, node));
    if (typeof value === "bigint") return this.#number(value, node);
    if (value === null || value === undefined) return null;
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.#plain(item, node)]));
  }

  #number(value: bigint, node: unknown): number {
    const number = Number(value);
    if (Number.isSafeInteger(number)) return number;
    throw this.error(`${value} has more digits than a JSON number keeps; put it in quotes`, node);
  }

  #position(offset: number): string {
    const { line, col } = this.#lines.linePos(offset);
    return `${this.file}:${line}:${col}`;
  }
}
