/**
 * The history of one run as a file. The first line says who and when, then come the earlier states of what was to change, then one line for
 * each object that the provider's host adds before it writes over it, and the end. Values are sealed with the run's own key, which only the
 * stack's secrets open. Who, when and which resources can be read without them.
 */
import { z } from "zod";
import type { ResourceState } from "../../engine/index.ts";
import { type Kept, unseal } from "../../provider/history/kept.ts";
import type { Change, ChangeOp, Counts, Outcome, Stay } from "../report/model.ts";
import type { Who } from "./who.ts";

/** The public part of a change: no values. */
export interface ToldChange {
  readonly type: string;
  readonly name: string;
  readonly op: ChangeOp;
  readonly status?: "done" | "failed" | "unfinished" | "unreached";
  readonly stays?: Stay;
  readonly held?: Change["held"];
  readonly url?: string;
  /** For a planned change: only the run was to show if it is an update or a replacement. */
  readonly perhaps?: "replace";
}

/** `stack`: the stack's secrets open it. `machine`: a key of the machine that made it opens it. */
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
  /** The resources that were to change, with the planned creations. Absent without a plan. */
  readonly urns?: readonly string[];
  /** True if it was limited to targets. */
  readonly part?: true;
  /** True if the state held none of our objects before it. */
  readonly isFirst?: true;
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
  /** The number of pages that it held back for a later run. Absent if there are none. */
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

/** A run as its file tells it, with sealed values. */
export interface RunRecord {
  readonly start: RunStart;
  /** Absent if it was killed or is under way. */
  readonly end?: RunEnd;
  readonly sealed: { readonly before: string[]; readonly after: string[]; readonly kept: string[] };
}

export interface RunValues {
  /** The earlier states of the resources that were to change. */
  readonly before: readonly ResourceState[];
  /** The states of the same resources, and of others that changed, as the run left them. Undefined if the run has no end. */
  readonly after: readonly ResourceState[] | undefined;
  readonly kept: readonly Kept[];
}

const text = z.string();
const changesFormat = z.array(z.looseObject({ type: text, name: text, op: text }));
const startFormat = z.looseObject({
  ...{
    landformRun: z.literal(1),
    id: text,
    command: text,
    at: z.iso.datetime(),
    engine: text,
    project: text,
    stack: text,
  },
  by: z.looseObject({ name: text }),
  key: z.strictObject({ by: z.enum(["stack", "machine"]), key: text }),
  urns: z.array(text).optional(),
  planned: changesFormat.optional(),
});
const endFormat = z.looseObject({ ended: z.iso.datetime(), result: text, changes: changesFormat });

/** A run whose file can't be relied on. */
export interface UnreadRun {
  readonly id: string;
  readonly why: string;
}

/** Returns the run, or the reason why it can't be read. A line that a kill cut off was not durable, and nothing relies on it. */
export function parseRun(content: string): RunRecord | string {
  const lines = content.split("\n").flatMap((line) => parsed(line) ?? []);
  const start = lines.find((line): line is RunStart => "landformRun" in line);
  if (start === undefined) return "its file has no whole first line";
  // JSON may have any number here.
  if ((start.landformRun as number) !== 1)
    return `it is kept in form ${JSON.stringify(start.landformRun)}, and this version of Landform knows form 1`;
  const end = lines.findLast((line): line is RunEnd => "ended" in line);
  if (!startFormat.safeParse(start).success || (end !== undefined && !endFormat.safeParse(end).success))
    return "its file is damaged";
  const states = lines.filter((line): line is StatesLine => "states" in line);
  const sealedOf = (which: StatesLine["states"]): string[] =>
    states.flatMap((line) => (line.states === which ? [line.sealed] : []));
  const kept = lines.flatMap((line) => ("kept" in line ? [line.kept] : []));
  return { start, end, sealed: { before: sealedOf("before"), after: sealedOf("after"), kept } };
}

export function openValues({ sealed: { before, after, kept } }: RunRecord, key: string): RunValues {
  const states = (sealed: readonly string[]): ResourceState[] =>
    sealed.flatMap((one) => unseal(key, one) as ResourceState[]);
  return {
    before: states(before),
    after: after.length === 0 ? undefined : states(after),
    kept: kept.map((one) => unseal(key, one) as Kept),
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
