/** landform.yaml as the account is now, written anew. */
import { parseDocument, YAMLMap, type Document } from "yaml";
import type { Kind } from "../../provider/kinds/registry.ts";
import { registry } from "../../provider/kinds/registry.ts";
import { withEscapes } from "../edit/raw-controls.ts";
import { commentLines, headComment, leftOutOnly, neverListed, sectionComment } from "./comments.ts";
import { slug } from "./keys.ts";
import { addressOf, type Model, type Resource } from "./model.ts";
import { NodeWriter } from "./nodes.ts";
import { TextFiles } from "./texts.ts";
import type { Written } from "./written.ts";

export const MANIFEST = "landform.yaml";

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

/** A section with a comment on what the API hides of its kind. */
export function sectionOf(model: Model, kind: Kind, resources: readonly Resource[], writer: NodeWriter) {
  const map = new YAMLMap();
  for (const [index, resource] of resources.entries()) {
    const pair = writer.pair(resource.key, writer.entry(resource));
    pair.key.spaceBefore = index > 0;
    map.items.push(pair);
  }
  const section = writer.pair(registry[kind].section, map);
  section.key.spaceBefore = true;
  const comments = sectionComment(model, kind)
    .flatMap(commentLines)
    .map((line) => ` ${line}`);
  if (comments.length > 0) section.key.commentBefore = comments.join("\n");
  return section;
}

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
