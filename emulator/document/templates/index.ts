import type { NewId, PageDocument, PageNode, TemplateRecord } from "../types.ts";
import type { NodeSpec } from "./build.ts";
import { hero } from "./tpl-hero.ts";

const all = [hero];

export const templates: readonly TemplateRecord[] = all.map((template) => template.record);

/** A new page from a template. Undefined when there is no such template. */
export function documentFromTemplate(templateId: string, newId: NewId): PageDocument | undefined {
  const template = all.find(({ record }) => record.id === templateId);
  if (!template) return undefined;
  return {
    sections: template.sections.map((section) => withIds(section, newId)),
    theme: structuredClone(template.theme),
  };
}

function withIds(spec: NodeSpec, newId: NewId): PageNode {
  const { type, misc, style, children } = spec;
  const node: PageNode = { id: newId(), type, misc: structuredClone(misc), style: { ...style } };
  if (children) node.children = children.map((child) => withIds(child, newId));
  return node;
}
