/** Looks for objects that creations left and no state has: by the id in the ledger, or by the marker and the name. It only reads. */
import type { Found } from "../../provider/definition/collection.ts";
import type { AnyDefinition } from "../../provider/definition/define.ts";
import { type Entry, isOpen } from "../../provider/ledger/ledger.ts";
import { markerIn, objectKey, type ObjectKey } from "../../provider/ledger/identity.ts";
import { isUnfindable } from "../../provider/reconcile/creation.ts";
import { discard, markedBy, withOurNames } from "../../provider/reconcile/marked-objects.ts";
import { nameOf, ObjectState } from "../../provider/reconcile/object-state.ts";
import type { RunContext } from "../../provider/reconcile/run-context.ts";
import { type Kind, registry } from "../../provider/kinds/registry.ts";
import type { AccountReader } from "./account-reader.ts";
import { reasonOf } from "../../provider/values/wording.ts";
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
  readonly words: readonly string[];
  readonly failed?: unknown;
  /** True if the stack has no key of its account. */
  readonly isElsewhere?: true;
}

interface Looking {
  readonly reader: AccountReader;
  /** Objects that the state has, or a plan takes over. */
  readonly held: ReadonlySet<ObjectKey>;
  readonly patienceMs: (entry: Entry) => number;
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
  if (isUnfindable({ definition }) && isOpen(entry))
    return nothingOf(entry, { words: [noticeText(perhapsOrphaned(entry))] });
  const run = await looking.reader.ofAccount(entry.account);
  if (run === undefined) return nothingOf(entry, { isElsewhere: true });
  return entry.id === undefined ? marked(entry, definition, run, looking) : recorded(entry, definition, run, looking);
}

/** Returns undefined for a kind that is found again by the user's name or id. */
export function definitionFor({ kind }: Entry): AnyDefinition | undefined {
  const definition = kind in registry ? registry[kind as Kind] : undefined;
  return definition?.leaves === "in place" ? undefined : definition;
}

/** Finds the object by its id. It is Landform's under any name. */
async function recorded(entry: Entry, definition: AnyDefinition, run: RunContext, { held }: Looking): Promise<Looked> {
  const { id = "" } = entry;
  if (held.has(objectKey(definition, id))) return nothingOf(entry);
  const answer = isUnfindable({ definition }) ? {} : await definition.read(run, id, new ObjectState(definition, id));
  if (answer === undefined) return nothingOf(entry);
  const name = nameOf(answer) ?? "";
  const isMarked = markerIn(name)?.startsWith(entry.key) === true;
  return nothingOf(entry, { left: [{ entry, definition, run, id, name, marked: isMarked }] });
}

/** Finds objects with the marker. Words tell about those that may be somebody's copies. */
async function marked(
  entry: Entry,
  definition: AnyDefinition,
  run: RunContext,
  { held, patienceMs, signal }: Looking,
): Promise<Looked> {
  const { key, others = [] } = entry;
  let copies: readonly Found[] = [];
  const look = async (): Promise<readonly Found[] | undefined> => {
    run.looks.clear();
    const rows = await markedBy({ definition, run }, key);
    const there = rows.filter(({ id }) => !held.has(objectKey(definition, id)) && !others.includes(id));
    const ours = await withOurNames({ definition, run }, there, calledOf(entry));
    copies = there.filter((row) => !ours.includes(row));
    return ours.length === 0 ? undefined : ours;
  };
  const found = (await run.account.find(look, { longestMs: patienceMs(entry), signal })) ?? [];
  return nothingOf(entry, {
    left: found.map(({ id, name }) => ({ entry, definition, run, id, name, marked: true })),
    words: copies.map(({ id, name }) => copyText({ entry, id, name })),
  });
}

function calledOf({ called }: Entry): string[] {
  return called === undefined ? [] : [called];
}

/**
 * Returns each object once. If more objects have a resource's marker than the resource has open creations, somebody has duplicated one, and
 * nobody knows which. Then words tell this, and none of them is taken.
 */
export function ownedIn(looks: readonly Looked[]): { left: Left[]; words: string[] } {
  const found = new Map(looks.flatMap(({ left }) => left).map((one) => [objectKey(one.definition, one.id), one]));
  const [open, known] = [true, false].map((wanted) =>
    [...found.values()].filter(({ entry }) => isOpen(entry) === wanted),
  );
  const words = looks.flatMap((one) => one.words);
  const left = known ?? [];
  for (const [key, all] of Map.groupBy(open ?? [], ({ entry }) => entry.key)) {
    const entries = looks.flatMap(({ entry }) => (entry.key === key && isOpen(entry) ? [entry] : []));
    if (all.length > entries.length) words.push(...all.map(copyText));
    else left.push(...all.map((one, index) => ({ ...one, entry: entries[index] ?? one.entry })));
  }
  return { left, words };
}

interface Removal {
  /** stays: no later attempt removes it either. somebody's: it lost its proof meanwhile. */
  readonly end: "removed" | "gone" | "stays" | "somebody's" | "failed";
  readonly why: string;
}

/** Removes an object. Its definition reads a retired object as gone. An object without an id in the ledger has to show its proof. */
export async function removal({ entry, definition, run, id, name }: Left): Promise<Removal> {
  try {
    const end = await discard({ definition, run }, id, entry.id === undefined ? calledOf(entry) : undefined);
    const why = end === "somebody's" ? copyText({ entry, id, name }) : run.whyStaying(definition.kind, id);
    return end === "removed" && why !== undefined ? { end: "stays", why } : { end, why: why ?? "" };
  } catch (error) {
    return { end: "failed", why: reasonOf(error) };
  }
}

type Named = Pick<Left, "entry" | "id" | "name">;

export function notLookedFor(entries: readonly Entry[], error: unknown): string {
  const names = [...new Set(entries.map(({ name }) => name))].join(", ");
  return `Landform could not look for what a killed run may have made for ${names}: ${reasonOf(error)} Look in the app for names that end in "[lf-…]", and delete those.`;
}

export function unfoundText({ kind, name }: Entry): string {
  return (
    `Landform does not know if an earlier run created ${kind} "${name}": the answer was lost, and no list shows it. ` +
    `If the app shows a ${kind} whose name ends in "[lf-…]", delete it there.`
  );
}

function titleOf({ entry: { kind }, id, name }: Named): string {
  return `${kind} ${id}${name === "" ? "" : ` ("${name}")`}`;
}

export function goingText(one: Named): string {
  return `${titleOf(one)}, which an interrupted run made, is in no state: it is removed as well.`;
}

export function stillThereText(one: Named, why: string): string {
  return `${titleOf(one)}, which an interrupted run had left behind, is still there: ${why}`;
}

export function stayingText(one: Named): string {
  return `${titleOf(one)} was made by a run of this stack and is in no state: it stays in the account. Delete it in the app, or declare it with adoptId: ${one.id}.`;
}

export function removedText({ entry: { kind }, id, name }: Named): string {
  return noticeText({ code: "removed-leftover", kind, id, name });
}

function copyText({ entry: { kind }, id, name }: Named): string {
  return noticeText({ code: "perhaps-a-copy", kind, id, name });
}
