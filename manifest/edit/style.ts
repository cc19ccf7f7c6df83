/** How a text is indented, so that what comes into it is, too. */
import { isMap, isSeq, visit, type Document, type Node, type Pair } from "yaml";
import { columnOf, dashesOf, isFlow, rangeOf } from "./places.ts";
import type { Style } from "./render.ts";

/** Deeper than this no document is indented by YAML's library. */
const MAX_INDENT = 8;
const USUAL: Style = { indent: 2, indentSeq: true };

/** The style below a map, by what it or the document has first. */
export class Styles {
  readonly #text: string;
  readonly #indents = new Map<Node, number>();
  readonly #usual: Style;

  constructor(text: string, document: Document) {
    this.#text = text;
    let indent: number | undefined;
    let indentSeq: boolean | undefined;
    visit(document, {
      Pair: (_key, pair, ancestors) => {
        const map = ancestors.at(-1);
        const step = this.#step(pair);
        if (step === undefined) return;
        if (isMap(pair.value)) {
          indent ??= step;
          if (isMap(map) && !this.#indents.has(map)) this.#indents.set(map, step);
        } else indentSeq ??= step > 0;
      },
    });
    this.#usual = { indent: indent ?? USUAL.indent, indentSeq: indentSeq ?? USUAL.indentSeq };
  }

  below(node: Node): Style {
    return { ...this.#usual, indent: this.#indents.get(node) ?? this.#usual.indent };
  }

  /** How much deeper a block stands than its key; undefined for what is no block. */
  #step({ key, value }: Pair): number | undefined {
    if (!(isMap(value) || isSeq(value)) || isFlow(value) || value.items.length === 0) return undefined;
    const first = isMap(value) ? rangeOf(value.items[0]?.key as Node).start : (dashesOf(value)[0] ?? 0);
    const step = columnOf(this.#text, first) - columnOf(this.#text, rangeOf(key as Node).start);
    return step >= (isMap(value) ? 1 : 0) && step <= MAX_INDENT ? step : undefined;
  }
}
