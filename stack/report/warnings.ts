/**
 * Warnings that are told once all resources are known: entries that nothing uses, such as a variable that no text holds, and names
 * that the service cut. Maps are shared between resources, so an entry is told only where no resource that declares it is known,
 * or thought, to use it. Pure.
 */
import { isRecord, nameOf } from "../../engine/index.ts";
import { markersCutText, type MarkerCut, type Notice } from "../../provider/messages/notices.ts";
import { definitionOf } from "../../provider/kinds/registry.ts";
import { shortName } from "./steps.ts";
import type { Told } from "./told.ts";

interface Declared {
  what: string;
  why: string;
  by: string[];
  used: boolean;
}

export function noUseWarnings(all: Iterable<Told>, notices: readonly Notice[]): string[] {
  const declared = new Map<string, Declared>();
  for (const told of all) {
    for (const { what, why, used, by } of entriesOf(told, notices)) {
      const known = declared.get(what);
      declared.set(what, { what, why, by: [...(known?.by ?? []), ...by], used: used || known?.used === true });
    }
  }
  return [...declared.values()].flatMap(({ what, why, by, used }) => (used ? [] : [`${what}: ${why} (${some(by)})`]));
}

function entriesOf({ urn, id, steps }: Told, notices: readonly Notice[]): Declared[] {
  const step = [...steps.values()].findLast(({ new: next }) => next !== undefined);
  const type = shortName(step?.type ?? "");
  const definition = definitionOf(type);
  if (!definition || step?.new === undefined) return [];
  const told = notices.flatMap((notice) =>
    notice.code === "no-use" && notice.kind === definition.kind && notice.id === id ? [notice] : [],
  );
  const { old, new: next, op } = step;
  return Object.keys(definition.inputs.shape).flatMap((field) => {
    const why = definition.rule(field).noUse;
    const [then, now] = [old?.inputs[field], next.inputs[field]];
    if (why === undefined || !isRecord(now)) return [];
    return Object.keys(now).map((key) => {
      const changedNothing = op === "same" && old !== undefined && !(isRecord(then) && key in then);
      const isTold = told.some((notice) => notice.field === field && notice.names.includes(key));
      return { what: `${field}.${key}`, why, by: [`${type} ${nameOf(urn)}`], used: !changedNothing && !isTold };
    });
  });
}

const MOST_NAMES = 3;

function some(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  return `${names.slice(0, MOST_NAMES).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Names that the service cut, and with them the marker: one warning a kind, or one an object. */
export function markerCutWarnings(notices: readonly Notice[], verbose: boolean): string[] {
  const groups = new Map<string, [MarkerCut, ...MarkerCut[]]>();
  for (const notice of notices) {
    if (notice.code !== "marker-cut") continue;
    const group = verbose ? notice.id : notice.kind;
    const known = groups.get(group);
    if (known) known.push(notice);
    else groups.set(group, [notice]);
  }
  return [...groups.values()].map(markersCutText);
}
