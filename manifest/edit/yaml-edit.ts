/**
 * Edits of a YAML text. Each is a splice of the text as it is written, so that whatever is not edited stays as it is, to
 * the byte: indentation, quotes, comments, blank lines, line ends. What comes out is parsed again and compared with what
 * was meant before anybody gets to see it.
 */
import { isDeepStrictEqual } from "node:util";
import { isAlias, isMap, isScalar, isSeq, Pair, parseDocument, Scalar, YAMLMap, type Document, type Node } from "yaml";
import type { YAMLSeq } from "yaml";
import { Anchors, startWithAnchor } from "./anchors.ts";
import { listChanges } from "./list-changes.ts";
import {
  colonOf,
  behindLine,
  columnOf,
  contentEnd,
  dashesOf,
  isBlockScalar,
  isFlow,
  keyOf,
  lineStart,
  nextLine,
  pairAt,
  pairEnd,
  rangeOf,
  type Path,
} from "./places.ts";
import { EditRefused } from "./refusal.ts";
import { removals } from "./removals.ts";
import { renderFlow, renderFlowPair, renderItem, renderPair, renderValue } from "./render.ts";
import { applySplices, Overlap, type Splice } from "./splices.ts";
import { Styles } from "./style.ts";

export { EditRefused } from "./refusal.ts";
export type { Path } from "./places.ts";

const PARSING = {
  uniqueKeys: false,
  keepSourceTokens: true,
  merge: true,
  logLevel: "error",
  prettyErrors: false,
} as const;
/** The lines of a value come before whatever follows it, and what stands on the line of its key before those. */
const [ON_ITS_LINE, BELOW_ITS_LINE] = [Infinity, Number.MAX_SAFE_INTEGER];

/** What a value hangs on: a key or a dash, and the column that it stands at. */
interface Owner {
  /** Behind the colon or the dash. */
  readonly end: number;
  readonly column: number;
  /** Inside of brackets. */
  readonly flow: boolean;
  readonly isDash: boolean;
  readonly path: Path;
}

interface SharedChange {
  readonly node: Node;
  readonly value: Node;
  readonly owner: Owner;
}

export class YamlEdit {
  readonly #text: string;
  readonly #document: Document;
  readonly #anchors: Anchors;
  readonly #styles: Styles;
  readonly #eol: string;
  readonly #splices: Splice[] = [];
  /** Entries to come into maps that are in the text, by the map. */
  readonly #entering = new Map<YAMLMap, { pair: Pair; after: number; depth: number; apart: boolean }[]>();
  /** Maps to be written where nothing, {} or an alias stands. */
  readonly #filling = new Map<Node, { map: YAMLMap; owner: Owner }>();
  /** Changes of values that several places share, by the one with the anchor. */
  readonly #sharing = new Map<Node, SharedChange[]>();
  #meant: unknown;

  /** The text has to be sound YAML, without a byte order mark. */
  constructor(text: string) {
    this.#text = text;
    this.#document = parseDocument(text, PARSING);
    this.#anchors = new Anchors(this.#document);
    this.#styles = new Styles(text, this.#document);
    this.#eol = /\r\n/.test(text) ? "\r\n" : "\n";
    this.#meant = plainOf(this.#document);
  }

  /** What stands at a path; aliases are not followed. Undefined where nothing does. */
  nodeAt(path: Path): Node | undefined {
    let here: unknown = this.#document.contents;
    for (const step of path) here = below(here, step);
    return (here as Node | null | undefined) ?? undefined;
  }

  /** Puts a value at a path. Maps on the way to it are made; where a map or list stands already, only its differences are written. */
  set(path: Path, value: Node): void {
    this.#walk(path, value);
    assign(this.#meant, path, plainOf(value));
  }

  /** Puts an entry into a map, behind that of a name; a blank line sets it apart. */
  insert(path: Path, pair: Pair, { after, apart }: { after?: string; apart: boolean }): void {
    const map = this.nodeAt(path);
    const key = keyOf(pair) ?? "";
    if (!isMap(map) || map.items.length === 0) {
      this.set([...path, key], pair.value as Node);
      return;
    }
    const index = after === undefined ? -1 : map.items.findIndex((item) => keyOf(item) === after);
    this.#enter(map, pair, { after: index === -1 ? map.items.length - 1 : index, depth: path.length, apart });
    assign(this.#meant, [...path, key], plainOf(pair.value as Node));
  }

  /** The text with all edits. */
  print(): string {
    for (const [source, changes] of this.#sharing) this.#settle(source, changes);
    for (const [node, { map, owner }] of this.#filling) this.#replaceWhole(node, map, owner);
    for (const [map, pairs] of this.#entering) this.#printEntering(map, pairs);
    const printed = this.#spliced();
    const reread = parseDocument(printed, PARSING);
    if (reread.errors.length > 0 || !isDeepStrictEqual(plainOf(reread), this.#meant))
      throw new EditRefused("unsafe", []);
    return printed;
  }

  #spliced(): string {
    try {
      return applySplices(this.#text, this.#splices);
    } catch (error) {
      if (error instanceof Overlap) throw new EditRefused("unsafe", []);
      throw error;
    }
  }

  #walk(path: Path, value: Node): void {
    let here: Node = this.#document.contents as Node;
    let owner: Owner = { end: 0, column: 0, flow: false, isDash: false, path: [] };
    for (const [depth, step] of path.entries()) {
      if (this.#filling.has(here) || isAlias(here) || isEmpty(here)) {
        this.#fill(here, owner, path.slice(depth), value);
        return;
      }
      if (depth > 0) this.#anchors.refuseBelow(here, String(step));
      const rest = path.slice(depth + 1);
      if (isMap(here)) {
        const pair = pairAt(here, String(step));
        if (!pair) {
          this.#enterAt(here, String(step), rest, value, depth);
          return;
        }
        owner = this.#ownerOf(pair, here, path.slice(0, depth + 1));
        here = valueOf(pair);
      } else if (isSeq(here)) {
        const index = Number(step);
        const item = here.items[index] as Node | undefined;
        if (!item) throw new EditRefused("unsafe", []);
        owner = this.#ownerOfItem(here, index, path.slice(0, depth + 1));
        here = item;
      } else throw new EditRefused("unsafe", []);
    }
    this.#change(here, value, owner);
  }

  /** Into a map that is written as a whole, since there is none in the text. */
  #fill(node: Node, owner: Owner, rest: Path, value: Node): void {
    const filled = this.#filling.get(node) ?? { map: startOf(node), owner };
    this.#filling.set(node, filled);
    setIn(filled.map, rest, value);
  }

  #enterAt(map: YAMLMap, key: string, rest: Path, value: Node, depth: number): void {
    const coming = this.#entering.get(map)?.find(({ pair }) => keyOf(pair) === key);
    if (coming && rest.length > 0 && isMap(coming.pair.value)) {
      setIn(coming.pair.value, rest, value);
      return;
    }
    const pair = new Pair(new Scalar(key), nested(rest, value));
    this.#enter(map, pair, { after: map.items.length - 1, depth, apart: false });
  }

  #enter(map: YAMLMap, pair: Pair, how: { after: number; depth: number; apart: boolean }): void {
    this.#anchors.refuseBelow(map, keyOf(pair));
    this.#entering.set(map, [...(this.#entering.get(map) ?? []), { pair, ...how }]);
  }

  #change(node: Node, value: Node, owner: Owner): void {
    if (isDeepStrictEqual(plainOf(node, this.#document), plainOf(value))) return;
    if (this.#isShared(node, value, owner)) return;
    if (isMap(node) && isMap(value) && !hasMerge(node)) this.#changeMap(node, value, owner);
    else if (isSeq(node) && isSeq(value)) this.#changeList(node, value, owner);
    else this.#replaceWhole(node, value, owner);
  }

  /** A change of a shared value waits until all of them are known. */
  #isShared(node: Node, value: Node, owner: Owner): boolean {
    const source = this.#anchors.source(node);
    if (this.#anchors.aliases(source).length === 0) return false;
    if (node === source) this.#anchors.refuseLong(this.#text, source);
    this.#sharing.set(source, [...(this.#sharing.get(source) ?? []), { node, value, owner }]);
    return true;
  }

  #settle(source: Node, changes: readonly SharedChange[]): void {
    const own = changes.find(({ node }) => node === source);
    const unchanged = this.#anchors.aliases(source).filter((alias) => !changes.some(({ node }) => node === alias));
    const together = changes.every(({ value }) =>
      isDeepStrictEqual(plainOf(value), plainOf(changes[0]?.value as Node)),
    );
    if (own && unchanged.length === 0 && together) {
      this.#replaceWhole(source, own.value, own.owner, { keepAnchor: true });
      return;
    }
    for (const { node, value, owner } of changes) this.#replaceWhole(node, value, owner);
    const [heir] = unchanged;
    if (!own || !heir) return;
    const [from, to] = [rangeOf(heir), rangeOf(source)];
    this.#splice(from.start, from.end, `&${heir.source} ${this.#text.slice(to.start, to.end)}`, 0);
  }

  #changeMap(map: YAMLMap, value: YAMLMap, owner: Owner): void {
    const gone = new Set(map.items.flatMap((pair, index) => (pairAt(value, keyOf(pair) ?? "") ? [] : [index])));
    if (gone.size === map.items.length) {
      this.#replaceWhole(map, value, owner);
      return;
    }
    this.#remove(map, gone);
    for (const pair of value.items) {
      const old = pairAt(map, keyOf(pair) ?? "");
      const path = [...owner.path, keyOf(pair) ?? ""];
      if (old) this.#change(valueOf(old), pair.value as Node, this.#ownerOf(old, map, path));
      else this.#enter(map, pair, { after: map.items.length - 1, depth: path.length, apart: false });
    }
  }

  #changeList(list: YAMLSeq, value: YAMLSeq, owner: Owner): void {
    const items = list.items as Node[];
    const changes = listChanges(
      items.map((item) => plainOf(item, this.#document)),
      value.items.map((item) => plainOf(item as Node)),
    );
    const gone = new Set(changes.flatMap((one) => (one.change === "remove" ? [one.index] : [])));
    if (gone.size === items.length) {
      this.#replaceWhole(list, value, owner);
      return;
    }
    this.#remove(list, gone);
    for (const one of changes) {
      if (one.change === "insert") this.#insertItem(list, one.after, value.items[one.by] as Node, owner);
      else if (one.change === "replace") {
        const itemOwner = this.#ownerOfItem(list, one.index, [...owner.path, one.index]);
        this.#change(items[one.index] as Node, value.items[one.by] as Node, itemOwner);
      }
    }
  }

  #remove(from: YAMLMap | YAMLSeq, gone: ReadonlySet<number>): void {
    for (const { start, end } of removals(this.#text, from, gone)) this.#splice(start, end, "", 0);
  }

  #insertItem(list: YAMLSeq, after: number, item: Node, { path }: Owner): void {
    const items = list.items as Node[];
    if (isFlow(list)) {
      const text = renderFlow(item);
      const before = items[after];
      if (before) this.#splice(rangeOf(before).end, rangeOf(before).end, `, ${text}`, 0);
      else this.#splice(rangeOf(items[0] as Node).start, rangeOf(items[0] as Node).start, `${text}, `, 0);
      return;
    }
    const dashes = dashesOf(list);
    const column = columnOf(this.#text, dashes[0] ?? 0);
    const at =
      after < 0
        ? lineStart(this.#text, dashes[0] ?? 0)
        : this.#behind(contentEnd(this.#text, items[after] as Node), column);
    this.#addLines(at, renderItem(item, column, this.#styles.below(list)), path.length + 1);
  }

  #printEntering(
    map: YAMLMap,
    entering: readonly { pair: Pair; after: number; depth: number; apart: boolean }[],
  ): void {
    const text = this.#text;
    for (const { pair, after, depth, apart } of entering) {
      const before = map.items[after];
      if (!before) throw new EditRefused("unsafe", []);
      const end = pairEnd(text, before);
      if (isFlow(map)) {
        this.#splice(end, end, `, ${renderFlowPair(pair)}`, depth);
        continue;
      }
      const column = columnOf(text, rangeOf(map.items[0]?.key as Node).start);
      const lines = renderPair(pair, column, this.#styles.below(map));
      this.#addLines(this.#behind(end, column), apart ? `\n${lines}` : lines, depth);
    }
  }

  #replaceWhole(node: Node, value: Node, owner: Owner, { keepAnchor = false } = {}): void {
    const text = this.#text;
    const { start, end } = rangeOf(node);
    const from = keepAnchor ? start : startWithAnchor(text, node, owner.end);
    if (owner.flow) {
      if (start === end) this.#splice(owner.end, owner.end, ` ${renderFlow(value)}`, ON_ITS_LINE);
      else this.#splice(from, end, renderFlow(value), 0);
      return;
    }
    const style = this.#styles.below(node);
    // A list below a dash stands deeper than it.
    const { inline, below: lines } = renderValue(
      value,
      owner.column,
      owner.isDash ? { ...style, indentSeq: true } : style,
    );
    if (isBlockScalar(node)) this.#replaceBlock(start, contentEnd(text, node), inline, lines);
    else if ((isMap(node) || isSeq(node)) && !isFlow(node)) this.#replaceLines(node, inline, lines, owner);
    else {
      const behindOwner = start === end || inline === "";
      const gap = behindOwner && inline !== "" ? " " : "";
      this.#splice(behindOwner ? owner.end : from, start === end ? owner.end : end, gap + inline, ON_ITS_LINE);
      if (lines !== "") this.#addLines(nextLine(text, Math.max(end, owner.end)), lines, BELOW_ITS_LINE);
    }
  }

  /** The comment behind the sign of a block stays where it is. */
  #replaceBlock(start: number, end: number, inline: string, lines: string): void {
    const [sign = ""] = /^[|>][-+\d]*/.exec(this.#text.slice(start)) ?? [];
    const bodyStart = nextLine(this.#text, start);
    this.#splice(start, start + sign.length, inline, 0);
    const bodyEnd =
      end <= bodyStart || this.#text[end - 1] === "\n" ? Math.max(end, bodyStart) : nextLine(this.#text, end);
    this.#splice(bodyStart, bodyEnd, this.#withEnds(lines), BELOW_ITS_LINE);
  }

  #replaceLines(node: Node, inline: string, lines: string, owner: Owner): void {
    const { start } = rangeOf(node);
    const end = contentEnd(this.#text, node);
    const first = isSeq(node) ? (dashesOf(node)[0] ?? start) : start;
    const onOwnLine = this.#text.slice(owner.end, first).includes("\n");
    const gap = inline === "" ? "" : " ";
    this.#splice(owner.end, onOwnLine ? owner.end : end, gap + inline, ON_ITS_LINE);
    // Whatever stands between a block's sign and its text would be part of the text.
    const from = !onOwnLine
      ? behindLine(this.#text, end)
      : /^[|>]/.test(inline)
        ? nextLine(this.#text, owner.end)
        : lineStart(this.#text, first);
    this.#splice(from, behindLine(this.#text, end), this.#withEnds(lines), BELOW_ITS_LINE);
  }

  /** Whole lines before an offset that begins a line, or at the end of a text without a line end. */
  #addLines(at: number, lines: string, depth: number): void {
    const open = at > 0 && this.#text[at - 1] !== "\n";
    const added = this.#withEnds(open ? `\n${lines}` : lines);
    this.#splice(at, at, added, depth);
  }

  #splice(start: number, end: number, text: string, depth: number): void {
    this.#splices.push({ start, end, text, depth });
  }

  #withEnds(text: string): string {
    return this.#eol === "\n" ? text : text.replaceAll("\n", this.#eol);
  }

  /** Behind the line of an offset, and behind the comments below it that stand deeper than a column. */
  #behind(end: number, column: number): number {
    const text = this.#text;
    let at = behindLine(text, end);
    for (let line = at; line < text.length; line = nextLine(text, line)) {
      const words = text.slice(line, nextLine(text, line));
      const depth = words.search(/\S/);
      if (depth === -1) continue;
      if (words[depth] !== "#" || depth <= column) break;
      at = nextLine(text, line);
    }
    return at;
  }

  #ownerOf(pair: Pair, map: YAMLMap, path: Path): Owner {
    const { start, end } = rangeOf(pair.key as Node);
    return { end: colonOf(pair) ?? end, column: columnOf(this.#text, start), flow: isFlow(map), isDash: false, path };
  }

  #ownerOfItem(list: YAMLSeq, index: number, path: Path): Owner {
    if (isFlow(list))
      return { end: rangeOf(list.items[index] as Node).start, column: 0, flow: true, isDash: true, path };
    const dash = dashesOf(list)[index] ?? 0;
    return { end: dash + 1, column: columnOf(this.#text, dash), flow: false, isDash: true, path };
  }
}

function below(node: unknown, step: string | number): unknown {
  if (isMap(node)) return pairAt(node, String(step))?.value;
  return isSeq(node) ? node.items[Number(step)] : undefined;
}

function valueOf(pair: Pair): Node {
  return (pair.value as Node | null) ?? new Scalar(null);
}

/** Nothing, or brackets with nothing in them. */
function isEmpty(node: Node): boolean {
  return (isScalar(node) && node.value === null) || (isMap(node) && node.items.length === 0);
}

function hasMerge(map: YAMLMap): boolean {
  return map.items.some((pair) => keyOf(pair) === "<<");
}

/** What stands by an alias is taken in, so that a change adds to it. */
function startOf(node: Node): YAMLMap {
  const map = new YAMLMap();
  if (isAlias(node)) map.items.push(new Pair(new Scalar("<<"), node));
  return map;
}

function nested(path: Path, value: Node): Node {
  return [...path].reverse().reduce<Node>((inner, step) => {
    const map = new YAMLMap();
    map.items.push(new Pair(new Scalar(String(step)), inner));
    return map;
  }, value);
}

function setIn(map: YAMLMap, path: Path, value: Node): void {
  const [step = "", ...rest] = path;
  const pair = pairAt(map, String(step));
  if (!pair) map.items.push(new Pair(new Scalar(String(step)), nested(rest, value)));
  else if (rest.length > 0 && isMap(pair.value)) setIn(pair.value, rest, value);
  else pair.value = nested(rest, value);
}

function assign(target: unknown, path: Path, value: unknown): void {
  let here = target as Record<string, unknown>;
  for (const step of path.slice(0, -1)) {
    const next = Object.hasOwn(here, step) ? here[step] : undefined;
    const inner = typeof next === "object" && next !== null ? (next as Record<string, unknown>) : {};
    here[step] = inner;
    here = inner;
  }
  here[String(path.at(-1))] = value;
}

/** As JSON, nothing shared by two places. */
function plainOf(node: Document | Node, document?: Document): unknown {
  if ("contents" in node && "directives" in node) return unshared(node.toJS({ maxAliasCount: -1 }));
  const holder = document ?? parseDocument("");
  return unshared(node.toJS(holder, { maxAliasCount: -1 }));
}

function unshared(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unshared);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unshared(item)]));
}
