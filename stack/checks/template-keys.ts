/**
 * Compares new pages with what landform.keys.json knows of their templates. A key that the template does not have fails the update of the
 * page after the service has made it: the plan refuses it before.
 */
import { isRecord, type PropertyMap } from "../../engine/index.ts";
import { KEYS_FILE, type TemplateKeys } from "../../manifest/index.ts";
import { definitionOf } from "../../provider/kinds/registry.ts";
import { didYouMean } from "../../provider/values/nearest.ts";
import { propertyPath } from "../../provider/values/paths.ts";
import { templatesKnownIn } from "../lint/findings.ts";
import type { Change } from "../report/model.ts";
import { known, shown } from "../report/values.ts";
import type { Check } from "./check.ts";
import { declaredIn, failed } from "./planned.ts";

const MAKES_NOTHING = "it makes no page from a template";

export const templateKeys: Check = {
  name: "template keys",
  not: {
    ...{ undo: MAKES_NOTHING, "undo --preview": MAKES_NOTHING, "undo --plan": MAKES_NOTHING },
    ...{ destroy: MAKES_NOTHING, "env down": MAKES_NOTHING, adopt: MAKES_NOTHING },
  },
  run: ({ ran: { preview }, session: { folder, redactor } }, { changes }) => {
    const made = changes.filter(({ op, type }) => (op === "create" || op === "replace") && takesContent(type));
    const templates = made.length === 0 ? new Map<string, TemplateKeys>() : templatesKnownIn(folder.root);
    const findings = made.flatMap((change) => {
      const inputs = declaredIn(change, preview.told.get(change.urn));
      const template = known(shown(inputs["templateId"] ?? null));
      if (typeof template !== "string") return [];
      const keys = templates.get(template);
      return keys === undefined ? [] : unknownKeys(inputs, keys).map((text) => refused(change, text, template));
    });
    return { findings: redactor.value(findings) };
  },
};

function takesContent(type: string): boolean {
  const { content, templateId } = definitionOf(type)?.inputs.shape ?? {};
  return content !== undefined && templateId !== undefined;
}

function unknownKeys({ content }: PropertyMap, { name, keys, readAt }: TemplateKeys): string[] {
  const declared = isRecord(content) ? Object.keys(content) : [];
  const missing = declared.filter((key) => !keys.includes(key));
  return missing.map(
    (key) =>
      `${propertyPath(["content", key])}: the template "${name}" has no such key, as ${KEYS_FILE} of ${readAt} knows it${didYouMean(key, keys)}`,
  );
}

function refused(change: Change, text: string, template: string) {
  const remedy = `If the template has the key by now, npx landform templates keys ${template} --probe reads it again.`;
  const { message, ...failure } = failed(change, `${text}${text.endsWith("?") ? "" : "."} ${remedy}`);
  return { weight: "refuse" as const, text: message, failure };
}
