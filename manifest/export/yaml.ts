/** landform.yaml as the account is now, written anew. */
import { parseDocument, type Document, type YAMLMap } from "yaml";
import { withEscapes } from "../write/yaml/render.ts";
import { commentLines, headComment, leftOutOnly, neverListed } from "../write/comments.ts";
import { slug } from "../write/keys.ts";
import { addressOf, type Model } from "../match/model.ts";
import { NodeWriter, sectionOf } from "../write/nodes.ts";
import { TextFiles } from "../write/text-files.ts";
import type { Written } from "../write/manifest.ts";

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
