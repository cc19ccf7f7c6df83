/** The words and signs of changes and drifts, which all forms of a story share. Pure. */
import type { Change, ChangeOp, Drift } from "./model.ts";
import { nameText } from "./text.ts";

/** The name of a colour and of a class of HTML. */
export type Tone = "create" | "adopt" | "update" | "replace" | "delete" | "good" | "warn";

export interface Sign {
  readonly tone: Tone;
  readonly sign: string;
  /** True if visitors lose an address, if only for a moment. */
  readonly loses?: true;
}

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

export const FORGOTTEN: Mark = {
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
  unfinished: "left unfinished, or held back, by an earlier run",
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
  both: "changed in the code, and edited in the app",
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

/** People know a page by its own name. A resource without one has a logical name alone. */
export function calledBy(one: Pick<Change, "type" | "name" | "title">): string {
  return one.title === undefined ? titleOf(one) : nameText(one.title);
}

/** Returns the name that people know a resource by, unless it says no more than the logical name. */
export function titleIn(title: unknown, name: string): string | undefined {
  return typeof title === "string" && title.toLowerCase() !== name.toLowerCase() ? title : undefined;
}
