/** Puts `adoptId` into entries of a manifest that is there; everything else stays as it is written. */
import { dirname, relative } from "node:path";
import { Pair, Scalar } from "yaml";
import type { Entry, Manifest } from "../declare/model.ts";
import { writeFiles } from "./files.ts";
import { addressOf } from "../language/addresses.ts";
import { YamlEdit } from "./yaml/edit.ts";

export interface WrittenIds {
  /** Relative to the manifest's folder. */
  readonly files: readonly string[];
  /** What an entry with `each` says is said for all of its rows: their ids have to stand in the data. */
  readonly left: readonly LeftEntry[];
}

export interface LeftEntry {
  /** `pages.offer` */
  readonly of: string;
  /** The data file of the rows, where they come from one. */
  readonly data: string | undefined;
  /** Keys of the rows, with the ids. */
  readonly rows: ReadonlyMap<string, string>;
}

/** `ids`: by address (`pages.offer`). Entries that have one already keep it. */
export function writeAdoptIds({ entries: all, root }: Manifest, ids: ReadonlyMap<string, string>): WrittenIds {
  const wanted = all.filter(({ address, inputs }) => ids.has(address) && inputs["adoptId"] === undefined);
  const entries = wanted.filter(({ one }) => one === undefined);
  const folder = dirname(root.path);
  const texts = new Map<string, string>();
  const base = new Map<string, string>();
  for (const [file, own] of Map.groupBy(entries, ({ place }) => place.file)) {
    const edit = new YamlEdit(file.text);
    for (const { address, definition, key } of own) {
      const pair = new Pair(new Scalar("adoptId"), new Scalar(ids.get(address)));
      edit.insert([definition.section, key], pair, { after: "nothing", apart: false });
    }
    const name = relative(folder, file.path);
    base.set(name, file.text);
    texts.set(name, edit.print());
  }
  return { files: writeFiles(folder, texts, base), left: leftOf(wanted, ids) };
}

function leftOf(entries: readonly Entry[], ids: ReadonlyMap<string, string>): LeftEntry[] {
  const groups = Map.groupBy(entries, ({ definition, one }) => one && addressOf(definition.section, one.of));
  return [...groups].flatMap(([of, own]): LeftEntry[] => {
    const [first] = own;
    if (of === undefined || first?.one === undefined) return [];
    const { place, isProduct } = first.one.row;
    const data = isProduct === true || place.file === first.place.file ? undefined : place.file.name;
    return [{ of, data, rows: new Map(own.map(({ address, one }) => [one?.row.key ?? "", ids.get(address) ?? ""])) }];
  });
}
