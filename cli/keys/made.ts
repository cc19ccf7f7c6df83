/** The pages that a stack's state knows, and their templates. */
import { type ExportedStack, nameOf, typeOf } from "../../engine/index.ts";
import { registry } from "../../provider/registry.ts";
import type { MadePage } from "./find.ts";

/** What takes content has a content map. */
const TYPES = Object.values(registry)
  .filter(({ inputs }) => "content" in inputs.shape)
  .map(({ type }) => `landform:${type}`);

export function madePages({ deployment: { resources = [] } }: ExportedStack): MadePage[] {
  return resources.flatMap(({ urn, id, inputs }) => {
    if (id === undefined || !TYPES.some((type) => typeOf(urn).endsWith(type))) return [];
    const templateId = inputs?.["templateId"];
    return [{ name: nameOf(urn), id, ...(typeof templateId === "string" && { templateId }) }];
  });
}
