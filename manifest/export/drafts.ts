/**
 * What an export has taken from drafts: a content map shows what stands in the builder, which visitors may not get yet, and code
 * that says it has the next up publish it. Pure.
 */
import { isDeepStrictEqual } from "node:util";
import type { AnyDefinition } from "../../provider/definition/define.ts";
import { isMap, mapOf, type Json } from "../../provider/values/json.ts";
import { keyOfKind, registry } from "../../provider/kinds/registry.ts";
import type { Entry } from "../declare/model.ts";
import type { Applied, LastApplied } from "../match/values.ts";
import { addressOf, isPlainMap, type Model, type Resource } from "../match/model.ts";
import type { AccountRecords, LiveObject } from "./read.ts";
import type { Written } from "../write/manifest.ts";

export interface Drafts {
  /** Texts that the code says now and that may be in a draft alone; the next up publishes them. */
  readonly texts: readonly string[];
  /** Of what no run has taken over yet: which of its texts are public, nobody can tell. */
  readonly whole: readonly string[];
}

export interface AroundDrafts {
  readonly entries: readonly Entry[];
  readonly lastApplied: LastApplied | undefined;
}

export function draftsIn({ objects }: AccountRecords, model: Model, written: Merged, around: AroundDrafts): Drafts {
  const entries = new Map(around.entries.map((entry) => [entry.address, entry]));
  const rows = new Map(objects.map((object) => [keyOfKind(object.kind, object.row.id), object]));
  const ofCollections = Map.groupBy(objects, ({ kind }) => registry[kind].collection);
  const texts: string[] = [];
  const whole: string[] = [];
  for (const resource of model.resources) {
    const object = rows.get(keyOfKind(resource.kind, resource.id ?? resource.copyOf ?? ""));
    if (object === undefined) continue;
    const { key, kind } = resource;
    const known = around.lastApplied?.(registry[kind].type, key);
    const applied = known?.id === resource.id ? known : undefined;
    if (!mayBeDraft(object, ofCollections.get(registry[kind].collection) ?? [], applied)) continue;
    if (applied === undefined) whole.push(addressOf(resource));
    else texts.push(...textsOf(resource, entries.get(addressOf(resource)), applied, written));
  }
  return { texts, whole };
}

type Merged = Pick<Written, "updated" | "kept" | "ahead">;

function mayBeDraft({ kind, row }: LiveObject, others: readonly LiveObject[], applied: Applied | undefined): boolean {
  const { exporting }: AnyDefinition = registry[kind];
  const rows = others.map((other) => other.row);
  return exporting?.mayBeDraft?.(row, rows, applied?.outputs) ?? false;
}

/** What this export has written, and what an earlier one has and no up has published since. */
function textsOf(
  resource: Resource,
  entry: Entry | undefined,
  { outputs }: Applied,
  { updated, kept, ahead }: Merged,
): string[] {
  const { content } = resource.inputs;
  if (!isPlainMap(content)) return [];
  const declared = entry?.inputs["content"];
  const [seen, edited] = [mapOf(outputs["content"]), editedIn(outputs)];
  const isLeft = (path: string): boolean =>
    ahead.includes(path) || kept.some((one) => one === path || one.startsWith(`${path} (`));
  return Object.entries(content).flatMap(([key, live]) => {
    const path = `${addressOf(resource)}.content.${key}`;
    if (updated.includes(path)) return [path];
    const isNew = edited.includes(key) || (Object.hasOwn(seen, key) && !isDeepStrictEqual(seen[key], live));
    return !isNew || !isMap(declared) || !Object.hasOwn(declared, key) || isLeft(path) ? [] : [path];
  });
}

/** The keys that a refresh has found edited in the draft. */
function editedIn(outputs: Applied["outputs"]): readonly Json[] {
  const meta = mapOf(outputs["__landform"]);
  const { content } = mapOf(meta["unpublished"]);
  return Array.isArray(content) ? content : [];
}
