/** What visitors see of a change: texts with the values of their variables. Pure. */
import { isRecord, type PropertyMap, type StepEventMetadata } from "../../engine/index.ts";
import type { AnyDefinition } from "../../provider/definition/define.ts";
import type { JsonMap } from "../../provider/values/json.ts";
import { registry } from "../../provider/kinds/registry.ts";
import type { Change, RenderedText } from "./model.ts";
import { shortName } from "./steps.ts";
import { shown } from "./values.ts";

const byType = new Map(
  Object.values<AnyDefinition>(registry).map((definition): [string, AnyDefinition] => [definition.type, definition]),
);

/** Only of texts that stand there before and after: what is new or goes is told by its fields. */
export function renderedIn(metadata: StepEventMetadata | undefined): Pick<Change, "rendered"> {
  const render = metadata && byType.get(shortName(metadata.type))?.plan.rendered;
  const [old, now] = [metadata?.old?.inputs, metadata?.new?.inputs];
  if (render === undefined || old === undefined || now === undefined) return {};
  const [before, after] = [old, now].map((inputs) => render(plain(inputs)));
  const rendered = Object.entries(after ?? {}).flatMap(([input, texts]) => {
    const then = before?.[input];
    if (!isRecord(texts) || !isRecord(then)) return [];
    return Object.entries(texts).flatMap(([key, text]): RenderedText[] => {
      const was = then[key];
      return typeof text === "string" && typeof was === "string" && text !== was
        ? [{ path: [input, key], old: was, new: text }]
        : [];
    });
  });
  return rendered.length === 0 ? {} : { rendered };
}

function plain(inputs: PropertyMap): JsonMap {
  return shown(inputs) as JsonMap;
}
