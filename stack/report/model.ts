/**
 * The model of an operation's plan or result: plain data with codes, made from events alone and without secrets. Every printer works on it,
 * and words are made there. stack/report/json.ts has the form that `--json` prints.
 */
import type { Json, PropertyPath } from "../../engine/index.ts";
import type { StepFailure } from "../../provider/messages/failures.ts";
import type { ForeignEdit, ForeignEditsPolicy } from "../../provider/messages/foreign-edits.ts";
import type { DriftKind, LiveFunnels, Pictures } from "./shown.ts";
import type { SeenLive } from "../../provider/seen/seen-live.ts";

export type Verb = "preview" | "up" | "refresh" | "drift" | "destroy" | "undo";
/** A command that has its own form of JSON, and that ends with a report if it fails. */
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
/** Stands for a secret value that differs from another one. */
export const OTHER_SECRET = `another ${SECRET}`;
/** Stands for a value that is known only once its source exists. */
export const LATER = "[known after apply]";

export interface Field {
  path: PropertyPath;
  kind: "add" | "delete" | "update";
  old?: Json;
  new?: Json;
  /** The change of this field replaces the resource. */
  replaces?: true;
  /** The field is no longer declared, and the object keeps its value. */
  stays?: true;
  /** The field is no longer declared, and no run has ever written it: the object has nothing like it. */
  never?: true;
  /** Somebody has changed the value in the app, and the run leaves it. */
  held?: true;
  /** File, line and column of the data file that has the value. */
  writtenIn?: string;
}

export interface Change {
  urn: string;
  /** The type without Landform's common part: `Page`. */
  type: string;
  name: string;
  /** The name that people know it by, where it is another one. */
  title?: string;
  op: ChangeOp;
  /** Undefined in a preview. `unfinished`: begun, with an unknown end. `unreached`: planned, and never begun. */
  status?: "done" | "failed" | "unfinished" | "unreached";
  /** For a deletion: the object only leaves the state, because the API can't delete it or the code says to keep it. */
  stays?: Stay;
  /** For a change that meets edits of others: `draft`: its draft is written, and not published. `values`: nothing of it is written. */
  held?: "draft" | "values";
  id?: string;
  url?: string;
  /** The address where people edit it and see it before it is public. */
  editUrl?: string;
  fields: Field[];
  /** Texts that visitors will see otherwise, with the values of variables filled in. */
  rendered?: RenderedText[];
  /** The rest of the reason. */
  reason?: Reason;
}

export interface RenderedText {
  path: PropertyPath;
  old: string;
  new: string;
}

/** The reason for a change, beyond its fields. */
export type Reason =
  /** `asItIs`: the account was asked, and the object has all declared values. `along`: it goes public for the edits in its draft. */
  | { code: "adopts"; asItIs?: true; along?: true }
  /** For a deletion: the pages that it gathered stay public. `some`: the deletion of others is planned. */
  | { code: "pages stay"; some?: true }
  /** Follows a run that failed or was killed. */
  | { code: "carries on"; after?: string; inputs?: string[] }
  /** An earlier run held the page back. */
  | { code: "publishes held" }
  | { code: "publishes" }
  /** The code says by now what somebody made of these inputs in the app: the run records it. */
  | { code: "takes edits"; inputs: string[] }
  /** For a refresh, which only takes it out of the state. */
  | { code: "deleted in the app" }
  /** Somebody edited the draft to what the code says, so nothing is left to write. */
  | { code: "publishes edits"; paths: PropertyPath[] }
  | { code: "stays"; stay: Stay }
  /** For a replacement: what happens to the old object, and if it gives its address up. */
  | { code: "old stays"; stay: Stay; movesAside?: true }
  /** For a replacement: an existing object takes the place. `takenBy`: the resource of the plan that takes the old one over. */
  | { code: "adopts instead"; id: string; stay?: Stay; movesAside?: true; takenBy?: string }
  | { code: "left behind by a replacement" }
  /** For an undo: the object had been taken over. */
  | { code: "given back" }
  /** For a creation: it takes a retired object, whose id it keeps. */
  | { code: "reuses"; id: string }
  /** The outcomes that a planned update may have once the values of these fields are known. */
  | { code: "perhaps replaced" | "perhaps refused"; fields: string[] }
  /** Names of the changes that its values come from. Only after them is it known if anything is left to do. */
  | { code: "may follow"; from: string[] };

/** A resource that differs from the last run or from the code. */
export interface Drift {
  urn: string;
  type: string;
  name: string;
  id?: string;
  kind: DriftKind;
  fields: DriftField[];
  /** For `unfinished`: the inputs that the next run applies again. */
  inputs?: string[];
}

export interface DriftField {
  path: PropertyPath;
  lastRun?: Json;
  live?: Json;
  code?: Json;
  /** Nobody knows what the code says: a failure came before it. */
  unread?: true;
  /** `live` is only in the draft. Visitors don't get it yet. */
  unpublished?: true;
}

export type Stay = "in place" | "retired";

/** Each resource counts once. After a run, the operations count what was done. */
export interface Counts {
  create: number;
  adopt: number;
  update: number;
  replace: number;
  delete: number;
  /** Deletions that leave the object in the account. */
  left: number;
  /** Updates that edits of others keep from visitors. */
  held: number;
  same: number;
  /** For a plan: updates that only unknown values cause, and that may turn out to be nothing. */
  mayFollow: number;
  failed: number;
  unfinished: number;
  /** For a run that did not succeed: the planned changes that it never reached. */
  unreached: number;
}

export interface Impact {
  /**
   * Published pages that change while visitors read them. `on`: the name of a site that the run makes, if only it tells where a path is.
   * `mayMove`: the slug is known only after the apply, so the page may leave this address.
   */
  urls: { url: string; on?: string; page: string; effect: ChangeOp; mayMove?: true }[];
  funnels: TouchedFunnel[];
  /** The scopes that the key needs. Alternatives are separated by ` or `. */
  scopes: string[];
  /** The scopes that nothing has proven yet, because reads can't prove scopes for writing. Only for a plan. */
  unproven?: string[];
  /** Edits of others that would go live with the program's changes, or that these would write over, where Landform looked for them. */
  alsoLive?: AlsoLive[];
  /** Edits of others in drafts of pages that the plan deletes, and texts of theirs that visitors lose with a page. */
  alsoGoes?: GoingOfOthers[];
}

export interface TouchedFunnel {
  urn?: string;
  name: string;
  /** The change of the funnel itself. */
  op?: ChangeOp;
  /** For a deletion: the funnel stays in the account. */
  stays?: Stay;
  /** The changes of its pages, if the funnel itself doesn't change. */
  pages: { name: string; op: ChangeOp }[];
  /** All steps after the change, in order. */
  steps?: FunnelStep[];
  /** The steps that the plan takes out, with their former numbers. */
  lost?: (FunnelStep & { at: number })[];
}

export interface FunnelStep {
  pageType: string;
  /** The name of a page of this stack, or its id, or an address; undefined for a page that this plan makes. */
  to?: string;
  /** The URN of a page of this stack. */
  urn?: string;
  op?: ChangeOp;
}

export interface Failure {
  /** The name of the check that refuses the plan, if one does. */
  check?: string;
  message: string;
  urn?: string;
  /** file:line:column of the program. */
  source?: string;
  /** A text that leads to the entry of docs/troubleshooting.md, if the message doesn't. */
  guide?: string;
  /** The failure of a resource's step: the name of that entry, and the subject of the failure. */
  step?: Omit<StepFailure, "text">;
  cause: FailureCause;
  /** For a hold that stopped the apply: the way to allow it. */
  allowed?: string;
  /** The commands that a person may want to run next. */
  advice?: readonly Advice[];
}

/**
 * `program`: the program is wrong. `stale`: today's plan disagrees with the review, or the account with the state. `refused`: a safety limit or a plan forbids it.
 * `locked`: another run has the stack. `operation`: the run met an error. `unseen`: everything was done, and visitors don't see it.
 */
export type FailureCause = "program" | "stale" | "refused" | "locked" | "operation" | "cancelled" | "unseen";

export interface Pending {
  urn: string;
  operation: string;
  /** The result in this run: an operation, or `later`, or `settled` if nothing was needed, or `not looked into`. */
  outcome: ChangeOp | "later" | "settled" | "not looked into";
}

/** The run that an undo takes back, the parts that it leaves alone, and the values that it can't bring back. */
export interface UndoneRun {
  id: string;
  command: string;
  at: string;
  by: string;
  conflicts: { type: string; name: string; field?: string; why: string; now?: Json }[];
  lost: { type: string; name: string; text: string }[];
  /** Everything of it is taken back already, or is told above. */
  nothingLeft?: true;
  /** An earlier undo of it holds this back for edits of others. */
  waiting?: { type: string; name: string }[];
}

/** A command with its reason: `… up --refresh writes the code's values back`. */
export interface Advice {
  command: string;
  arguments: readonly string[];
  reason: string;
}

/** `hold`: the plan waits until a person allows it. `warn` and `note`: a person should know. A finding that fails the plan is a failure. */
export type Weight = "hold" | "warn" | "note";

export interface Finding {
  /** The name of the check in the table, or of the part of a run that found it. */
  readonly check: string;
  readonly weight: Weight;
  readonly text: string;
  /** The URN of the resource that it is about. */
  readonly urn?: string | undefined;
  /** file:line:column of the code. */
  readonly source?: string | undefined;
  /** For a hold: the way to allow it. */
  readonly allowed?: string;
  /** For a hold in a plan that nobody is about to carry out: the command that will refuse it. */
  readonly refusedBy?: "up" | "undo";
  /** The commands that a person may want to run next. */
  readonly advice?: readonly Advice[];
  /** The finding is still true after the apply. */
  readonly lasts?: true;
}

export function placed({ source, text }: Pick<Finding, "source" | "text">): string {
  return source === undefined ? text : `${source}: ${text}`;
}

/** Adds warnings, each text once. */
export function withFound(report: Report, check: string, found: readonly (string | Warning)[]): Report {
  const known = new Set(report.findings.flatMap(({ weight, text }) => (weight === "warn" ? [text] : [])));
  const all = found.map((one): Warning => (typeof one === "string" ? { text: one } : one));
  const once = [...new Map(all.map((one) => [one.text, one])).values()].filter(({ text }) => !known.has(text));
  const more = once.map((one): Finding => ({ ...one, check, weight: "warn" }));
  return more.length === 0 ? report : { ...report, findings: [...report.findings, ...more] };
}

export type Warning = Pick<Finding, "text" | "urn" | "source" | "advice">;

export interface Report {
  version: 1;
  command: Verb;
  result: Outcome;
  project: string;
  stack: string;
  /** `none`: the command ended before it had an engine. Then the names of the project and of the stack may be empty, too. */
  engine: { name: "embedded" | "pulumi" | "none"; version: string };
  counts: Counts;
  /** Only if a killed run left objects that no state has and that this run removes. */
  leftovers?: { count: number; removed: boolean };
  changes: Change[];
  /** Only for a drift. */
  drift?: Drift[];
  /** Only for a preview or an up. */
  impact?: Impact;
  outputs: Record<string, Json>;
  /** Only for a plan: the outputs that differ from those of the last run. */
  changedOutputs?: string[];
  /** Pages that are published now. */
  urls: string[];
  /** Only for an up or an undo: those of them that the run itself has published. */
  published?: string[];
  /** Only for a drift: drafts that others work on. They are news, and no drift. */
  drafts?: DraftOfOthers[];
  /** Only for a drift that is written as HTML: the funnels as visitors meet them. */
  funnels?: LiveFunnels;
  /** Only for an up. */
  held?: HeldBack[];
  /** Only for an up that looked at the pages that it published. */
  seen?: SeenPage[];
  /** Only for a preview environment whose pages were photographed. */
  pictures?: Pictures;
  pending: Pending[];
  findings: readonly Finding[];
  /** Only for an undo. */
  undone?: UndoneRun;
  /** Values that are no longer declared and stay as they are: one sentence for each resource that doesn't change otherwise. */
  unmanaged?: string[];
  failures: Failure[];
  /** Commands that a person may want to run next. Findings and failures have their own. */
  advice?: Advice[];
  durationMs: number;
}

/** An object with edits that are not the program's: in its draft, or in values of the account itself. */
export interface DraftOfOthers {
  urn: string;
  type: string;
  name: string;
  url?: string;
  edits: readonly ForeignEdit[];
}

/** An object that goes, with the edits in its draft. `url`: where visitors find it. */
export interface GoingOfOthers extends DraftOfOthers {
  /** Texts that somebody published in the app and that the code doesn't declare: visitors lose them. */
  published?: readonly ForeignEdit[];
  /** Values that somebody has changed in the account itself. */
  values?: readonly ForeignEdit[];
  /** The reason why no undo can make it anew. */
  lost?: string;
}

/** Edits that a run publishes, writes over, or holds back. */
interface Decided extends DraftOfOthers {
  /** True if the plan replaces the object, so that the edits go with the old one. */
  goes?: true;
  /** True if the old one stays in the account all the same, with the edits in it. */
  stays?: true;
  /** True for a kind without a draft: somebody has changed these values in the account itself. */
  noDraft?: true;
}

/** A page that a plan publishes again, or an object whose changed values it writes. */
export interface AlsoLive extends Decided {
  /** The way in which up treats the edits; `ask` if a person can be asked. */
  policy: ForeignEditsPolicy | "ask";
  /** A digest of the plain edits. A yes counts only for these edits, and the report hides the secrets in them. */
  digest: string;
  /** True if its release publishes it. The release is held back as a whole. */
  released?: true;
  /** True if it is taken over as it is: the run writes and publishes nothing of it. */
  asItIs?: true;
  /** True for a page that the plan deletes: another page takes its address, so the run publishes it elsewhere until it deletes it. */
  makesWay?: true;
  /** For edits that go with a replaced object: the reason why no undo can make it anew. */
  lost?: string;
}

/** A page that the run did not publish, because its draft has edits of others, or an object whose changed values it left alone. */
export interface HeldBack extends Decided {
  /** Names of the pages of its release whose drafts have such edits, if its own draft has none. */
  heldBy?: readonly string[];
}

/** The result of a look at a public page. */
export interface SeenPage extends SeenLive {
  urn: string;
  type: string;
  name: string;
}
