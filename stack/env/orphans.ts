/**
 * Objects that carry a mark of ours and belong to no stack of this project. Another repository's apply that is under way
 * looks the same, so that nobody but a person can say which of them may go.
 */
import { objectKey, type ObjectKey } from "../../provider/definition/references.ts";
import { objectsHeld } from "../engines/recorded.ts";
import { markerIn, stackOf } from "../../provider/reconcile/identity.ts";
import { collect as collected } from "../../provider/definition/collection.ts";
import type { AnyDefinition } from "../../provider/definition/define.ts";
import { aloneOf } from "../../provider/definition/foresight.ts";
import { isEnvironmentName, prefixIn } from "../../provider/preview/names.ts";
import { registry } from "../../provider/kinds/registry.ts";
import { UsageError } from "../exit/codes.ts";
import { configWith } from "../project/account.ts";
import { openProject, openStack } from "../project/open.ts";
import { settingsOf } from "../project/settings.ts";
import { withStacks } from "../stacks/stacks.ts";
import { readStack } from "./base.ts";
import type { ListOptions } from "./list.ts";
import { removal } from "../run/left.ts";
import { contextFor } from "./sweep.ts";
import type { LeftBehind } from "./types.ts";

export interface Orphan {
  readonly type: string;
  readonly id: string;
  readonly name: string;
  /**
   * `unfinished`: an apply never came to the end of it. `kept`: a destroy had to leave it, since what belongs to it can't be
   * deleted. `environment`: a preview of which nothing is known here.
   */
  readonly mark: "unfinished" | "kept" | "environment";
  readonly createdAt?: string;
}

export interface Orphans {
  readonly orphans: readonly Orphan[];
  readonly removed: readonly Orphan[];
  readonly left: readonly LeftBehind[];
}

export async function orphansOf(options: ListOptions, ids: readonly string[]): Promise<Orphans> {
  const folder = await openProject(options.C, { runs: false });
  const known = await withStacks(options.engine, folder, async (stacks) => {
    const names = (await stacks.list()).map(({ name }) => name);
    const read = await Promise.all(names.map((name) => readStack(stacks, name)));
    return {
      objects: objectsHeld(read.flatMap(({ resources }) => resources)),
      stacks: new Set(names.map((name) => stackOf(folder.project.name, name))),
      prefixes: new Set(read.flatMap(({ environment }) => environment?.prefix ?? [])),
      first: names.find((name) => !isEnvironmentName(name)),
    };
  });
  const stack = await openStack(options.C, known.first ?? "dev", undefined, { runs: false });
  const run = contextFor(configWith(await settingsOf(stack)));
  try {
    const found = await all(run, known);
    const wanted = ids.map((id) => onlyOne(found, id));
    const removed: Orphan[] = [];
    const left: LeftBehind[] = [];
    for (const { orphan, definition } of wanted) {
      const end = await removal(run, { definition, id: orphan.id });
      if (typeof end === "string") removed.push(orphan);
      else left.push({ type: orphan.type, name: orphan.name, id: orphan.id, why: end.why });
    }
    return { orphans: found.map(({ orphan }) => orphan).filter((one) => !removed.includes(one)), removed, left };
  } finally {
    await run.api.close();
  }
}

interface FoundOrphan {
  readonly orphan: Orphan;
  readonly definition: AnyDefinition;
}

function onlyOne(found: readonly FoundOrphan[], id: string): FoundOrphan {
  const [one, ...others] = found.filter(({ orphan }) => orphan.id === id);
  if (one === undefined) return refuse(id);
  if (others.length === 0) return one;
  const names = [one, ...others].map(({ orphan }) => `${orphan.type} "${orphan.name}"`).join(" and ");
  throw new UsageError(
    `--delete ${id}: that is the id of ${names}, and nothing was removed. Delete the one that is meant in the app`,
  );
}

function refuse(id: string): never {
  throw new UsageError(
    `--delete ${id}: no orphan has that id, and nothing was removed. npx landform env gc --unowned lists them`,
  );
}

interface Known {
  readonly objects: ReadonlySet<ObjectKey>;
  readonly stacks: ReadonlySet<string>;
  readonly prefixes: ReadonlySet<string>;
}

async function all(run: ReturnType<typeof contextFor>, known: Known): Promise<FoundOrphan[]> {
  const found = new Map<ObjectKey, FoundOrphan>();
  for (const definition of Object.values<AnyDefinition>(registry)) {
    const { collection, marked, type } = definition;
    if (!marked || collection === undefined) continue;
    for (const row of await collected(collection.everything?.(run.api) ?? collection.all(run.api, {}))) {
      const name = collection.nameOf(row) ?? "";
      const mark = markIn(name, known);
      const key = objectKey(definition, row.id);
      if (mark === undefined || known.objects.has(key) || found.has(key) || definition.shown.isOne?.(row) === false)
        continue;
      // What is retired is no orphan: the next one of its kind takes it over.
      if (definition.exporting?.leftOut?.(row) !== undefined) continue;
      const createdAt: unknown = Reflect.get(row, "created_at");
      const isKept =
        mark === "unfinished" && (await definition.plan.foreseeDeletion?.(run.api, aloneOf(row.id)))?.stays;
      const orphan = { type, id: row.id, name, mark: isKept === true ? ("kept" as const) : mark };
      found.set(key, { definition, orphan: { ...orphan, ...(typeof createdAt === "string" && { createdAt }) } });
    }
  }
  return [...found.values()];
}

/** What a stack of this project left unfinished, its next run carries on with, and its teardown finds. */
function markIn(name: string, { stacks, prefixes }: Known): Orphan["mark"] | undefined {
  const marker = markerIn(name);
  if (marker !== undefined) return [...stacks].some((stack) => marker.startsWith(stack)) ? undefined : "unfinished";
  const prefix = prefixIn(name);
  return prefix === undefined || prefixes.has(prefix) ? undefined : "environment";
}
