/**
 * Values that several places share by an anchor. A change at one place must not change the others: a short value is written out for the one, and the
 * anchor moves on if it was there. A long value, or one that holds others, is refused with both places.
 */
import { isAlias, isMap, isScalar, visit, type Alias, type Document, type Node, type Pair, type YAMLMap } from "yaml";
import { isBlockScalar, isFlow, pairAt, rangeOf } from "./places.ts";
import { EditRefused } from "../splices.ts";
import { keyOf } from "../../source/reader.ts";

interface Use {
  readonly alias: Alias;
  /** The map that takes in the anchored one by `<<`. */
  readonly into: YAMLMap | undefined;
}

export class Anchors {
  readonly #uses = new Map<Node, Use[]>();
  readonly #targets = new Map<Node, Node>();

  constructor(document: Document) {
    const anchors = new Map<string, Node>();
    visit(document, {
      Node: (_key, node, ancestors) => {
        if (!isAlias(node)) {
          if (node.anchor !== undefined) anchors.set(node.anchor, node);
          return;
        }
        const target = anchors.get(node.source);
        if (!target) return;
        this.#targets.set(node, target);
        this.#uses.set(target, [...this.#usesOf(target), { alias: node, into: mergedInto(ancestors) }]);
      },
    });
  }

  /** Returns the node with the anchor, for itself or for an alias. */
  source(node: Node): Node {
    return this.#targets.get(node) ?? node;
  }

  aliases(source: Node): Alias[] {
    return this.#usesOf(source).map(({ alias }) => alias);
  }

  /** Refuses a change below a value that other places share, unless each of them has the key itself. */
  refuseBelow(node: Node, key: string | undefined): void {
    const seen = this.#usesOf(node).find(({ into }) => key === undefined || !into || !pairAt(into, key));
    if (seen) throw new EditRefused("shared", [rangeOf(node).start, rangeOf(seen.alias).start]);
  }

  /** Refuses to replace a long value that others refer to. A short one moves on to one of them. */
  refuseLong(text: string, source: Node): void {
    const [alias] = this.aliases(source);
    if (!alias || isShort(text, source)) return;
    throw new EditRefused("shared", [rangeOf(source).start, rangeOf(alias).start]);
  }

  /** Refuses to take out values that places outside refer to. */
  refuseGoing(going: ReadonlySet<Node>): void {
    for (const source of going) {
      const heir = this.aliases(source).find((alias) => !going.has(alias));
      if (heir) throw new EditRefused("shared", [rangeOf(source).start, rangeOf(heir).start]);
    }
  }

  #usesOf(source: Node): readonly Use[] {
    return this.#uses.get(source) ?? [];
  }
}

/** Returns all nodes below a node, without the node itself. */
export function below(node: Node): Set<Node> {
  const found = new Set<Node>();
  visit(node, {
    Node: (_key, one) => {
      if (one !== node) found.add(one);
    },
  });
  return found;
}

/** Returns the start of a value with its anchor. `after` is the end of its key or dash. */
export function startWithAnchor(text: string, node: Node, after: number): number {
  const { start } = rangeOf(node);
  if (isAlias(node) || node.anchor === undefined) return start;
  const sign = text.lastIndexOf(`&${node.anchor}`, start);
  return sign >= after ? sign : start;
}

function isShort(text: string, node: Node): boolean {
  const { start, end } = rangeOf(node);
  return (isScalar(node) ? !isBlockScalar(node) : isFlow(node)) && !text.slice(start, end).includes("\n");
}

/** Returns the map that an alias after `<<` is merged into, by itself or in a list. */
function mergedInto(ancestors: readonly unknown[]): YAMLMap | undefined {
  const index = ancestors.findLastIndex((ancestor) => isMap(ancestor));
  const pair = ancestors[index + 1] as Pair | undefined;
  return pair && keyOf(pair) === "<<" ? (ancestors[index] as YAMLMap) : undefined;
}
