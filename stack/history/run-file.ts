/**
 * The history of one run as a file: a first line with who and when, what the state held of what was to change, a line an
 * object that the provider's host adds before it writes over it, and an end. Values are sealed with the run's own key,
 * which only the stack's secrets open; who, when and what can be read without them.
 */
import { z } from "zod";
import type { ResourceState } from "../../engine/index.ts";
import { type Kept, unseal } from "../../provider/history/kept.ts";
import type { ChangeOp, Counts, Outcome, Stay } from "../report/model.ts";
import type { Who } from "./who.ts";

/** What of the run anybody may read: no values. */
export interface ToldChange {
  readonly type: string;
  readonly name: string;
  readonly op: ChangeOp;
  readonly status?: "done" | "failed" | "unfinished" | "unreached";
  readonly stays?: Stay;
  readonly url?: string;
  /** Of a plan: only the run was to show whether it is updated, or made anew. */
  readonly perhaps?: "replace";
}

/** `stack`: opened by the stack's secrets. `machine`: by a key of the machine that made it. */
export interface SealedKey {
  readonly by: "stack" | "machine";
  readonly key: string;
}

export interface RunStart {
  readonly landformRun: 1;
  readonly id: string;
  readonly command: string;
  /** ISO-8601. */
  readonly at: string;
  readonly by: Who;
  readonly engine: string;
  readonly project: string;
  readonly stack: string;
  readonly key: SealedKey;
  /** Undefined where the run began without a plan. */
  readonly planned?: readonly ToldChange[];
  /** The resources that were to change, those to be made included; absent without a plan. */
  readonly urns?: readonly string[];
  /** The run that this one undoes. */
  readonly undoes?: string;
  /** The commit whose reviewed plan it applies. */
  readonly reviewed?: string;
}

export interface RunEnd {
  /** ISO-8601. */
  readonly ended: string;
  readonly result: Outcome;
  readonly counts: Counts;
  readonly changes: readonly ToldChange[];
  /** How many pages it held back, and left for a later run; absent where none. */
  readonly held?: number;
}

export interface StatesLine {
  readonly states: "before" | "after";
  readonly sealed: string;
}

interface KeptLine {
  readonly kept: string;
}

export type RunLine = RunStart | RunEnd | StatesLine | KeptLine;

/** A run as its file tells it, its values still sealed. */
export interface RunRecord {
  readonly start: RunStart;
  /** Absent: it was killed, or is under way. */
  readonly end?: RunEnd;
  readonly sealed: { readonly before: string[]; readonly after: string[]; readonly kept: string[] };
}

/** What the values of a run come to. */
export interface RunValues {
  /** Of what was to change, as the state had it. */
  readonly before: readonly ResourceState[];
  /** Of the same and whatever else changed, as the run left it; undefined where it came to no end. */
  readonly after: readonly ResourceState[] | undefined;
  readonly kept: readonly Kept[];
}

const texts = z.looseObject({ id: z.string(), command: z.string(), at: z.iso.datetime(), engine: z.string() });
const startFormat = texts.extend({
  landformRun: z.literal(1),
  by: z.looseObject({ name: z.string() }),
  ...{ project: z.string(), stack: z.string() },
  key: z.strictObject({ by: z.enum(["stack", "machine"]), key: z.string() }),
  urns: z.array(z.string()).optional(),
  planned: z.array(z.looseObject({ type: z.string(), name: z.string(), op: z.string() })).optional(),
});
const endFormat = z.looseObject({
  ended: z.iso.datetime(),
  result: z.string(),
  changes: z.array(z.looseObject({ type: z.string(), name: z.string(), op: z.string() })),
});

/** A run whose file says nothing that can be relied on. */
export interface UnreadRun {
  readonly id: string;
  readonly why: string;
}

/** The run, or why it can't be read. A line that a kill broke off was not durable, and nobody relied on it. */
export function parseRun(text: string): RunRecord | string {
  const lines = text.split("\n").flatMap((line) => parsed(line) ?? []);
  const start = lines.find((line): line is RunStart => "landformRun" in line);
  if (start === undefined) return "its file has no whole first line";
  // Of JSON: any number may stand there.
  if ((start.landformRun as number) !== 1)
    return `it is kept in form ${JSON.stringify(start.landformRun)}, and this version of Landform knows form 1`;
  const end = lines.findLast((line): line is RunEnd => "ended" in line);
  if (!startFormat.safeParse(start).success || (end !== undefined && !endFormat.safeParse(end).success))
    return "its file is damaged";
  const states = lines.filter((line): line is StatesLine => "states" in line);
  const sealedOf = (which: StatesLine["states"]): string[] =>
    states.flatMap((line) => (line.states === which ? [line.sealed] : []));
  const kept = lines.flatMap((line) => ("kept" in line ? [line.kept] : []));
  return { start, ...(end && { end }), sealed: { before: sealedOf("before"), after: sealedOf("after"), kept } };
}

export function openValues({ sealed: { before, after, kept } }: RunRecord, key: string): RunValues {
  const states = (sealed: readonly string[]): ResourceState[] =>
    sealed.flatMap((text) => unseal(key, text) as ResourceState[]);
  return {
    before: states(before),
    after: after.length === 0 ? undefined : states(after),
    kept: kept.map((text) => unseal(key, text) as Kept),
  };
}

function parsed(line: string): RunLine | undefined {
  if (line === "") return undefined;
  try {
    const value = JSON.parse(line) as unknown;
    return typeof value === "object" && value !== null ? (value as RunLine) : undefined;
  } catch {
    return undefined;
  }
}
