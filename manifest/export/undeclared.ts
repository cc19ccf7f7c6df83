/** What an account holds and nobody declares, with an entry for each that adopts it. Nothing is written. */
import { YAMLMap, Document } from "yaml";
import type { LandformApi } from "../../provider/api/index.ts";
import { keyOfKind, registry, type Kind } from "../../provider/kinds/registry.ts";
import { buildModel } from "./build.ts";
import { readAccount } from "./read.ts";
import { TextFiles } from "../write/text-files.ts";
import { NodeWriter } from "../write/nodes.ts";
import { withEscapes } from "../write/yaml/render.ts";

export interface Undeclared {
  readonly kind: Kind;
  readonly type: string;
  readonly id: string;
  readonly name: string;
  /** Its section of a landform.yaml, with it alone. */
  readonly entry: string;
  /** Long texts that the entry takes from files, by their path beside the landform.yaml. */
  readonly files: Readonly<Record<string, string>>;
}

export interface UndeclaredFound {
  readonly objects: readonly Undeclared[];
  /** What could not be looked through whole. */
  readonly warnings: readonly string[];
}

/** `declared`: logical names by kind and id. Of what is declared nothing but its line in a list is read. */
export async function findUndeclared(
  api: LandformApi,
  declared: ReadonlyMap<Kind, ReadonlyMap<string, string>>,
): Promise<UndeclaredFound> {
  const known = new Set([...declared].flatMap(([kind, ids]) => [...ids.keys()].map((id) => keyOfKind(kind, id))));
  const records = await readAccount(api, { leaveOut: (kind, id) => known.has(keyOfKind(kind, id)) });
  const reserved = new Map([...declared].map(([kind, known]) => [kind, [...known.values()]]));
  const model = buildModel(records, { known: declared, refersToKnown: true, reserved });
  const objects = model.resources.map((resource): Undeclared => {
    const { kind, key, id = "", name = key } = resource;
    const texts = new TextFiles();
    const writer = new NodeWriter(texts, ".");
    const entry = new YAMLMap();
    entry.items.push(writer.pair(key, writer.entry(resource)));
    const section = new YAMLMap();
    section.items.push(writer.pair(registry[kind].section, entry));
    const text = withEscapes(new Document(section).toString(STYLE));
    return { kind, type: registry[kind].type, id, name, entry: text, files: Object.fromEntries(texts.files) };
  });
  return { objects, warnings: [...records.warnings, ...model.warnings] };
}

const STYLE = { lineWidth: 0, indent: 2, indentSeq: true } as const;
