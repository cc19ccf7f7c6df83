/**
 * Edits a YAML text: it changes the nodes and writes as little of the text anew as it can: a value on its line, an entry that comes or goes, or else
 * the smallest entry around the change. Everything else stays as it is, to the byte. The editor parses the result again and compares it with the
 * intended one before anybody gets it.
 */
import { isAlias, isMap, isScalar, isSeq, Pair, parseDocument, Scalar, visit, YAMLMap } from "yaml";
import type { Document, Node } from "yaml";
import { type Json, same } from "../../../provider/values/json.ts";
import { earlierOf } from "../../match/values.ts";
import { keyOf, type Path } from "../../source/reader.ts";
import { EditRefused } from "../splices.ts";
import { TextChanges } from "./changes.ts";
import {
  assigned,
  belowOf,
  isEmpty,
  itemOf,
  keepComments,
  nested,
  pairAt,
  PARSING,
  plainIn,
  plainOf,
} from "./places.ts";
import { settleComments, type Spot, startOf } from "./places.ts";
import { decimalsIn, inlineText } from "./text.ts";

/** The position of a new entry in a map. Default: the end. */
interface Position {
  readonly after?: { readonly key: string } | "nothing";
  /** True to put it behind a blank line. */
  readonly apart: boolean;
}

export class YamlEdit {
  readonly #text: string;
  #document!: Document;
  #changes!: TextChanges;
  /** The edits so far. One that turns out to change another place, too, is undone: the others are made again. */
  readonly #edits: (() => void)[] = [];
  #meant: unknown;
  #hasAliases = false;

  /** The text has to be sound YAML, without a byte order mark. */
  constructor(text: string) {
    this.#text = text;
    this.#restart();
    this.#meant = plainOf(this.#document);
    visit(this.#document, {
      Alias: () => {
        this.#hasAliases = true;
        return visit.BREAK;
      },
    });
  }

  /** Returns the node at a path, without following aliases. Undefined if there is none. */
  nodeAt(path: Path): Node | undefined {
    let here: unknown = this.#document.contents;
    for (const step of path)
      here = isMap(here) ? pairAt(here, String(step))?.value : isSeq(here) ? here.items[Number(step)] : undefined;
    return (here as Node | null | undefined) ?? undefined;
  }

  /** Tells if the path exists, even with an empty value. */
  has(path: Path): boolean {
    const holder = this.nodeAt(path.slice(0, -1));
    return isMap(holder) && pairAt(holder, String(path.at(-1))) !== undefined;
  }

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
    this.setAll([path], value);
  }

  /** Puts a value at a path that others share by an anchor, for all of them. */
  setAll(paths: readonly Path[], value: Node): void {
    const [path = []] = paths;
    const meant = paths.reduce((before, one) => assigned(before, one, plainOf(value)), this.#meant);
    this.#edit(path, meant, () => this.#walk(path, value.clone() as Node));
  }

  insert(path: Path, pair: Pair, { after, apart }: Position): void {
    const key = keyOf(pair) ?? "";
    const meant = assigned(this.#meant, [...path, key], plainOf(pair.value as Node));
    this.#edit(path, meant, () => {
      const map = this.nodeAt(path);
      if (!isMap(map) || map.items.length === 0) this.#walk([...path, key], (pair.value as Node).clone() as Node);
      else {
        const found = map.items.findIndex((item) => after !== "nothing" && keyOf(item) === after?.key);
        const index = after === "nothing" || found !== -1 ? found + 1 : map.items.length;
        this.#enter(this.#spotOf(path), map, pair.clone(), index, apart);
      }
    });
  }

  remove(path: Path): void {
    const [above, key] = [path.slice(0, -1), String(path.at(-1))];
    const map = this.nodeAt(above);
    if (!isMap(map) || !this.has(path)) throw new EditRefused("unsafe", []);
    const { [key]: _gone, ...left } = this.plainAt(above) as Record<string, Json>;
    this.#edit(above, assigned(this.#meant, above, left), () => {
      const spot = this.#spotOf(above);
      if (map.items.length === 1) this.#replace(spot, new YAMLMap());
      else this.#cut(spot, this.nodeAt(above) as YAMLMap, new Set([key]));
    });
  }

  print(): string {
    const printed = this.#changes.print();
    if (!same(plainIn(printed), this.#meant)) throw new EditRefused("unsafe", []);
    return printed;
  }

  #restart(): void {
    this.#document = settleComments(this.#text, parseDocument(this.#text, PARSING));
    this.#changes = new TextChanges(this.#text, this.#document);
  }

  /** Makes an edit. It refuses one below an anchor that adds a value, or gives another place another value than the meant one. */
  #edit(path: Path, meant: unknown, work: () => void): void {
    const shared = this.#sharedAround(path);
    const isNew = this.nodeAt(path) === undefined;
    if (!isNew || !shared) work();
    if (shared && (isNew || !same(this.#plain(), meant))) {
      this.#restart();
      for (const edit of this.#edits) edit();
      throw new EditRefused("shared", shared);
    }
    this.#edits.push(work);
    this.#meant = meant;
  }

  /** Returns undefined if an alias has lost its anchor. */
  #plain(): unknown {
    try {
      return plainOf(this.#document);
    } catch (error) {
      if (error instanceof ReferenceError) return undefined;
      throw error;
    }
  }

  /** Returns the offsets of the first anchor at or around a path and of its first alias. */
  #sharedAround(path: Path): number[] | undefined {
    if (!this.#hasAliases) return undefined;
    let found: number[] | undefined;
    const around = path.map((_, depth) => this.nodeAt(path.slice(0, depth + 1)));
    const anchors = new Set(around.flatMap((node) => (node && !isAlias(node) ? (node.anchor ?? []) : [])));
    const inside = around.at(-1);
    if (inside)
      visit(inside, {
        Value: (_key, { anchor }) => {
          if (anchor !== undefined) anchors.add(anchor);
        },
      });
    visit(this.#document, {
      Alias: (_key, alias) => {
        if (!anchors.has(alias.source)) return undefined;
        found = [alias.resolve(this.#document)?.range?.[0] ?? 0, alias.range?.[0] ?? 0];
        return visit.BREAK;
      },
    });
    return found;
  }

  #spotOf(path: Path): Spot {
    return path.reduce<Spot>(stepFrom, this.#root());
  }

  #root(): Spot {
    const node = this.#document.contents ?? new Scalar(null);
    const put = (next: Node): void => {
      this.#document.contents = next;
    };
    return { node, put, within: [], flow: false };
  }

  #walk(path: Path, value: Node): void {
    let spot = this.#root();
    for (const [depth, step] of path.entries()) {
      const { node } = spot;
      if (isAlias(node) || isEmpty(node)) {
        const map = startOf(node);
        map.items.push(new Pair(new Scalar(String(step)), nested(path.slice(depth + 1), value)));
        this.#replace(spot, map);
        return;
      }
      if (isMap(node) && !pairAt(node, String(step))) {
        const entering = new Pair(new Scalar(String(step)), nested(path.slice(depth + 1), value));
        this.#enter(spot, node, entering, node.items.length, false);
        return;
      }
      spot = stepFrom(spot, step);
    }
    this.#change(spot, value);
  }

  #change(spot: Spot, value: Node): void {
    const { node } = spot;
    if (same(plainOf(node, this.#document), plainOf(value))) return;
    const isMerged = isMap(node) && node.items.some((pair) => keyOf(pair) === "<<");
    if (isMap(node) && isMap(value) && !isMerged) this.#changeMap(spot, node, value);
    else if (isSeq(node) && isSeq(value) && value.items.length > 0)
      this.#changeList(spot, node.items as Node[], value.items as Node[]);
    else this.#replace(spot, value);
  }

  #changeMap(spot: Spot, map: YAMLMap, value: YAMLMap): void {
    const gone = new Set(map.items.flatMap((pair) => (pairAt(value, keyOf(pair) ?? "") ? [] : [keyOf(pair) ?? ""])));
    if (gone.size === map.items.length) {
      this.#replace(spot, value);
      return;
    }
    this.#cut(spot, map, gone);
    for (const pair of value.items) {
      const old = pairAt(map, keyOf(pair) ?? "");
      if (old) this.#change(belowOf(spot, old), pair.value as Node);
      else this.#enter(spot, map, pair, map.items.length, false);
    }
  }

  /** Items that stay keep their text with what stands above it. */
  #changeList(spot: Spot, items: readonly Node[], now: readonly Node[]): void {
    const earlier = earlierOf(
      items.map((item) => plainOf(item, this.#document)),
      now.map((item) => plainOf(item)),
    );
    if (items.length === now.length && earlier.every((from, index) => (from ?? index) === index)) {
      for (const [index, item] of now.entries()) this.#change(itemOf(spot, index) as Spot, item);
      return;
    }
    const stays = now.map((item, index) => items[earlier[index] ?? -1] ?? item);
    if (isSeq(spot.node)) {
      keepComments(spot.node, items, stays);
      spot.node.items = stays;
    }
    this.#changes.writeAnew(spot);
  }

  #replace(spot: Spot, value: Node): void {
    const { node, flow } = spot;
    const isBare = (isSeq(value) || isMap(value)) && value.items.length === 0;
    if (isBare) value.flow = true;
    else value.commentBefore ??= node.commentBefore;
    value.comment ??= (isBare ? node.commentBefore : undefined) ?? node.comment;
    if (!isAlias(node) && !isAlias(value) && node.anchor !== undefined) value.anchor = node.anchor;
    if (isScalar(node) && isScalar(value) && typeof value.value === "number")
      value.minFractionDigits = decimalsIn(node.source ?? "");
    spot.put(value);
    const [start, end] = node.range ?? [0, 0];
    const isInLine = isAlias(node) || (isScalar(node) && node.type?.startsWith("BLOCK") !== true);
    const text = isInLine && start !== end && isScalar(value) ? inlineText(value, flow) : undefined;
    if (text === undefined) this.#changes.writeAnew(spot);
    else this.#changes.inLine(spot, [start, end], text);
  }

  #enter(spot: Spot, map: YAMLMap, pair: Pair, index: number, apart: boolean): void {
    map.items.splice(index, 0, pair);
    if (isScalar(pair.key)) pair.key.spaceBefore = apart;
    this.#changes.enter(spot, map, pair, apart);
  }

  #cut(spot: Spot, map: YAMLMap, keys: ReadonlySet<string>): void {
    const gone = map.items.filter((pair) => keys.has(keyOf(pair) ?? ""));
    map.items = map.items.filter((pair) => !gone.includes(pair));
    for (const pair of gone) this.#changes.cut(spot, map, pair);
  }
}

function stepFrom(spot: Spot, step: Path[number]): Spot {
  const pair = isMap(spot.node) ? pairAt(spot.node, String(step)) : undefined;
  const below = pair ? belowOf(spot, pair) : itemOf(spot, Number(step));
  if (!below) throw new EditRefused("unsafe", []);
  return below;
}
