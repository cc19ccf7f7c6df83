/** The environments of a project, from their states alone. */
import type { Stacks, StackSummary } from "../stacks/kept.ts";
import { counted, reasonOf } from "../../provider/values/wording.ts";
import { isDefaultProvider, isRootStack, nameOf } from "../../engine/index.ts";
import { definitionOf, type Kind, registry } from "../../provider/kinds/registry.ts";
import type { Notice } from "../../provider/messages/notices.ts";
import { asReleased, type StoredResource } from "../../provider/preview/base.ts";
import { type BaseObject, urnInStack } from "../../provider/preview/facts.ts";
import { isEnvironmentName, previewName } from "../../provider/definition/in-preview.ts";
import { isOfPreview, standInOf } from "../../provider/preview/stand-ins.ts";
import type { StateOptions } from "../options.ts";
import { openProject } from "../project/open.ts";
import { withStacks } from "../stacks/stacks.ts";
import { readStack } from "./base.ts";
import { titleIn } from "../report/words.ts";
import { type EnvironmentRecord, isExpired, recordIn } from "./record.ts";
import type { LeftOut, PreviewPage } from "./types.ts";

export interface ListedEnvironment {
  readonly name: string;
  /** `half-made`: a run of it ended before its record, or its objects are gone. `unreadable`: its state can't be read. */
  readonly condition: "live" | "expired" | "half-made" | "unreadable";
  /** Undefined for a half-made environment whose run ended before its record. */
  readonly record?: EnvironmentRecord;
  readonly objects: number;
  readonly pages: readonly PreviewPage[];
  readonly holder?: string;
  readonly problem?: string;
}

export type ListOptions = Pick<StateOptions, "C" | "engine">;

export async function listEnvironments({ C, engine }: ListOptions, now = new Date()): Promise<ListedEnvironment[]> {
  const folder = await openProject(C, { runs: false });
  return withStacks(engine, folder, async (stacks) => {
    const waiting = (await stacks.list()).values();
    const found: ListedEnvironment[] = [];
    const work = async (): Promise<void> => {
      for (const next of waiting) {
        const one = await lookAt(stacks, next, now);
        if (one) found.push(one);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return found.sort((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));
  });
}

const AT_ONCE = 4;

/** Returns undefined for a stack that is no environment, or that was removed meanwhile. */
async function lookAt(stacks: Stacks, summary: StackSummary, now: Date): Promise<ListedEnvironment | undefined> {
  const { name, holder } = summary;
  const about = { name, holder };
  try {
    const { resources, environment } = await readStack(stacks, name);
    const condition = conditionOf(resources, environment, now);
    const objects = resources.filter(isOwn).length;
    if (environment === undefined) {
      const isHalf = isEnvironmentName(name) && condition === "half-made";
      return isHalf ? { ...about, condition, objects, pages: [] } : undefined;
    }
    return { ...about, condition, record: environment, objects, pages: pagesIn(resources, {}) };
  } catch (error) {
    if (!isEnvironmentName(name)) return undefined;
    const isThere = (await stacks.list()).some((stack) => stack.name === name);
    const problem = reasonOf(error);
    return isThere ? { ...about, condition: "unreadable", objects: 0, pages: [], problem } : undefined;
  }
}

/** Without a record nobody can tell how long its objects are needed. */
export function conditionOf(
  resources: readonly Pick<StoredResource, "urn" | "type" | "id">[],
  record: EnvironmentRecord | undefined,
  now: Date,
): "live" | "expired" | "half-made" {
  if (!resources.some(isOwn)) return "half-made";
  return record !== undefined && isExpired(record, now) ? "expired" : "live";
}

/** A component is no object of the account. */
function isOwn({ urn, type, id }: Pick<StoredResource, "urn" | "type" | "id">): boolean {
  return (
    id !== undefined &&
    !isRootStack(urn) &&
    !isDefaultProvider(urn) &&
    !type.startsWith("pulumi:") &&
    !isOfPreview(type)
  );
}

/** Counts the objects beside the pages, by kind: `4 products`. */
export function besidesIn(resources: readonly StoredResource[]): string[] {
  const kinds = resources.filter(isOwn).flatMap(({ type, delete: condemned }) => {
    const { public: how, lookup } = definitionOf(type) ?? {};
    return how === "address" || lookup === undefined || condemned === true ? [] : [lookup];
  });
  const alike = Map.groupBy(kinds, ({ what }) => what);
  return [...alike].map(([what, all]) => counted(all.length, what, all[0]?.plural)).sort();
}

export function pagesIn(
  resources: readonly StoredResource[],
  base: Readonly<Record<string, BaseObject>>,
): PreviewPage[] {
  const record = recordIn(resources);
  const ownName = (said: unknown): string | undefined =>
    record && text(said)?.replace(previewName(record.prefix, ""), "");
  const pages = asReleased(resources).flatMap(({ urn, type, id, inputs = {}, outputs = {}, delete: condemned }) => {
    const definition = definitionOf(type);
    if (definition?.public !== "address" || id === undefined || condemned === true) return [];
    const url = outputs["status"] === "published" ? text(outputs["url"]) : undefined;
    const editUrl = text(outputs["editUrl"]);
    const baseUrl = base[urnInStack(urn)]?.url;
    const name = nameOf(urn);
    const title = titleIn(ownName(inputs["name"]), name);
    return [{ type: definition.type, name, ...(title !== undefined && { title }), urn, id, url, editUrl, baseUrl }];
  });
  return pages.sort(byName);
}

/** Sorts by type and name. A state lists resources in the order of their creation, which differs each time. */
export function byName(a: { type: string; name: string }, b: { type: string; name: string }): number {
  return a.type.localeCompare(b.type, "en") || a.name.localeCompare(b.name, "en", { numeric: true });
}

export function leftOutIn(resources: readonly StoredResource[], notices: readonly Notice[]): LeftOut[] {
  const whole = resources.flatMap(({ urn, type, inputs = {} }): LeftOut[] => {
    if (standInOf(type) !== "LeftOut") return [];
    const { kind, why } = inputs as { kind: Kind; why: LeftOut["why"] };
    return [{ type: registry[kind].type, name: nameOf(urn), why }];
  });
  const options = notices.flatMap((notice): LeftOut[] =>
    notice.code === "option-left-out" ? [{ type: typeOf(notice.kind), name: notice.name, why: notice.option }] : [],
  );
  return [...whole, ...new Map(options.map((one) => [`${one.type} ${one.name} ${one.why}`, one])).values()];
}

function typeOf(kind: string): string {
  return Object.hasOwn(registry, kind) ? registry[kind as Kind].type : kind;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
