/** What of an environment can be opened, and what was left out of it: from its state. Pure. */
import { nameOf } from "../../engine/index.ts";
import { urnInStack, type BaseObject } from "../../provider/preview/facts.ts";
import { asReleased, type StoredResource } from "../../provider/preview/base.ts";
import { LEFT_OUT } from "../../provider/preview/stand-ins.ts";
import { definitionOf, registry, resourceType, type Kind } from "../../provider/kinds/registry.ts";
import type { Notice } from "../../provider/messages/notices.ts";
import type { LeftOut, PreviewPage } from "./types.ts";

export function pagesIn(
  resources: readonly StoredResource[],
  base: Readonly<Record<string, BaseObject>>,
): PreviewPage[] {
  const pages = asReleased(resources).flatMap(({ urn, type, id, outputs = {}, delete: condemned }) => {
    const definition = definitionOf(type);
    if (definition?.public !== "address" || id === undefined || condemned === true) return [];
    const url = outputs["status"] === "published" ? text(outputs["url"]) : undefined;
    const editUrl = text(outputs["editUrl"]);
    const baseUrl = base[urnInStack(urn)]?.url;
    return [
      {
        type: definition.type,
        name: nameOf(urn),
        urn,
        id,
        ...(url !== undefined && { url }),
        ...(editUrl !== undefined && { editUrl }),
        ...(baseUrl !== undefined && { baseUrl }),
      },
    ];
  });
  return pages.sort(byName);
}

/** A state has its resources in the order in which they came to be, which is another one each time. */
export function byName(a: { type: string; name: string }, b: { type: string; name: string }): number {
  return a.type.localeCompare(b.type, "en") || a.name.localeCompare(b.name, "en", { numeric: true });
}

const TYPE = resourceType({ type: LEFT_OUT });

export function leftOutIn(resources: readonly StoredResource[], notices: readonly Notice[]): LeftOut[] {
  const whole = resources.flatMap(({ urn, type, inputs = {} }): LeftOut[] => {
    if (type !== TYPE) return [];
    const { kind, why } = inputs as { kind: Kind; why: LeftOut["why"] };
    return [{ type: registry[kind].type, name: nameOf(urn), why }];
  });
  const options = notices.flatMap((notice): LeftOut[] =>
    notice.code === "option-left-out" ? [{ type: typeOf(notice.kind), name: notice.name, why: notice.option }] : [],
  );
  return [...whole, ...new Map(options.map((one) => [`${one.type} ${one.name} ${one.why}`, one])).values()];
}

/** A component has no kind of ours. */
function typeOf(kind: string): string {
  return Object.hasOwn(registry, kind) ? registry[kind as Kind].type : kind;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
