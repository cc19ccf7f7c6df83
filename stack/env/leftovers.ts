/**
 * What an environment made and no state tells of, since a run of it was killed. Its objects are found by their names: the marker
 * of its stack is proof, and the prefix with its token none, since who copies a page of it in the app copies the prefix, too.
 * With the prefix an object goes where the ledger has its id, or a creation that never ended would have called it just so.
 */
import { patientLook } from "../../provider/account/patience.ts";
import type { CheckedConfig } from "../../provider/api/index.ts";
import { collect as collected } from "../../provider/definition/collection.ts";
import type { AnyDefinition } from "../../provider/definition/define.ts";
import { aloneOf } from "../../provider/definition/foresight.ts";
import { keyOfKind, registry } from "../../provider/kinds/registry.ts";
import type { Entry } from "../../provider/ledger/entry.ts";
import { unkeptLedger } from "../../provider/ledger/ledger.ts";
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
  /** Undefined where no record tells it: then nothing was made, or everything was removed. */
  readonly prefix: string | undefined;
  /** Of the stack (identity.ts). */
  readonly stack: string;
  /** What the ledger has, and no state. */
  readonly made: ReadonlySet<ObjectKey>;
  /** What creations that never ended would have called theirs, by type of the registry. */
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
  /** They have its prefix, and nothing proves that it made them: nobody has touched them. */
  readonly unproven: readonly Omit<LeftBehind, "why">[];
}

/** `known`: what the state holds, and what goes with it. `patienceMs`: how long a list may be behind. */
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
    await patientLook(async () => {
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
    }, patienceMs);
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

/** Of every kind, in the order in which the API lets them go: what refers to others first. */
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

/** A flow refers to what has an address. */
function rank(definition: AnyDefinition): number {
  return definition.public === "flow" ? 0 : 1;
}

function isOfKind(definition: AnyDefinition, answer: Record<string, unknown>): boolean {
  return definition.shown.isOne?.({ ...answer, is_quiz: answer["isQuiz"] } as never) ?? true;
}

function isMarked(name: string, { prefix, stack }: Marks): boolean {
  return markerIn(name)?.startsWith(stack) === true || (prefix !== undefined && isNamedBy(prefix, name));
}

/** A service may cut what is too long. */
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

// Objects that carry a mark of ours and belong to no stack of this project. Another repository's apply that is under way
// looks the same, so that nobody but a person can say which of them may go.

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
