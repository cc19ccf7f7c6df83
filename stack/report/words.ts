/** The words and signs that all forms of a story share. Pure. */
import { isWrittenOver } from "../../provider/messages/foreign-edits.ts";
import { listed } from "../../provider/values/wording.ts";
import type {
  Change,
  ChangeOp,
  Counts,
  Drift,
  Pending,
  Reason,
  Report,
  Stay,
  TouchedFunnel,
  Verb,
  AlsoLive,
} from "./model.ts";
import { pathText } from "./values.ts";
import { firstLine, nameText } from "./text.ts";

/** The name of a colour and of a class of HTML. */
export type Tone = "create" | "adopt" | "update" | "replace" | "delete" | "good" | "warn";

export interface Sign {
  readonly tone: Tone;
  /** One character. */
  readonly sign: string;
  /** True if visitors lose an address, if only for a moment. */
  readonly loses?: true;
}

/** A sign with its words. */
export interface Mark extends Sign {
  /** For a plan: `2 to create`. */
  readonly plan: string;
  /** For a run: `2 created`. */
  readonly done: string;
  /** Under way: `creating`. */
  readonly doing: string;
  /** For a page: `offer is new`. */
  readonly happens: string;
  /** For its address: `new`. */
  readonly visitors: string;
}

/** Sorted by danger: deletions come first, for readers who stop early. */
export const OPS: Record<ChangeOp, Mark> = {
  delete: {
    ...{ tone: "delete", sign: "-", plan: "delete", done: "deleted", doing: "deleting" },
    ...{ happens: "goes away", visitors: "goes away", loses: true },
  },
  replace: {
    ...{ tone: "replace", sign: "±", plan: "replace", done: "replaced", doing: "replacing" },
    ...{ happens: "is replaced", visitors: "replaced", loses: true },
  },
  update: {
    ...{ tone: "update", sign: "~", plan: "update", done: "updated", doing: "updating" },
    ...{ happens: "changes", visitors: "changes" },
  },
  adopt: {
    ...{ tone: "adopt", sign: "=", plan: "adopt", done: "adopted", doing: "adopting" },
    ...{ happens: "is taken over", visitors: "taken over" },
  },
  create: {
    ...{ tone: "create", sign: "+", plan: "create", done: "created", doing: "creating" },
    ...{ happens: "is new", visitors: "new" },
  },
};

const STAYING: Mark = {
  ...{ tone: "warn", sign: "!", plan: "leave in the account", done: "left in the account" },
  ...{ doing: "leaving in the account", happens: "stays in the account", visitors: "stays in the account" },
};

export const HELD: Mark = {
  ...{ tone: "warn", sign: "!", plan: "hold back", done: "held back", doing: "holding back" },
  ...{ happens: "is held back", visitors: "held back" },
};

const FORGOTTEN: Mark = {
  ...{ tone: "warn", sign: "!", plan: "remove from the state", done: "removed from the state" },
  ...{ doing: "removing from the state", happens: "was deleted in the app", visitors: "was deleted in the app" },
};

/** The run does not delete an object that stays, and does not update what it holds back. */
export function markOf({ op, stays, held, reason }: Pick<Change, "op" | "stays" | "held" | "reason">): Mark {
  if (reason?.code === "deleted in the app") return FORGOTTEN;
  if (op === "delete" && stays !== undefined) return STAYING;
  return held !== undefined && op === "update" ? HELD : OPS[op];
}

export function driftState({ kind, inputs }: Pick<Drift, "kind" | "inputs">): string {
  const which = inputs === undefined ? "" : ` (${inputs.join(", ")})`;
  return `${DRIFTS[kind]}${which}`;
}

const DRIFTS: Record<Drift["kind"], string> = {
  changed: "changed in the app",
  gone: "was deleted in the app",
  unsettled: "changed in the code, and not applied yet",
  absent: "new in the code, and not made yet",
  undeclared: "no longer in the code, and not deleted yet",
  unfinished: "left unfinished by an earlier run",
};

/** The words for a change that did not end well. A done change needs none. */
export const STATES: Record<NonNullable<Change["status"]>, string | undefined> = {
  done: undefined,
  failed: "failed",
  unfinished: "unfinished",
  unreached: "not reached",
};

export const MOVERS = {
  app: "edited in the app",
  code: "changed in the code",
  both: "edited in the app, and changed in the code",
} as const;

/** For the help of commands that show plans. */
export const LEGEND = `
Signs: + create, = adopt (take over the existing object that adoptId names), ~ update, ± replace, - delete.
In a JSON report they are the "op" of a change and the names of the counts.`;

/** The words by operation of the engine. */
export const DOING: ReadonlyMap<string, string> = new Map([
  ...Object.entries(OPS).map(([op, { doing }]): [string, string] => [op, doing]),
  ["create-replacement", "creating anew"],
  ["delete-replaced", "deleting the old"],
  ["refresh", "reading"],
]);

const ORDER = Object.keys(OPS);

/** Sorts items that delete something before items that add something. Otherwise the order stays. */
export function byDanger<Item>(items: readonly Item[], op: (item: Item) => ChangeOp): Item[] {
  return items.toSorted((a, b) => ORDER.indexOf(op(a)) - ORDER.indexOf(op(b)));
}

export function titleOf({ type, name }: Pick<Change, "type" | "name">): string {
  return `${type} ${nameText(name)}`;
}

export function titleOfStory({ command, project, stack, undone, ...report }: Report): string {
  const planned = isPlanned(report);
  return {
    preview: `Preview of ${project}/${stack}`,
    up: `Changes to ${project}/${stack}`,
    refresh: `Refresh of ${project}/${stack}`,
    drift: `Drift of ${project}/${stack}`,
    destroy: planned ? `Plan to destroy ${project}/${stack}` : `Destroyed in ${project}/${stack}`,
    undo: `Undo of ${undone === undefined ? "a run" : `run ${undone.id}`} in ${project}/${stack}`,
  }[command];
}

/** `refused`: a limit or a review forbade it. `warn`: a drift, or a page that is not published. `look`: a preview environment. */
export type Ending = "plain" | "good" | "warn" | "failed" | "refused" | "stopped" | "look" | "gone";

export function endingOf(report: Report): Ending {
  const { result, drift, held = [] } = report;
  if (result === "cancelled") return "stopped";
  if (result === "failed") return isRefused(report) ? "refused" : "failed";
  if (drift !== undefined) return drift.length === 0 ? "good" : "warn";
  if (held.length > 0 || isWaiting(report)) return "warn";
  return hasChanges(report) ? "plain" : "good";
}

/** Returns the result in one line. */
export function verdictOf(report: Report): string {
  const { drift, held = [] } = report;
  const totals = totalsText(report);
  const ending = endingOf(report);
  const isIdle = Object.values(report.counts).every((count) => count === 0) && report.leftovers === undefined;
  const nothing = `nothing was done${report.project === "" ? "" : ` in ${report.project}/${report.stack}`}`;
  if (ending === "refused") return `Refused: ${isIdle ? nothing : totals}`;
  if (ending === "stopped") return `Stopped before its end: ${totals}`;
  if (ending === "failed")
    return `${isPlanned(report) && report.changes.length > 0 ? "Failed, and the plan is incomplete" : "Failed"}: ${isIdle ? nothing : totals}`;
  if (drift !== undefined) return drift.length === 0 ? NO_DRIFT : driftedText(drift);
  if (held.length > 0) return `Done, but ${heldCounts(held)}: ${totals}`;
  if (isWaiting(report)) return "Nothing was sent: the undo still waits for edits in the app";
  if (report.undone?.nothingLeft === true) return "nothing to undo";
  if (!hasChanges(report)) return `no changes, ${totals}`;
  return isPlanned(report) ? totals : `Done: ${totals}`;
}

const NO_DRIFT = "no drift: the account, the last run and the code agree";

/** Tells if all that is left of an undo is a publication that edits of others hold back. */
export function isWaiting({ undone }: Report): boolean {
  return (undone?.waiting ?? []).length > 0;
}

function heldCounts(held: NonNullable<Report["held"]>): string {
  const values = held.filter(({ noDraft }) => noDraft === true).length;
  const kept = held.filter(({ goes }) => goes === true).length;
  const drafts = held.length - values - kept;
  const counts = [
    ...(kept > 0 ? [`${kept === 1 ? "1 page is" : `${kept} pages are`} not replaced`] : []),
    ...(drafts > 0 ? [`${drafts === 1 ? "1 page is" : `${drafts} pages are`} not published`] : []),
    ...(values > 0
      ? [`${values === 1 ? "1 resource keeps" : `${values} resources keep`} values that somebody set in the app`]
      : []),
  ];
  return counts.join(", and ");
}

function driftedText(drift: readonly Drift[]): string {
  const edited = drift.filter(({ kind }) => kind === "changed" || kind === "gone").length;
  const others = drift.length - edited;
  const counts = [
    ...(edited > 0 ? [edited === 1 ? "1 resource has drifted" : `${edited} resources have drifted`] : []),
    ...(others > 0
      ? [others === 1 ? "1 resource waits for the next run" : `${others} resources wait for the next run`]
      : []),
  ];
  return counts.join(", ");
}

/** `2 to create, 1 to update, 3 unchanged`, or the counts of a run. */
export function countsText(counts: Counts, planned: boolean, command?: Verb): string {
  const wordOf = (op: ChangeOp): string => (command === "refresh" && op === "delete" ? FORGOTTEN : OPS[op]).done;
  const parts = (["delete", "replace", "create", "adopt", "update"] as const)
    .filter((op) => counts[op] > 0)
    .map((op) => (planned ? `${counts[op]} to ${OPS[op].plan}` : `${counts[op]} ${wordOf(op)}`));
  if (counts.left > 0) parts.push(`${counts.left} ${planned ? "to leave" : "left"} in the account`);
  if (counts.held > 0) parts.push(`${counts.held} ${HELD.done}`);
  for (const [name, words] of OTHERS) if (counts[name] > 0) parts.push(`${counts[name]} ${words}`);
  return parts.length === 0 ? "no resources" : parts.join(", ");
}

const OTHERS: readonly [keyof Counts, string][] = [
  ["mayFollow", "may change as a consequence"],
  ["same", "unchanged"],
  ["failed", "failed"],
  ["unfinished", "unfinished"],
  ["unreached", "not reached"],
];

/** Counts everything that would be done, or was. */
export function totalsText(report: Pick<Report, "counts" | "changes" | "command" | "leftovers">): string {
  const { counts, leftovers, command } = report;
  const told = countsText(counts, isPlanned(report), command);
  if (leftovers === undefined) return told;
  const { count, removed } = leftovers;
  const what = count === 1 ? "leftover of a killed run" : "leftovers of killed runs";
  return `${told}, ${count} ${what} ${removed ? "removed" : "to remove"}`;
}

export function hasChanges({ counts, leftovers }: Pick<Report, "counts" | "leftovers">): boolean {
  return leftovers !== undefined || Object.entries(counts).some(([name, count]) => name !== "same" && count > 0);
}

/** Tells if a limit or a review forbade the run. Nothing failed on the way. */
function isRefused({ failures }: Pick<Report, "failures">): boolean {
  return failures.some(({ cause }) => cause === "refused" || cause === "stale");
}

/** Tells if the report is about a plan. */
export function isPlanned({ changes, counts }: Pick<Report, "changes" | "counts">): boolean {
  return counts.unreached === 0 && changes.every(({ status }) => status === undefined);
}

export function engineText({ engine }: Pick<Report, "engine">): string {
  if (engine.name === "none") return "";
  return engine.name === "embedded" ? `embedded engine ${engine.version}` : `Pulumi ${engine.version}`;
}

export function seconds(milliseconds: number): string {
  const total = milliseconds / 1000;
  if (total < 60) return `${total.toFixed(1)} s`;
  return `${Math.floor(total / 60)} min ${Math.round(total % 60)} s`;
}

export function reasonText(reason: Reason): string {
  switch (reason.code) {
    case "adopts":
      return reason.asItIs === true
        ? "takes over the existing object as it is"
        : "takes over the existing object; of these fields, only what differs there is sent";
    case "carries on":
      // The failed run has told the whole message.
      if (reason.after !== undefined) return `carries on after: ${firstLine(reason.after, LONGEST_REASON)}`;
      return reason.inputs === undefined
        ? "an earlier run ended before it was done with it: it is looked at again"
        : `applies ${reason.inputs.join(", ")} again: an earlier run ended before that was done`;
    case "deleted in the app":
      return "was deleted in the app; removed from the state";
    case "publishes held":
      return "publishes the page, which an earlier run held back because of edits in the app";
    case "publishes":
      return "publishes what changes of its pages, all or none";
    case "publishes edits":
      return `publishes ${namesText(reason.paths.map(pathText))}, which the draft has already`;
    case "pages stay":
      return reason.some === true ? "its other pages stay public" : "its pages stay public";
    case "stays":
      return STAYS[reason.stay];
    case "old stays":
      return oldText(reason);
    case "adopts instead":
      return `takes over the existing ${reason.id} in its place and brings it to all that is declared; ${oldText(reason)}`;
    case "given back":
      return "had been taken over: it gets back what it had, and stays in the account";
    case "reuses":
      return `reuses the retired ${reason.id}, since the service can't delete it`;
    case "left behind by a replacement":
      return "what an earlier replacement left behind";
    case "may follow":
      return `may follow from ${namesText(reason.from)}: whether it changes is known only after that`;
    case "perhaps replaced":
      return `replaced, if ${reason.fields.join(", ")} will differ, which is known only when it is applied; what refers to it then follows`;
    case "perhaps refused":
      return `refused, if ${reason.fields.join(", ")} will differ, which is known only when it is applied`;
  }
}

function oldText({ stay, movesAside }: { stay?: Stay; movesAside?: true }): string {
  if (stay === undefined) return "the old one is deleted";
  return `the old one ${STAYS[stay]}${movesAside ? "; it makes way at the address, to one beside it" : ""}`;
}

function namesText(names: readonly string[]): string {
  return listed(names.map(nameText), 3);
}

const LONGEST_REASON = 400;

const STAYS: Record<Stay, string> = {
  "in place": "stays in the account, and is no longer managed",
  retired: "stays in the account, emptied and marked as retired: the service can't delete funnels",
};

export function funnelText({ op, stays, pages: touched, lost = [] }: TouchedFunnel): string {
  const steps = lost.map(
    ({ at, to = "", pageType }) => `${at} (${[nameText(to), pageType].filter(Boolean).join(", ")})`,
  );
  if (steps.length > 0) return `loses its step${steps.length === 1 ? "" : "s"} ${listed(steps, 3)}`;
  if (op !== undefined) return markOf({ op, ...(stays && { stays }) }).happens;
  return touched.map((page) => `${nameText(page.name)} ${OPS[page.op].happens}`).join(", ");
}

/** Words the outlook for edits of others: in the draft of a page that is published again, or in values that are written. */
export function foreignText(one: AlsoLive): { text: string; guide?: string } {
  const { policy, asItIs, noDraft, edits, goes } = one;
  const title = titleOf(one);
  if (goes === true) return goingText(one);
  const over = edits.filter(isWrittenOver).length;
  const [isOver, isBoth] = [over > 0, over > 0 && over < edits.length];
  if (asItIs === true)
    return {
      text: `Landform takes over the published version of ${title}. Somebody's unpublished edits stay in its draft`,
    };
  const beside = isBoth ? ". The draft has other unpublished edits, too" : "";
  const found = isOver
    ? `The code changes values of ${title} that somebody has edited in the app${beside}`
    : `Somebody has unpublished edits in ${title}`;
  if (policy === "ask") return { text: `${found}. up asks about them` };
  if (policy === "include")
    return {
      text: `${found}. ${isBoth ? OVER_AND_ALONG : isOver ? "They are written over" : "They are published with it"}`,
    };
  const ours = noDraft === true ? "write over them" : "publish your text and lose theirs";
  const others = isBoth ? " (their other edits go public, too)" : "";
  return {
    text: `${noDraft === true ? `Landform leaves values of ${title} alone` : heldText(one)}. ${found}`,
    guide: `To ${isOver ? `${ours}${others}` : "publish their edits and yours"}: --foreign-edits include`,
  };
}

/** Words the outlook for edits that go with a replaced object. */
function goingText(one: AlsoLive): { text: string; guide?: string } {
  if (one.policy === "include") return { text: alsoDeletedText(one) };
  const found = `Somebody has unpublished edits in ${titleOf(one)}, which would be deleted with the old page`;
  if (one.policy === "ask") return { text: `${found}. up asks about them` };
  return {
    text: `${heldText(one)}. ${found}`,
    guide: "To replace the page and delete their edits: --foreign-edits include",
  };
}

export function alsoDeletedText(one: Pick<AlsoLive, "type" | "name">): string {
  return `Also deleted in the draft of ${titleOf(one)}, and not public (undo brings back its texts)`;
}

const OVER_AND_ALONG = "The first are written over, and the others are published with it";

function heldText({ released, url }: AlsoLive): string {
  const stays = url === undefined ? "the page stays a draft" : "visitors keep seeing the current page";
  return `Landform holds ${released === true ? "the whole release" : "the page"} back, and ${stays}`;
}

export function pendingText({ outcome }: Pending): string {
  return OUTCOMES[outcome];
}

const OUTCOMES: Record<Pending["outcome"], string> = {
  create: "looked for, and created or carried on with",
  adopt: "taken over",
  update: "done again",
  replace: "replaced",
  delete: "deleted",
  later: "the next up finishes it",
  settled: "it is as it should be",
  "not looked into": "not looked into by this run",
};

/** For a field that is no longer declared. */
export const WAS_NEVER_THERE = "was never on the page";
export const STAYS_AS_IT_IS = "stays as it is, and is no longer managed";
/** For a page that is made or taken over, and for its release. */
export const STAYS_A_DRAFT = "held back: visitors don't see it";
