/**
 * Edits a YAML text. Each edit is a splice, so everything else stays as it is, to the byte: indentation, quotes, comments, blank lines, line ends.
 * The editor parses the result again and compares it with the intended one before anybody gets it.
 */
import {
  isAlias,
  isMap,
  isSeq,
  Pair,
  parseDocument,
  Scalar,
  YAMLMap,
  type Document,
  type Node,
  type YAMLSeq,
} from "yaml";
import { type Json, same } from "../../../provider/values/json.ts";
import { Anchors, below as nodesBelow } from "./anchors.ts";
import { canArrange, type Entering, Writing } from "./writing.ts";
import { earlierOf } from "../../match/values.ts";
import {
  assign,
  below,
  hasMerge,
  isEmpty,
  nested,
  type Owner,
  ownerOf,
  ownerOfItem,
  pairAt,
  PARSING,
  plainIn,
  plainOf,
  remove,
  setIn,
  startOf,
  valueOf,
} from "./places.ts";
import { EditRefused, Overlap } from "../splices.ts";
import { keyOf, type Path } from "../../source/reader.ts";

export { EditRefused } from "../splices.ts";

interface SharedChange {
  readonly node: Node;
  readonly value: Node;
  readonly owner: Owner;
}

/** The position of a new entry in a map. Default: the end. */
interface Position {
  readonly after?: { readonly key: string } | "nothing";
  /** True to put it behind a blank line. */
  readonly apart: boolean;
}

export class YamlEdit {
  readonly #text: string;
  readonly #document: Document;
  readonly #anchors: Anchors;
  readonly #writing: Writing;
  /** New entries of existing maps, by the map. */
  readonly #entering = new Map<YAMLMap, Entering[]>();
  /** Maps that replace nothing, {} or an alias. */
  readonly #filling = new Map<Node, { map: YAMLMap; owner: Owner }>();
  /** Changes of values that several places share, by the node with the anchor. */
  readonly #sharing = new Map<Node, SharedChange[]>();
  #meant: unknown;

  /** The text has to be sound YAML, without a byte order mark. */
  constructor(text: string) {
    this.#text = text;
    this.#document = parseDocument(text, PARSING);
    this.#anchors = new Anchors(this.#document);
    this.#writing = new Writing(text, this.#document);
    this.#meant = plainOf(this.#document);
  }

  /** Returns the node at a path, without following aliases. Undefined if there is none. */
  nodeAt(path: Path): Node | undefined {
    let here: unknown = this.#document.contents;
    for (const step of path) here = below(here, step);
    return (here as Node | null | undefined) ?? undefined;
  }

  /** Tells if the path exists, even with an empty value. */
  has(path: Path): boolean {
    const holder = this.nodeAt(path.slice(0, -1));
    return isMap(holder) && pairAt(holder, String(path.at(-1))) !== undefined;
  }

  /** Returns the keys of a map in their order. */
  keysAt(path: Path): string[] {
    const node = this.nodeAt(path);
    return isMap(node) ? node.items.flatMap((pair) => keyOf(pair) ?? []) : [];
  }

  /** Returns the value at a path, as it stands in the text. */
  plainAt(path: Path): Json {
    const node = this.nodeAt(path);
    return (node ? plainOf(node, this.#document) : null) as Json;
  }

  /** Puts a value at a path. It makes the maps on the way. If a map or list is there already, it writes only the differences. */
  set(path: Path, value: Node): void {
    this.#walk(path, value);
    assign(this.#meant, path, plainOf(value));
  }

  /** Puts an entry into a map. */
  insert(path: Path, pair: Pair, { after, apart }: Position): void {
    const map = this.nodeAt(path);
    const key = keyOf(pair) ?? "";
    if (!isMap(map) || map.items.length === 0) {
      this.set([...path, key], pair.value as Node);
      return;
    }
    const found = after === "nothing" ? -1 : map.items.findIndex((item) => keyOf(item) === after?.key);
    const index = found === -1 && after !== "nothing" ? map.items.length - 1 : found;
    this.#enter(map, pair, { after: index, depth: path.length, apart });
    assign(this.#meant, [...path, key], plainOf(pair.value as Node));
  }

  /** Takes an entry out of a map. */
  remove(path: Path): void {
    const map = this.nodeAt(path.slice(0, -1));
    const key = String(path.at(-1));
    const index = isMap(map) ? map.items.findIndex((pair) => keyOf(pair) === key) : -1;
    if (!isMap(map) || index === -1) throw new EditRefused("unsafe", []);
    if (map.items.length === 1) {
      this.set(path.slice(0, -1), new YAMLMap());
      return;
    }
    this.#anchors.refuseBelow(map, undefined);
    this.#cut(map, new Set([index]));
    remove(this.#meant, path);
  }

  /** Returns the text with all edits. */
  print(): string {
    for (const [source, changes] of this.#sharing) this.#settle(source, changes);
    for (const [node, { map, owner }] of this.#filling) this.#writing.replace(node, map, owner);
    for (const [map, pairs] of this.#entering) for (const pair of pairs) this.#writing.insertPair(map, pair);
    const printed = this.#spliced();
    if (!same(plainIn(printed), this.#meant)) throw new EditRefused("unsafe", []);
    return printed;
  }

  #cut(map: YAMLMap, gone: ReadonlySet<number>): void {
    this.#leave([...gone].flatMap((index) => (map.items[index]?.value as Node | null | undefined) ?? []));
    this.#writing.remove(map, gone);
  }

  #replace(node: Node, value: Node, owner: Owner): void {
    this.#anchors.refuseGoing(nodesBelow(node));
    this.#writing.replace(node, value, owner);
  }

  #leave(going: readonly Node[]): void {
    this.#anchors.refuseGoing(new Set(going.flatMap((node) => [node, ...nodesBelow(node)])));
  }

  #spliced(): string {
    try {
      return this.#writing.result();
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
        owner = ownerOf(this.#text, pair, here, path.slice(0, depth + 1));
        here = valueOf(pair);
      } else if (isSeq(here)) {
        const index = Number(step);
        const item = here.items[index] as Node | undefined;
        if (!item) throw new EditRefused("unsafe", []);
        owner = ownerOfItem(this.#text, here, index, path.slice(0, depth + 1));
        here = item;
      } else throw new EditRefused("unsafe", []);
    }
    this.#change(here, value, owner);
  }

  /** Fills a map that the text doesn't have yet. The writer then writes the whole map. */
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

  #enter(map: YAMLMap, pair: Pair, how: Omit<Entering, "pair">): void {
    this.#anchors.refuseBelow(map, keyOf(pair));
    this.#entering.set(map, [...(this.#entering.get(map) ?? []), { pair, ...how }]);
  }

  #change(node: Node, value: Node, owner: Owner): void {
    if (same(plainOf(node, this.#document), plainOf(value))) return;
    if (this.#isShared(node, value, owner)) return;
    if (isMap(node) && isMap(value) && !hasMerge(node)) this.#changeMap(node, value, owner);
    else if (isSeq(node) && isSeq(value)) this.#changeList(node, value, owner);
    else this.#replace(node, value, owner);
  }

  /** Tells if a value is shared. Such a change waits until all of them are known. */
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
    const together = changes.every(({ value }) => same(plainOf(value), plainOf(changes[0]?.value as Node)));
    if (own && unchanged.length === 0 && together) {
      this.#writing.replace(source, own.value, own.owner, { keepAnchor: true });
      return;
    }
    for (const { node, value, owner } of changes) this.#writing.replace(node, value, owner);
    const [heir] = unchanged;
    if (own && heir) this.#writing.moveAnchor(source, heir);
  }

  #changeMap(map: YAMLMap, value: YAMLMap, owner: Owner): void {
    const gone = new Set(map.items.flatMap((pair, index) => (pairAt(value, keyOf(pair) ?? "") ? [] : [index])));
    if (gone.size === map.items.length) {
      this.#replace(map, value, owner);
      return;
    }
    this.#cut(map, gone);
    for (const pair of value.items) {
      const old = pairAt(map, keyOf(pair) ?? "");
      const path = [...owner.path, keyOf(pair) ?? ""];
      if (old) this.#change(valueOf(old), pair.value as Node, ownerOf(this.#text, old, map, path));
      else this.#enter(map, pair, { after: map.items.length - 1, depth: path.length, apart: false });
    }
  }

  #changeList(list: YAMLSeq, value: YAMLSeq, owner: Owner): void {
    const [items, now] = [list.items as Node[], value.items as Node[]];
    const earlier = earlierOf(
      items.map((item) => plainOf(item, this.#document)),
      now.map((item) => plainOf(item)),
    );
    const gone = items.filter((_, index) => !earlier.includes(index));
    if (items.length === now.length && earlier.every((from, index) => (from ?? index) === index)) {
      for (const [index, item] of now.entries())
        this.#change(items[index] as Node, item, ownerOfItem(this.#text, list, index, [...owner.path, index]));
    } else if (gone.length === items.length || !canArrange(this.#text, list, earlier))
      this.#replace(list, value, owner);
    else {
      this.#leave(gone);
      this.#writing.arrange(
        list,
        now.map((item, index) => earlier[index] ?? item),
      );
    }
  }
}
