/**
 * What an environment made and no state tells of, since a run of it was killed. Its objects are found by their names: the marker
 * of its stack is proof, and the prefix with its token none, since who copies a page of it in the app copies the prefix, too.
 * With the prefix an object goes where the ledger has its id, or a creation that never ended would have called it just so.
 */
import type { Entry } from "../../provider/ledger/entry.ts";
import { unkeptLedger } from "../../provider/ledger/ledger.ts";
import { markerIn, stackOf } from "../../provider/reconcile/identity.ts";
import { nameOf } from "../../provider/reconcile/marked-objects.ts";
import { patientLook } from "../../provider/account/patience.ts";
import { RunContext } from "../../provider/reconcile/run-context.ts";
import { isNamedBy } from "../../provider/preview/names.ts";
import type { AnyDefinition } from "../../provider/definition/define.ts";
import type { CheckedConfig } from "../../provider/api/index.ts";
import { objectKey, type ObjectKey } from "../../provider/definition/references.ts";
import { keyOfKind, registry } from "../../provider/kinds/registry.ts";
import { removal } from "../run/left.ts";
import type { LeftBehind } from "./types.ts";

export interface Marks {
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

export function contextFor(config: CheckedConfig): RunContext {
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
