/**
 * Looks for objects that creations left and no state has. It finds them by the id in the ledger, or by the marker and the name, which the
 * ledger has as a digest. It only reads.
 */
import type { AnyDefinition } from "../../provider/definition/define.ts";
import type { JsonMap } from "../../provider/values/json.ts";
import { type Entry, isOpen } from "../../provider/ledger/ledger.ts";
import { UnconfirmedAbsenceError } from "../../provider/messages/errors.ts";
import { markerIn, objectKey, type ObjectKey, stackIn } from "../../provider/ledger/identity.ts";
import { isUnfindable } from "../../provider/reconcile/creation.ts";
import { isAsNamed, markedBy } from "../../provider/reconcile/marked-objects.ts";
import { nameOf, ObjectState } from "../../provider/reconcile/object-state.ts";
import type { RunContext } from "../../provider/reconcile/run-context.ts";
import { type Kind, registry } from "../../provider/kinds/registry.ts";
import type { AccountReader } from "./account-reader.ts";
import { noticeText } from "../../provider/messages/notices.ts";
import { perhapsOrphaned } from "../../provider/reconcile/leftovers.ts";

export interface Left {
  readonly entry: Entry;
  readonly definition: AnyDefinition;
  readonly run: RunContext;
  readonly id: string;
  readonly name: string;
  /** True if the name still has the marker: the creation was never finished. */
  readonly marked: boolean;
}

export interface Looked {
  readonly entry: Entry;
  readonly left: readonly Left[];
  /** Sentences about it. */
  readonly words: readonly string[];
  /** The error of a look that failed. */
  readonly failed?: unknown;
  /** True if the stack has no key of its account. */
  readonly isElsewhere?: true;
}

interface Looking {
  readonly reader: AccountReader;
  /** Objects that the state has, or a plan takes over. */
  readonly held: ReadonlySet<ObjectKey>;
  /** The time that lists may lag behind. */
  readonly patienceMs: (entry: Entry) => number;
  /** The same time if a list shows an object that is gone by its id. */
  readonly contradictedMs: number;
  readonly signal?: AbortSignal;
}

/** Looks for all creations in parallel. Each may wait for lists that lag behind, so together they wait once. */
export async function lookForLeft(entries: readonly Entry[], looking: Looking): Promise<Looked[]> {
  const looks = entries.map((entry) => looked(entry, looking).catch((failed: unknown) => nothingOf(entry, { failed })));
  const ends = await Promise.all(looks);
  looking.signal?.throwIfAborted();
  return ends;
}

function nothingOf(entry: Entry, more: Partial<Looked> = {}): Looked {
  return { entry, left: [], words: [], ...more };
}

async function looked(entry: Entry, looking: Looking): Promise<Looked> {
  const definition = definitionFor(entry);
  if (definition === undefined) return nothingOf(entry, { isElsewhere: true });
  if (isUnfindable({ definition }) && isOpen(entry)) return nothingOf(entry, { words: [orphanedText(entry)] });
  const run = await looking.reader.ofAccount(entry.account);
  if (run === undefined) return nothingOf(entry, { isElsewhere: true });
  return entry.id === undefined
    ? markedOf(entry, definition, run, looking)
    : { ...nothingOf(entry), left: await recordedOf(entry, definition, run, looking) };
}

/** Returns undefined for a kind that is found again by the user's name or id. */
export function definitionFor({ kind }: Entry): AnyDefinition | undefined {
  const definition = kind in registry ? registry[kind as Kind] : undefined;
  return definition?.leaves === "in place" ? undefined : definition;
}

/** Finds the object by its id. It is Landform's under any name. */
async function recordedOf(
  entry: Entry,
  definition: AnyDefinition,
  run: RunContext,
  { held }: Looking,
): Promise<Left[]> {
  const { id = "" } = entry;
  if (held.has(objectKey(definition, id))) return [];
  const answer = isUnfindable({ definition }) ? {} : await read(run, definition, id);
  if (answer === undefined) return [];
  const name = nameOf(answer) ?? "";
  return [{ entry, definition, run, id, name, marked: markerIn(name)?.startsWith(entry.key) === true }];
}

function read(run: RunContext, definition: AnyDefinition, id: string): Promise<JsonMap | undefined> {
  return definition.read(run, id, new ObjectState(definition, id));
}

/** Finds objects with the marker. Words tell about those that may be somebody's copies. */
async function markedOf(
  entry: Entry,
  definition: AnyDefinition,
  run: RunContext,
  { held, patienceMs, contradictedMs, signal }: Looking,
): Promise<Looked> {
  const { key, called, others = [] } = entry;
  const marker = { stack: stackIn(key), resourceKey: key, full: key };
  let copies: string[] = [];
  let contradiction: unknown;
  const look = async (): Promise<Left[] | undefined> => {
    run.looks.clear();
    contradiction = undefined;
    const rows = await markedBy(definition, run, marker);
    const there = rows.filter(({ id }) => !held.has(objectKey(definition, id)) && !others.includes(id));
    const reads = there.map(async ({ id }) => {
      // A list that lags behind may still show an object that was just removed. The next look may no longer show it.
      const answer = await read(run, definition, id).catch((error: unknown) => {
        if (!(error instanceof UnconfirmedAbsenceError)) throw error;
        contradiction = error;
        return undefined;
      });
      return { id, answer, name: answer && nameOf(answer) };
    });
    const marked = (await Promise.all(reads)).flatMap(({ id, answer, name }) =>
      name !== undefined && markerIn(name)?.startsWith(key) === true ? [{ id, answer, name }] : [],
    );
    // The marker is removed before an object is public, so a public object with the marker belongs to somebody.
    const isOurs = ({ name, answer }: (typeof marked)[number]): boolean =>
      isAsNamed(name, called === undefined ? [] : [called]) && answer?.["status"] !== "published";
    copies = marked.filter((one) => !isOurs(one)).map(({ id, name }) => copyText(entry, id, name));
    const ours = marked.filter(isOurs).map(({ id, name }) => ({ entry, definition, run, id, name, marked: true }));
    return ours.length === 0 || contradiction !== undefined ? undefined : ours;
  };
  const agreed = async (): Promise<Left[] | undefined> => {
    const found = await look();
    return contradiction === undefined ? (found ?? []) : undefined;
  };
  let left = await run.account.find(look, { longestMs: patienceMs(entry), signal });
  if (contradiction !== undefined && contradictedMs > 0)
    left = await run.account.find(agreed, { longestMs: contradictedMs, signal });
  return nothingOf(entry, { left: left ?? [], words: copies, failed: contradiction });
}

/**
 * Returns each object once. If more objects have a resource's marker than the resource has open creations, somebody has duplicated one, and
 * nobody knows which. Then words tell this, and none of them is taken.
 */
export function ownedIn(looks: readonly Looked[]): { left: Left[]; words: string[] } {
  const found = new Map(looks.flatMap(({ left }) => left).map((one) => [objectKey(one.definition, one.id), one]));
  const known = [...found.values()].filter(({ entry }) => !isOpen(entry));
  const marked = Map.groupBy(
    [...found.values()].filter(({ entry }) => isOpen(entry)),
    ({ entry }) => entry.key,
  );
  const words = looks.flatMap((one) => one.words);
  const left = [...known];
  for (const [key, all] of marked) {
    const open = looks.flatMap(({ entry }) => (entry.key === key && isOpen(entry) ? [entry] : []));
    if (all.length > open.length) words.push(...all.map(({ entry, id, name }) => copyText(entry, id, name)));
    else left.push(...all.map((one, index) => ({ ...one, entry: open[index] ?? one.entry })));
  }
  return { left, words };
}

/** The reason why an object is still there. `stays`: no later attempt removes it either, because the API can't delete objects that belong to it. */
interface Remaining {
  readonly why: string;
  readonly stays?: true;
}

/** Removes an object. Its definition reads a retired object as gone. */
export async function removal(
  run: RunContext,
  { definition, id }: Pick<Left, "definition" | "id">,
): Promise<"removed" | "gone" | Remaining> {
  const object = new ObjectState(definition, id);
  run.account.forget(id);
  try {
    const answer = await definition.read(run, id, object);
    if (!answer) return "gone";
    object.learn(answer);
    await definition.delete(run, id, object);
    const why = run.whyStaying(definition.kind, id);
    return why === undefined ? "removed" : { why, stays: true };
  } catch (error) {
    return { why: error instanceof Error ? error.message : String(error) };
  }
}

interface Named {
  readonly entry: Entry;
  readonly definition: { readonly kind: string };
  readonly id: string;
  readonly name: string;
}

export function notLookedFor(entries: readonly Entry[], error: unknown): string {
  const names = [...new Set(entries.map(({ name }) => name))].join(", ");
  const why = error instanceof Error ? error.message : String(error);
  return `A killed run was creating ${names}, and Landform could not look for what it left: ${why} Look in the app for names that end in "[lf-…]", and delete those.`;
}

export function notSoughtText({ kind, name }: Entry, why: unknown): string {
  const because = why instanceof Error ? why.message : String(why);
  return `Landform could not look for an object that a killed run may have made for ${kind} "${name}": ${because}`;
}

export function unfoundText({ kind, name }: Entry): string {
  return (
    `Landform does not know if an earlier run created ${kind} "${name}": the answer was lost, and no list shows it. ` +
    `If the app shows a ${kind} whose name ends in "[lf-…]", delete it there.`
  );
}

function titleOf({ definition, id, name }: Named): string {
  return `${definition.kind} ${id}${name === "" ? "" : ` ("${name}")`}`;
}

function madeBy({ entry: { state } }: Named): string {
  return `which a ${state === "unknown" ? "failed" : "killed"} run made`;
}

export function goingText(one: Named): string {
  return `${titleOf(one)}, ${madeBy(one)}, is in no state: it is removed as well.`;
}

export function stillThereText(one: Named, why: string): string {
  return `${titleOf(one)}, which an interrupted run had left behind, is still there: ${why}`;
}

export function stayingText(one: Named): string {
  return `${titleOf(one)} was made by a run that was killed, is in no state, and the code no longer declares it: it stays in the account. Delete it in the app, or declare it with adoptId: ${one.id}.`;
}

export function leftAloneText({ definition: { kind }, id }: Named): string {
  return `${kind} ${id} was made by a run of this stack and is not in its state: it is left alone. If nothing else has it, delete it in the app.`;
}

export function removedText({ definition: { kind }, id, name }: Named): string {
  return noticeText({ code: "removed-leftover", kind, id, name });
}

export function leftBehindText(kind: string, id: string): string {
  return noticeText({ code: "left-behind", kind, id });
}

function orphanedText(entry: Entry): string {
  return noticeText(perhapsOrphaned(entry));
}

function copyText({ kind }: Entry, id: string, name: string): string {
  return noticeText({ code: "perhaps-a-copy", kind, id, name });
}
