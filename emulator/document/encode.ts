import type { ContentField, ContentShape } from "./types.ts";

/** Returns the `fields` of a content map in one of the shapes that a service could use. The caller makes a string of it. */
export function encodeFields(fields: readonly ContentField[], shape: ContentShape): unknown {
  return encoders[shape](fields);
}

const encoders: Record<ContentShape, (fields: readonly ContentField[]) => unknown> = {
  "array-key-value": (fields) =>
    fields.map(({ key, value, label, type, nodeId }) => ({ key, value, label, type, node_id: nodeId })),
  "array-id-text": (fields) => fields.map(({ key, value, type }) => ({ id: key, type, text: value })),
  "array-name-content-default": (fields) =>
    fields.map(({ key, value, label }) => ({ name: key, content: value, default: label })),
  "nested-groups": (fields) =>
    [...Map.groupBy(fields, ({ key }) => key.split(".", 1)[0] ?? key)].map(([group, members]) => ({
      group,
      fields: members.map(({ key, value, type }) => ({ key, value, type })),
    })),
  "map-scalars": (fields) => Object.fromEntries(fields.map(({ key, value }) => [key, value])),
  "map-objects": (fields) =>
    Object.fromEntries(fields.map(({ key, value, label, type }) => [key, { label, type, value }])),
  "array-raw-html": (fields) =>
    fields.map(({ key, value, type }) => ({ key, type, value: { raw: value, html: `<p>${value}</p>` } })),
  "array-rich-text": (fields) =>
    fields.map(({ key, value, type }) => ({ key, type, value: { doc: [{ paragraph: value }] } })),
  "no-values": (fields) => fields.map(({ key, label, type }) => ({ key, label, type })),
};
