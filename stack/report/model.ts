/**
 * What an operation would do, or did: plain data with codes, made from events alone and free of secrets. Every renderer
 * works on it, and words are made there; render/json.ts has the form that `--json` prints.
 */
import type { Json, PropertyPath } from "../../engine/index.ts";
import type { StepFailure } from "../../provider/messages/failures.ts";
import type { AlsoLive, DraftOfOthers, HeldBack, Leaving, MentionsLook, SeenPage } from "./going-live.ts";

export type Verb = "preview" | "up" | "refresh" | "drift" | "destroy" | "undo";
/** A command whose JSON is of a form of its own, and which ends with a report where it fails. */
export type OtherCommand =
  | "adopt"
  | "check"
  | "config ls"
  | "doctor"
  | "env down"
  | "env gc"
  | "env list"
  | "export"
  | "history"
  | "stack ls"
  | "templates keys"
  | "templates ls"
  | "where";
/** `adopt`: an existing object becomes the resource's, and nothing is created. */
export type ChangeOp = "create" | "adopt" | "update" | "replace" | "delete";
export type Outcome = "succeeded" | "failed" | "cancelled";

/** Stands for a secret value. */
export const SECRET = "[secret]";
/** Stands for a secret value beside another one. */
export const OTHER_SECRET = `another ${SECRET}`;
/** Stands for a value that is only known once what it comes from exists. */
export const LATER = "[known after apply]";

export interface Field {
  path: PropertyPath;
  kind: "add" | "delete" | "update";
  old?: Json;
  new?: Json;
  /** The change of this field is why the resource is replaced. */
  replaces?: true;
  /** It is no longer declared, and the object keeps it. */
  stays?: true;
  /** File, line and column of the data file that it comes from. */
  writtenIn?: string;
}

export interface Change {
  urn: string;
  /** Without the part that all resources of Landform share: `Page`. */
  type: string;
  name: string;
  op: ChangeOp;
  /** Undefined in a preview. `unfinished`: begun, and how it ended is not known. `unreached`: planned, and never begun. */
  status?: "done" | "failed" | "unfinished" | "unreached";
  /** Of a deletion: the object leaves the state alone, because the API can't delete it or the code says to keep it. */
  stays?: Stay;
  id?: string;
  /** The public address, where it has one. */
  url?: string;
  /** Where it is edited, and seen before it is public. */
  editUrl?: string;
  fields: Field[];
  /** Texts that visitors see otherwise afterwards, as they see them: the values of variables are filled in. */
  rendered?: RenderedText[];
  /** What else there is to say about why. */
  reason?: Reason;
}

export interface RenderedText {
  path: PropertyPath;
  old: string;
  new: string;
}

/** Why a change is what it is, beyond its fields. */
export type Reason =
  | { code: "adopts" }
  /** After a run that failed, or was killed. */
  | { code: "carries on"; after?: string }
  | { code: "publishes" }
  /** What somebody edited in its draft, and the code says, too: nothing is left to write. */
  | { code: "publishes edits"; paths: PropertyPath[] }
  | { code: "stays"; stay: Stay }
  /** Of a replacement: what becomes of the object that the new one takes the place of, and perhaps the address. */
  | { code: "old stays"; stay: Stay; movesAside?: true }
  /** Of a replacement: what exists already takes its place. */
  | { code: "adopts instead"; id: string; stay?: Stay; movesAside?: true }
  | { code: "left behind by a replacement" }
  /** Of an undo: the object had been taken over. */
  | { code: "given back" }
  /** What a planned update may turn into, once the values of these fields are known. */
  | { code: "perhaps replaced" | "perhaps refused"; fields: string[] }
  /** Names of the changes that its values come from: whether anything is left to do here is known after those. */
  | { code: "may follow"; from: string[] };

/** A resource that isn't what the last run left, or what the code says. */
export interface Drift {
  urn: string;
  type: string;
  name: string;
  id?: string;
  /**
   * `gone`: it no longer exists. `unsettled`: live and last run agree, and the code says something else. `absent`: the code
   * declares it, and no run has made it. `undeclared`: it exists, and the code no longer declares it. `unfinished`: no field
   * differs, and a run that failed, or was killed, has not done all that the code says, as a page that it did not publish.
   */
  kind: "changed" | "gone" | "unsettled" | "absent" | "undeclared" | "unfinished";
  fields: DriftField[];
}

export interface DriftField {
  path: PropertyPath;
  lastRun?: Json;
  live?: Json;
  code?: Json;
}

export type Stay = "in place" | "retired";

/** Each resource once. After a run, the operations count what was done. */
export interface Counts {
  create: number;
  adopt: number;
  update: number;
  replace: number;
  delete: number;
  /** Deletions that leave the object in the account. */
  left: number;
  same: number;
  /** Of a plan: updates that only values to come ask for, and that may turn out to be nothing. */
  mayFollow: number;
  failed: number;
  unfinished: number;
  /** Of a run that did not succeed: what its preview knew of and it never came to. */
  unreached: number;
}

export interface Impact {
  /** Published pages that change under the eyes of visitors. */
  urls: { url: string; page: string; effect: ChangeOp }[];
  funnels: TouchedFunnel[];
  /** What the key needs for it; alternatives are separated by ` or `. */
  scopes: string[];
  /** Those of them that nothing has proven yet: reads can't prove what is for writing. Only of what is planned. */
  unproven?: string[];
  /** What would go live beside what the program changes, or be written over by it, where it was asked for. */
  alsoLive?: AlsoLive[];
  /** What others have in drafts of pages that it deletes. */
  alsoGoes?: DraftOfOthers[];
}

export interface TouchedFunnel {
  urn?: string;
  name: string;
  /** What happens to the funnel itself. */
  op?: ChangeOp;
  /** What happens to its pages, where nothing happens to the funnel. */
  pages: { name: string; op: ChangeOp }[];
  /** All steps as they are afterwards, in their order. */
  steps?: FunnelStep[];
}

export interface FunnelStep {
  pageType: string;
  /** The name of a page of this stack, or its id, or an address; undefined for one that is made in this plan. */
  to?: string;
  /** Of a page of this stack. */
  urn?: string;
  op?: ChangeOp;
}

export interface Failure {
  message: string;
  urn?: string;
  /** file:line:column of the program. */
  source?: string;
  /** What leads to the entry of docs/troubleshooting.md, where the message itself doesn't. */
  guide?: string;
  /** What a resource's step failed with: the name of that entry, and what the failure is about. */
  step?: Omit<StepFailure, "text">;
  cause: FailureCause;
}

/**
 * `program`: what is to be run is wrong. `stale`: it isn't what was reviewed. `refused`: a safety limit or a plan forbids
 * it. `locked`: another run has the stack. `operation`: something went wrong on the way. `unseen`: all was done, and visitors
 * don't see it.
 */
export type FailureCause = "program" | "stale" | "refused" | "locked" | "operation" | "cancelled" | "unseen";

export interface Pending {
  urn: string;
  operation: string;
  /** What this run did about it: an operation, or `later`, nothing that was needed, or nothing at all. */
  outcome: ChangeOp | "later" | "settled" | "not looked into";
}

/** The run that an undo takes back, what it leaves alone, and what it can't bring back. */
export interface UndoneRun {
  id: string;
  command: string;
  at: string;
  by: string;
  conflicts: { type: string; name: string; field?: string; why: string; now?: Json }[];
  lost: { type: string; name: string; text: string }[];
}

/** `npx landform COMMAND ARGUMENTS REASON`: `… up --refresh puts back what the code says`. */
export interface Advice {
  command: string;
  arguments: readonly string[];
  reason: string;
}

/** A resource that is otherwise than in the base. Rewritten addresses, prefixes and ids are no differences. */
export interface Difference {
  readonly type: string;
  readonly name: string;
  readonly kind: "added" | "removed" | "changed";
  /** Of the preview. */
  readonly url?: string;
  readonly baseUrl?: string;
  /** Of what is changed: each input, and of maps each key. */
  readonly fields: readonly DifferentField[];
}

export interface DifferentField {
  readonly path: PropertyPath;
  /** Absent where the base declares nothing. */
  readonly base?: Json;
  /** Absent where the preview declares nothing. */
  readonly preview?: Json;
}

/**
 * `refuse`: the plan can't be carried out, and has failed. `hold`: it could be, and isn't without a person's word. `warn` and
 * `note`: a person should know.
 */
export type Weight = "refuse" | "hold" | "warn" | "note";

export interface Finding {
  /** Of the table of checks, or the part of a run that found it. */
  readonly check: string;
  readonly weight: Weight;
  readonly text: string;
  /** Of what is refused. */
  readonly failure?: Omit<Failure, "message">;
  /** It is still true once the plan is carried out. */
  readonly lasts?: true;
}

/** The same is told once. */
export function withFound(report: Report, check: string, texts: readonly string[], weight: Weight = "warn"): Report {
  const told = new Set(report.findings.flatMap((one) => (one.weight === weight ? [one.text] : [])));
  const more = [...new Set(texts)].filter((text) => !told.has(text)).map((text): Finding => ({ check, weight, text }));
  return more.length === 0 ? report : { ...report, findings: [...report.findings, ...more] };
}

export interface Report {
  version: 1;
  command: Verb;
  result: Outcome;
  project: string;
  stack: string;
  /** `none`: the command ended before there was one; then the names of the project and of the stack may be empty, too. */
  engine: { name: "embedded" | "pulumi" | "none"; version: string };
  counts: Counts;
  /** Only where a killed run left objects in no state that are removed with this. */
  leftovers?: { count: number; removed: boolean };
  changes: Change[];
  /** Only of a drift. */
  drift?: Drift[];
  /** Only of what a preview or an up would touch. */
  impact?: Impact;
  /** Only of a plan in which an address or an object with one goes. */
  leaving?: Leaving[];
  /** Where mentions of these were looked for in the account. */
  looked?: MentionsLook[];
  /** Only of a preview environment with a base: what it shows otherwise. */
  differences?: readonly Difference[];
  outputs: Record<string, Json>;
  /** Pages that are published now. */
  urls: string[];
  /** Only of a drift that was asked for it: what the account holds and nobody declares, with the entry that adopts it. */
  undeclared?: { type: string; id: string; name: string; entry: string; files: Record<string, string> }[];
  /** Only of a drift: drafts that others are at work on. They are news, and no drift. */
  drafts?: DraftOfOthers[];
  /** Only of an up. */
  held?: HeldBack[];
  /** Only of an up that looked at what it published. */
  seen?: SeenPage[];
  /** Only of a drift that looked at the public pages: those that don't show what was published. No drift of the account. */
  public?: SeenPage[];
  pending: Pending[];
  findings: readonly Finding[];
  /** Only of an undo. */
  undone?: UndoneRun;
  /** What is no longer declared, and stays as it is: a sentence a resource that doesn't change otherwise. */
  unmanaged?: string[];
  failures: Failure[];
  /** Commands that a person may want to run next. */
  advice?: Advice[];
  durationMs: number;
}
