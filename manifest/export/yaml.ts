/** landform.yaml as the account is now, written anew. */
import { parseDocument, YAMLMap, Document } from "yaml";
import { withEscapes } from "../write/yaml/render.ts";
import { commentLines, headComment, leftOutOnly, neverListed } from "../write/comments.ts";
import { slug, TextFiles } from "../write/files.ts";
import { addressOf, type Model } from "../match/model.ts";
import { NodeWriter, sectionOf } from "../write/nodes.ts";
import type { Written } from "../write/manifest.ts";
import type { LandformApi } from "../../provider/api/index.ts";
import { keyOfKind, registry, type Kind } from "../../provider/kinds/registry.ts";
import { buildModel } from "./build.ts";
import { readAccount } from "./read.ts";

const MANIFEST = "landform.yaml";

export function writeYaml(model: Model, texts = new TextFiles()): Written {
  const writer = new NodeWriter(texts, ".");
  const document = freshDocument(model);
  const top = document.contents as YAMLMap;
  for (const [kind, resources] of Map.groupBy(model.resources, (resource) => resource.kind)) {
    top.items.push(sectionOf(model, kind, resources, writer));
  }
  const closing = [...leftOutOnly(model), ...neverListed()].flatMap(commentLines).map((line) => ` ${line}`);
  document.comment = closing.join("\n");
  const files = new Map([...texts.files, [MANIFEST, withEscapes(document.toString(STYLE))]]);
  return {
    files,
    standIns: texts.standIns,
    added: model.resources.map(addressOf),
    updated: [],
    gone: [],
    kept: [],
    ahead: [],
  };
}

const STYLE = { lineWidth: 0, indent: 2, indentSeq: true, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER };

function freshDocument(model: Model): Document {
  const later = '"npx landform export" merges later changes into this file.';
  const name = slug(model.name, "account");
  const text = [
    "# yaml-language-server: $schema=node_modules/landform/schema/landform.schema.json",
    ...headComment(model, later)
      .flatMap(commentLines)
      .map((line) => `# ${line}`),
    "landform: 1",
    `name: ${name}`,
    "",
  ].join("\n");
  return parseDocument(text);
}

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

interface UndeclaredFound {
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
