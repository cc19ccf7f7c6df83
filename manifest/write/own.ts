/** Writes texts out for one entry that other entries take from the same files, too. */
import { isMap as isMapNode, isSeq, type YAMLMap } from "yaml";
import type { Json } from "../../provider/values/json.ts";
import type { Entry } from "../declare/model.ts";
import { layerFormOf } from "../language/forms.ts";
import type { Resource } from "../match/model.ts";
import { keysOf, type Path } from "../source/reader.ts";
import { listOf, mapOf, type NodeWriter } from "./nodes.ts";
import { EditRefused, ofRow } from "./splices.ts";
import type { YamlEdit } from "./yaml/edit.ts";

interface OwnPlace {
  readonly edit: YamlEdit;
  readonly writer: NodeWriter;
  readonly resource: Resource;
  readonly path: Path;
}

/** Puts texts after the files: into the map that is there, or into a new one. */
export function writeOwnTexts({ edit, writer, resource, path }: OwnPlace, texts: ReadonlyMap<string, Json>): void {
  const node = edit.nodeAt(path);
  const items: readonly unknown[] = isSeq(node) ? node.items : [node];
  const last = items.at(-1);
  const pairs = [...texts].map(([key, text]) => ({ key, value: writer.contentValue(resource, key, text) }));
  if (isSeq(node) && isMapNode(last) && !isLayer(last)) {
    for (const { key, value } of pairs) edit.set([...path, items.length - 1, key], value);
    return;
  }
  if (!items.every((item) => isMapNode(item) && isLayer(item))) throw new EditRefused("layered", []);
  const layers = [edit.plainAt(path)].flat().map((one) => writer.asWritten(one));
  edit.set(path, listOf([...layers, mapOf(pairs.map(({ key, value }) => writer.pair(key, value)))]));
}

/** Tells if a map stands for keys and values elsewhere. */
export function isLayer(map: YAMLMap): boolean {
  return layerFormOf(keysOf(map)) !== undefined;
}

/** Says how this entry can have another value than the others. */
export function apartIn({ one }: Entry, hasPlace: boolean): string {
  if (one !== undefined) return ofRow(one.row.key);
  return hasPlace ? "write it out for this one" : "declare it where the others don't take it";
}
