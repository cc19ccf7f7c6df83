import type { NewId, PageDocument, PageNode, TemplateRecord } from "../types.ts";
import type { NodeSpec } from "./build.ts";
import { hero } from "./tpl-hero.ts";
import { leadMagnet } from "./tpl-lead-magnet.ts";
import { presell } from "./tpl-presell.ts";
import { quizPlan } from "./tpl-quiz-plan.ts";
import { quizProduct } from "./tpl-quiz-product.ts";
import { sales } from "./tpl-sales.ts";
import { thankYou } from "./tpl-thankyou.ts";
import { webinar } from "./tpl-webinar.ts";

const all = [hero, presell, sales, webinar, thankYou, leadMagnet, quizPlan, quizProduct];

export const templates: readonly TemplateRecord[] = all.map((template) => template.record);

/** Makes a new page from a template. Returns undefined if there is no such template. */
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
