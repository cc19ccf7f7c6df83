/** Puts `adoptId` into entries of a manifest that is there; everything else stays as it is written. */
import { dirname, relative } from "node:path";
import { Pair, Scalar } from "yaml";
import { writeFiles } from "../export/write-files.ts";
import { validate } from "../validate.ts";
import { YamlEdit } from "./yaml-edit.ts";

/** `ids`: by address (`pages.offer`). Answers with the files that were written. Entries that have one already keep it. */
export function writeAdoptIds(path: string, ids: ReadonlyMap<string, string>): string[] {
  const { manifest } = validate(path);
  const entries = (manifest?.entries ?? []).filter(
    // What an entry with `each` says is said for all of its rows.
    ({ address, inputs, one }) => ids.has(address) && inputs["adoptId"] === undefined && one === undefined,
  );
  const folder = dirname(path);
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
  return writeFiles(folder, texts, base);
}
