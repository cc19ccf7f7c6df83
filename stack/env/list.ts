/** The environments of a project, from their states alone. */
import { isDefaultProvider, isRootStack } from "../../engine/index.ts";
import type { StoredResource } from "../../provider/preview/base.ts";
import { isEnvironmentName } from "../../provider/preview/names.ts";
import { isOfPreview } from "../../provider/preview/stand-ins.ts";
import type { EngineChoice } from "../options.ts";
import { openProject } from "../project/open.ts";
import { withStacks } from "../stacks/stacks.ts";
import type { Stacks, StackSummary } from "../stacks/types.ts";
import { readStack } from "./base.ts";
import { pagesIn } from "./pages.ts";
import { type EnvironmentRecord, isExpired } from "./record.ts";
import type { PreviewPage } from "./types.ts";

export interface ListedEnvironment {
  readonly name: string;
  /** `half-made`: a run of it ended before its record, or what it made is gone. `unreadable`: its state can't be read. */
  readonly condition: "live" | "expired" | "half-made" | "unreadable";
  /** Undefined of a half-made one, where the run ended before there was one. */
  readonly record?: EnvironmentRecord;
  /** Objects of the account that it holds. */
  readonly objects: number;
  readonly pages: readonly PreviewPage[];
  /** Who runs on it now. */
  readonly holder?: string;
  readonly problem?: string;
}

export interface ListOptions {
  C: string;
  engine: EngineChoice;
}

export async function listEnvironments({ C, engine }: ListOptions, now = new Date()): Promise<ListedEnvironment[]> {
  const folder = await openProject(C, { runs: false });
  return withStacks(engine, folder, async (stacks) => environmentsIn(stacks, now));
}

const AT_ONCE = 4;

async function environmentsIn(stacks: Stacks, now: Date): Promise<ListedEnvironment[]> {
  const waiting = [...(await stacks.list())];
  const found: ListedEnvironment[] = [];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const one = await lookAt(stacks, next, now);
      if (one) found.push(one);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return found.sort((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));
}

/** Undefined for what is no environment. One that goes while it is looked at is gone. */
async function lookAt(stacks: Stacks, summary: StackSummary, now: Date): Promise<ListedEnvironment | undefined> {
  const { name, holder } = summary;
  const about = { name, ...(holder !== undefined && { holder }) };
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
    const problem = error instanceof Error ? error.message : String(error);
    return isThere ? { ...about, condition: "unreadable", objects: 0, pages: [], problem } : undefined;
  }
}

/** Without a record, with objects: nobody can tell how long they are needed. */
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
