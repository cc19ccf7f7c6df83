/**
 * Finds objects that an environment made and no state has, because a run was killed. They are found by their names. The marker of its stack
 * proves that Landform made an object. The prefix with its token doesn't: a person who copies a page in the app copies the prefix, too. An
 * object with the prefix goes only if the ledger has its id, or if an unfinished creation would have given it exactly this name.
 */
import type { CheckedConfig } from "../../provider/api/index.ts";
import { collect as collected, everythingIn } from "../../provider/definition/collection.ts";
import type { AnyDefinition } from "../../provider/definition/define.ts";
import { keyOfKind, registry } from "../../provider/kinds/registry.ts";
import { type Entry, unkeptLedger } from "../../provider/ledger/ledger.ts";
import { isEnvironmentName, isNamedBy, prefixIn } from "../../provider/definition/in-preview.ts";
import { markerIn, objectKey, type ObjectKey, stackOf } from "../../provider/ledger/identity.ts";
import { RunContext } from "../../provider/reconcile/run-context.ts";
import { objectsHeld } from "../engines/recorded.ts";
import { UsageError } from "../exit/codes.ts";
import { openProject, openStack } from "../project/open.ts";
import { configWith, settingsOf } from "../project/settings.ts";
import { removal } from "../run/left.ts";
import { withStacks } from "../stacks/stacks.ts";
import { readStack } from "./base.ts";
import type { ListOptions } from "./list.ts";
import type { LeftBehind } from "./types.ts";
import { nameOf } from "../../provider/reconcile/object-state.ts";

interface Marks {
  /** Undefined if no record tells it: then nothing was made, or everything was removed. */
  readonly prefix: string | undefined;
  /** The stack's part of a marker (identity.ts). */
  readonly stack: string;
  /** Objects that the ledger has and no state. */
  readonly made: ReadonlySet<ObjectKey>;
  /** The names that unfinished creations would have given, by type of the registry. */
  readonly begun: ReadonlyMap<string, ReadonlySet<string>>;
}

interface Unended {
  readonly type: string;
  readonly inputs?: Readonly<Record<string, unknown>> | undefined;
}

export function marksOf(
  { project, stack, prefix }: { project: string; stack: string; prefix: string | undefined },
  entries: readonly Entry[],
  unended: readonly Unended[],
): Marks {
  const begun = new Map<string, Set<string>>();
  for (const { type, inputs } of unended) {
    const kind = type.slice(type.lastIndexOf(":") + 1);
    const name = inputs?.["name"];
    if (typeof name === "string") begun.set(kind, (begun.get(kind) ?? new Set<string>()).add(name));
  }
  return {
    prefix,
    stack: stackOf(project, stack),
    made: new Set(entries.flatMap(({ kind, id }) => (id === undefined ? [] : [keyOfKind(kind, id)]))),
    begun,
  };
}

interface Marked {
  readonly definition: AnyDefinition;
  readonly id: string;
  readonly name: string;
}

export interface Swept {
  readonly removed: readonly Omit<LeftBehind, "why">[];
  readonly left: readonly LeftBehind[];
  /** Objects with its prefix that nothing proves it made. They stay untouched. */
  readonly unproven: readonly Omit<LeftBehind, "why">[];
}

/** `known`: objects of the state, and others that go with them. `patienceMs`: the time that a list may lag behind. */
export async function sweep(
  config: CheckedConfig,
  marks: Marks,
  { known, patienceMs }: { known: ReadonlySet<ObjectKey>; patienceMs: number },
): Promise<Swept> {
  const run = contextFor(config);
  const removed: Omit<LeftBehind, "why">[] = [];
  const left: LeftBehind[] = [];
  const unproven: Omit<LeftBehind, "why">[] = [];
  const done = new Set(known);
  try {
    const look = async (): Promise<undefined> => {
      const found = (await markedObjects(run, marks)).filter(
        ({ definition, id }) => !done.has(objectKey(definition, id)),
      );
      for (const one of found) {
        done.add(objectKey(one.definition, one.id));
        const about = { type: one.definition.type, name: one.name, id: one.id };
        if (!isProven(one, marks)) {
          unproven.push(about);
          continue;
        }
        const end = await removal(run, one);
        if (end === "removed") removed.push(about);
        else if (end !== "gone") left.push({ ...about, why: end.why });
      }
      return undefined;
    };
    await run.account.find(look, { longestMs: patienceMs });
  } finally {
    await run.api.close();
  }
  return { removed, left, unproven };
}

function contextFor(config: CheckedConfig): RunContext {
  const ignored = (): void => undefined;
  const settings = { full: false, patienceMs: 0, foreign: new Set<string>(), ledger: unkeptLedger() };
  return new RunContext(config, { ...settings, warn: ignored });
}

/** Finds objects of every kind, in the order in which the API lets them go: an object that refers to others goes first. */
async function markedObjects(run: RunContext, marks: Marks): Promise<Marked[]> {
  const kinds = Object.values<AnyDefinition>(registry).filter(
    ({ search, inPreview }) => search && inPreview.becomes === "made",
  );
  const found = new Map<ObjectKey, Marked>();
  for (const definition of [...kinds].sort((a, b) => rank(a) - rank(b))) {
    for (const text of [marks.stack, marks.prefix]) {
      if (text === undefined) continue;
      for (const { id, name, answer } of (await definition.search?.(run, text)) ?? []) {
        const called = nameOf(answer) ?? name;
        const key = objectKey(definition, id);
        if (!found.has(key) && isMarked(called, marks) && isOfKind(definition, answer))
          found.set(key, { definition, id, name: called });
      }
    }
  }
  return [...found.values()];
}

/** A flow refers to pages, so it goes first. */
function rank(definition: AnyDefinition): number {
  return definition.public === "flow" ? 0 : 1;
}

function isOfKind(definition: AnyDefinition, answer: Record<string, unknown>): boolean {
  return definition.shown.isOne?.({ ...answer, is_quiz: answer["isQuiz"] } as never) ?? true;
}

function isMarked(name: string, { prefix, stack }: Marks): boolean {
  return markerIn(name)?.startsWith(stack) === true || (prefix !== undefined && isNamedBy(prefix, name));
}

/** The service may cut a name that is too long. */
function isProven({ definition, id, name }: Marked, { stack, made, begun }: Marks): boolean {
  if (markerIn(name)?.startsWith(stack) === true || made.has(objectKey(definition, id))) return true;
  return [...(begun.get(definition.type) ?? [])].some(
    (wanted) => wanted.trim() === name.trim() || isCutOf(wanted, name),
  );
}

const SHORTEST_CUT = 40;

function isCutOf(wanted: string, name: string): boolean {
  return name.length >= SHORTEST_CUT && wanted.startsWith(name);
}

// Objects that carry a mark of Landform and belong to no stack of this project. An apply of another repository that is under way looks the
// same, so only a person can say which of them may go.

export interface Orphan {
  readonly type: string;
  readonly id: string;
  readonly name: string;
  /** `unfinished`: an apply never finished it. `environment`: a preview that is not known here. */
  readonly mark: "unfinished" | "environment";
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
    for (const row of await collected(everythingIn(collection, run.api))) {
      const name = collection.nameOf(row) ?? "";
      const mark = markIn(name, known);
      const key = objectKey(definition, row.id);
      if (mark === undefined || known.objects.has(key) || found.has(key) || definition.shown.isOne?.(row) === false)
        continue;
      // A retired object is no orphan: the next one of its kind takes it over.
      if (definition.exporting?.leftOut?.(row) !== undefined) continue;
      const createdAt: unknown = Reflect.get(row, "created_at");
      const orphan = { type, id: row.id, name, mark, ...(typeof createdAt === "string" && { createdAt }) };
      found.set(key, { definition, orphan });
    }
  }
  return [...found.values()];
}

/** Leaves out the unfinished objects of this project's stacks. Their next run finishes them, and their teardown finds them. */
function markIn(name: string, { stacks, prefixes }: Known): Orphan["mark"] | undefined {
  const marker = markerIn(name);
  if (marker !== undefined) return [...stacks].some((stack) => marker.startsWith(stack)) ? undefined : "unfinished";
  const prefix = prefixIn(name);
  return prefix === undefined || prefixes.has(prefix) ? undefined : "environment";
}
