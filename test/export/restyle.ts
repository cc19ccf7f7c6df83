/** Writes a manifest in another person's style with the same values. Numbers choose. */
import { isDeepStrictEqual } from "node:util";
import { type Alias, Document, isCollection, isScalar, type Node, parse, type Pair, Scalar, visit } from "yaml";

export interface Restyled {
  readonly text: string;
  /** All comments of the text. No two are equal. */
  readonly comments: readonly string[];
}

const TYPES = [
  Scalar.PLAIN,
  Scalar.QUOTE_DOUBLE,
  Scalar.QUOTE_SINGLE,
  Scalar.BLOCK_LITERAL,
  Scalar.BLOCK_FOLDED,
] as const;

/** The depth of an entry: document, sections, pair, entries, pair. */
const ENTRY = 5;
const QUOTED = [Scalar.QUOTE_DOUBLE, Scalar.QUOTE_SINGLE] as const;

export function restyled(manifest: string, numbers: readonly number[]): Restyled {
  const plain = parse(manifest) as Record<string, unknown>;
  // The library prints some styles with another meaning.
  const sound = [true, false]
    .map((anchors) => clothed(plain, numbers, anchors))
    .find(({ text }) => isDeepStrictEqual(parsed(text), plain));
  const { text, comments } = sound ?? { text: manifest, comments: [] };
  const crlf = (numbers[0] ?? 0) % 3 === 0;
  return {
    text: crlf ? text.replaceAll("\n", "\r\n") : text,
    comments: comments.filter((one) => text.includes(one)),
  };
}

function parsed(text: string): unknown {
  try {
    return parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function clothed(plain: unknown, numbers: readonly number[], anchors: boolean): Restyled {
  const choice = choices(numbers);
  const document = new Document(plain);
  const comments: string[] = [];
  const comment = (): string => {
    comments.push(`# note ${comments.length}.`);
    return ` note ${comments.length - 1}.`;
  };
  visit(document, {
    Scalar: (key, node) => {
      if (key === "key" || typeof node.value !== "string") return;
      const types = /^\S/.test(node.value) ? TYPES : QUOTED;
      node.type = types[choice(types.length)];
    },
    Collection: (_, node, path) => {
      // Entries stand in lines of their own.
      if (path.length > ENTRY && isSmall(node) && choice(3) === 0) node.flow = true;
    },
    Pair: (_, pair, path) => {
      if (!path.some((one) => isCollection(one) && one.flow === true)) decorate(pair, choice, comment);
    },
  });
  if (anchors) share(document, choice);
  const style = { indent: 1 + choice(4), indentSeq: choice(2) === 0, lineWidth: choice(2) === 0 ? 0 : 60 };
  return { text: document.toString({ ...style, flowCollectionPadding: choice(2) === 0 }), comments };
}

function choices(numbers: readonly number[]): (below: number) => number {
  let used = 0;
  return (below) => (numbers[used++ % numbers.length] ?? 0) % below;
}

function isSmall(node: Node): boolean {
  return isCollection(node) && node.items.length <= 3 && !JSON.stringify(node).includes("\\n");
}

function decorate({ key, value }: Pair, choice: (below: number) => number, comment: () => string): void {
  if (!isScalar(key)) return;
  if (choice(6) === 0) key.spaceBefore = true;
  if (choice(6) === 0) key.commentBefore = comment();
  // Beside an empty block, a comment would become the block's text.
  if (isScalar(value) && value.value !== "" && choice(6) === 0) value.comment = comment();
}

/** Gives equal texts one anchor. */
function share(document: Document, choice: (below: number) => number): void {
  const first = new Map<string, Scalar>();
  let anchors = 0;
  visit(document, {
    Pair: (_, pair): undefined => {
      const { key, value } = pair;
      if (!isScalar(value) || !isScalar(key) || typeof value.value !== "string" || value.value === "") return;
      const before = first.get(value.value);
      if (before === undefined || choice(2) === 0) first.set(value.value, value);
      else {
        const alias: Alias = document.createAlias(before, before.anchor ?? `a${anchors++}`);
        pair.value = alias;
      }
    },
  });
}
