/**
 * Objects that carry a mark of ours and belong to no stack of this project. Another repository's apply that is under way
 * looks the same, so that nobody but a person can say which of them may go.
 */
import { stackOf, markerIn } from "../../provider/lifecycle/identity.ts";
import { collect as collected } from "../../provider/collection.ts";
import type { AnyDefinition } from "../../provider/define.ts";
import { aloneOf } from "../../provider/foresight.ts";
import { isEnvironmentName, prefixIn } from "../../provider/preview/names.ts";
import { registry } from "../../provider/registry.ts";
import { UsageError } from "../exit/codes.ts";
import { configWith } from "../project/account.ts";
import { openProject, openStack } from "../project/open.ts";
import { settingsOf } from "../project/settings.ts";
import { withStacks } from "../stacks/stacks.ts";
import { readStack } from "./base.ts";
import type { ListOptions } from "./list.ts";
import { contextFor, removal } from "./sweep.ts";
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
      ids: new Set(read.flatMap(({ resources }) => resources.flatMap(({ id }) => id ?? []))),
      stacks: new Set(names.map((name) => stackOf(folder.project.name, name))),
      prefixes: new Set(read.flatMap(({ environment }) => environment?.prefix ?? [])),
      first: names.find((name) => !isEnvironmentName(name)),
    };
  });
  const stack = await openStack(options.C, known.first ?? "dev", undefined, { runs: false });
  const run = contextFor(configWith(await settingsOf(stack)));
  try {
    const found = await all(run, known);
    const wanted = ids.map((id) => found.find(({ orphan }) => orphan.id === id) ?? refuse(id));
    const removed: Orphan[] = [];
    const left: LeftBehind[] = [];
    for (const { orphan, definition } of wanted) {
      const end = await removal(run, { definition, id: orphan.id });
      if (typeof end === "string") removed.push(orphan);
      else left.push({ type: orphan.type, name: orphan.name, id: orphan.id, why: end.why });
    }
    const gone = new Set(removed.map(({ id }) => id));
    return { orphans: found.map(({ orphan }) => orphan).filter(({ id }) => !gone.has(id)), removed, left };
  } finally {
    await run.api.close();
  }
}

function refuse(id: string): never {
  throw new UsageError(
    `--delete ${id}: no orphan has that id, and nothing was removed. npx landform env orphans lists them`,
  );
}

interface Known {
  readonly ids: ReadonlySet<string>;
  readonly stacks: ReadonlySet<string>;
  readonly prefixes: ReadonlySet<string>;
}

async function all(
  run: ReturnType<typeof contextFor>,
  known: Known,
): Promise<{ orphan: Orphan; definition: AnyDefinition }[]> {
  const found = new Map<string, { orphan: Orphan; definition: AnyDefinition }>();
  for (const definition of Object.values<AnyDefinition>(registry)) {
    const { collection, marked, type } = definition;
    if (!marked || collection === undefined) continue;
    for (const row of await collected(collection.everything?.(run.api) ?? collection.all(run.api, {}))) {
      const name = collection.nameOf(row) ?? "";
      const mark = markIn(name, known);
      if (mark === undefined || known.ids.has(row.id) || found.has(row.id) || definition.isOne?.(row) === false)
        continue;
      // What is retired is no orphan: the next one of its kind takes it over.
      if (definition.exporting?.leftOut?.(row) !== undefined) continue;
      const createdAt: unknown = Reflect.get(row, "created_at");
      const isKept = mark === "unfinished" && (await definition.foreseeDeletion?.(run.api, aloneOf(row.id)))?.stays;
      const orphan = { type, id: row.id, name, mark: isKept === true ? ("kept" as const) : mark };
      found.set(row.id, { definition, orphan: { ...orphan, ...(typeof createdAt === "string" && { createdAt }) } });
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
