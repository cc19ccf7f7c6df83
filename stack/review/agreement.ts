/** Checks that a plan still agrees with its review, field by field. Other changes of the stack, and parts that are applied, are no conflict. Pure. */
import { formatPath, type Json, type PropertyPath } from "../../engine/index.ts";
import { type ForeignEdit, editsText } from "../../provider/messages/foreign-edits.ts";
import { LATER, SECRET, type Change, type ChangeOp, type Field } from "../report/model.ts";
import type { SecretKeys } from "../engines/contract.ts";
import { same } from "../../provider/values/json.ts";
import { valueAt } from "../../provider/values/paths.ts";
import { RefusedError } from "../exit/codes.ts";
import { valueSides, valueText } from "../report/text.ts";
import { titleOf } from "../report/words.ts";
import { pathText } from "../report/values.ts";

type ReviewedField = Pick<Field, "path" | "old" | "new" | "stays">;

/** The parts of a change that a saved plan keeps. Secrets are shown as the usual mark. */
export type ReviewedChange = Pick<Change, "urn" | "type" | "name" | "op" | "stays" | "id"> & {
  fields: ReviewedField[];
  /** True if the reviewed update might have become a replacement. */
  perhapsReplaced?: true | undefined;
};

interface Today {
  readonly changes: readonly ReviewedChange[];
  /** A resource's values in the state. */
  readonly recorded: (urn: string) => RecordedSides | undefined;
  /** Inputs whose secrets differ between the two plans. Reports show them alike. */
  readonly secrets: SecretKeys;
}

export interface RecordedSides {
  readonly declared: Readonly<Record<string, unknown>>;
  /** For a resource whose last run failed: the values that the run had written by then. `declared` has the earlier inputs. */
  readonly broughtAbout?: Readonly<Record<string, unknown>> | undefined;
}

interface Sides {
  path: PropertyPath;
  reviewed?: Json;
  now?: Json;
}

export type Conflict = Pick<Change, "urn" | "type" | "name"> &
  (
    | { code: "not reviewed"; op: ChangeOp }
    /** The object to delete was made anew since the review, and the reviewed one is already deleted. */
    | { code: "another object" }
    | { code: "another operation"; reviewed: ChangeOp; op: ChangeOp }
    /** It was reviewed, is no longer planned, and doesn't exist. */
    | { code: "no longer planned"; op: ChangeOp }
    | ({ code: "not reviewed field" } & Sides)
    | FieldConflict
    | { code: "a secret"; path: PropertyPath }
    | { code: "gone" }
    /** A text that only the draft shows as it is now. */
    | { code: "edited in its draft"; path: PropertyPath; edits: readonly ForeignEdit[] }
    /** For a deletion: a value, edits that are only in its draft, or nothing that has a name. */
    | { code: "edited since the review"; path?: PropertyPath; now?: Json; edits?: readonly ForeignEdit[] }
  );

type FieldConflict = { code: "another value" | "another start" | "changed by hand" } & Sides;

export function reviewedChange({ urn, type, name, op, stays, id, fields, reason }: Change): ReviewedChange {
  const perhapsReplaced = reason?.code === "perhaps replaced" ? true : undefined;
  const kept = fields.map(({ path, old, new: wanted, stays: isKept }) => ({ path, old, new: wanted, stays: isKept }));
  return { urn, type, name, op, stays, id, perhapsReplaced, fields: kept };
}

/** Returns the conflicts, and the reviewed changes that are already done. */
export function agreement(reviewed: readonly ReviewedChange[], { changes: now, recorded, secrets }: Today) {
  const [then, today] = [byUrn(reviewed), byUrn(now)];
  const isAnew = (change: ReviewedChange, others: ReadonlyMap<string, ReviewedChange>): boolean =>
    change.op === "delete" &&
    !others.has(key(change)) &&
    [...others.values()].some(({ op, urn, id }) => op === "delete" && urn === change.urn && id !== change.id);
  const conflicts = now.flatMap((change): Conflict[] =>
    isAnew(change, then)
      ? [{ ...named(change), code: "another object" }]
      : againstReview(then.get(key(change)), change),
  );
  const gone = reviewed.filter((change) => !today.has(key(change)));
  const applied = gone.filter((change) => isApplied(change, recorded(change.urn)));
  const undone = gone.filter((change) => !applied.includes(change) && !isAnew(change, today));
  return {
    applied,
    conflicts: [
      ...conflicts,
      ...now.flatMap((change) => againstState(then.get(key(change)), change, recorded(change.urn))),
      ...now.flatMap((change) => changedSecrets(then.get(key(change)), change, secrets.get(change.urn) ?? [])),
      ...undone.map((change) => ({ ...named(change), code: "no longer planned" as const, op: change.op })),
    ],
  };
}

/** An object that a replacement leaves behind has a change of its own, beside another one of the same resource. */
function key({ urn, op, id = "" }: ReviewedChange): string {
  return op === "delete" ? `${urn}\0${id}` : urn;
}

function byUrn(changes: readonly ReviewedChange[]): Map<string, ReviewedChange> {
  return new Map(changes.map((change) => [key(change), change]));
}

function named({ urn, type, name }: ReviewedChange): Pick<Change, "urn" | "type" | "name"> {
  return { urn, type, name };
}

function againstReview(reviewed: ReviewedChange | undefined, change: ReviewedChange): Conflict[] {
  const of = named(change);
  if (reviewed === undefined) return [{ ...of, code: "not reviewed", op: change.op }];
  if (!mayBe(change, reviewed)) return [{ ...of, code: "another operation", reviewed: reviewed.op, op: change.op }];
  return change.fields.flatMap((field): Conflict[] => {
    const { path, old, new: wanted } = field;
    const before = fieldAt(reviewed, path);
    if (before === undefined) return [{ ...of, code: "not reviewed field", path, now: wanted }];
    if (!agree(before.new, wanted)) return [{ ...of, code: "another value", path, reviewed: before.new, now: wanted }];
    // A replacement starts from no value that a reader relied on.
    const isElsewhere = change.op === "update" && !agree(before.old, old);
    return isElsewhere ? [{ ...of, code: "another start", path, reviewed: before.old, now: old }] : [];
  });
}

/** Finds reviewed fields that are no longer planned, in a change that still is. Somebody has applied them, or the code has changed. */
function againstState(
  reviewed: ReviewedChange | undefined,
  change: ReviewedChange,
  state: RecordedSides | undefined,
): Conflict[] {
  if (reviewed === undefined || !KEEPS.has(change.op) || !KEEPS.has(reviewed.op)) return [];
  const left = reviewed.fields.filter(({ path, stays }) => stays !== true && fieldAt(change, path) === undefined);
  const undone = left.filter((field) => !isThere(field, state));
  return undone.map(({ path, new: wanted }) => ({ ...named(change), code: "another value", path, reviewed: wanted }));
}

/** Operations whose resource is the same before and after. */
const KEEPS: ReadonlySet<ChangeOp> = new Set(["update", "replace"]);

/** Finds secrets that would change otherwise than reviewed, and reviewed secrets that would no longer change. */
function changedSecrets(
  reviewed: ReviewedChange | undefined,
  change: ReviewedChange,
  keys: readonly string[],
): Conflict[] {
  const fields = [...(reviewed?.fields ?? []), ...change.fields];
  const planned = keys.filter((name) => fields.some(({ path }) => path[0] === name));
  return planned.map((name) => ({ ...named(change), code: "a secret", path: [name] }));
}

/** Tells if the review covers the operation. Doing less than was agreed to is no conflict. */
function mayBe({ op, stays }: ReviewedChange, reviewed: ReviewedChange): boolean {
  if (op === "replace") return reviewed.op === "replace" || reviewed.perhapsReplaced === true;
  if (op === "update") return reviewed.op === "update" || reviewed.op === "replace";
  return op === reviewed.op && (reviewed.stays === undefined || stays === reviewed.stays);
}

function fieldAt({ fields }: ReviewedChange, path: PropertyPath): ReviewedField | undefined {
  const wanted = formatPath(path);
  return fields.find((field) => formatPath(field.path) === wanted);
}

/** A value that is only known after an apply can't be compared, and engines compare secrets themselves. */
function agree(reviewed: Json | undefined, now: Json | undefined): boolean {
  return isOpen(reviewed) || isOpen(now) || same(reviewed, now);
}

function isOpen(value: unknown): boolean {
  if (typeof value === "string") return value === LATER || value.includes(SECRET);
  return typeof value === "object" && value !== null && Object.values(value).some(isOpen);
}

function isApplied(change: ReviewedChange, state: RecordedSides | undefined): boolean {
  if (change.op === "delete") return state === undefined;
  return state !== undefined && change.fields.every((field) => isThere(field, state));
}

function isThere({ path, new: wanted, stays }: ReviewedField, state: RecordedSides | undefined): boolean {
  if (stays === true) return true;
  const { declared, broughtAbout } = state ?? {};
  const [value, answered] = [declared, broughtAbout].map((side) => valueAt(side, path));
  if (wanted === undefined) return value === undefined || value === null;
  return agree(wanted, value as Json) || agree(wanted, answered as Json);
}

export function conflictText(conflict: Conflict): string {
  return `${titleOf(conflict)}: ${what(conflict)}`;
}

function what(conflict: Conflict): string {
  switch (conflict.code) {
    case "not reviewed":
      return `${OPERATIONS[conflict.op]} now, and the reviewed plan doesn't change it`;
    case "another object":
      return "the object was made anew since the plan was made, and the plan deletes the earlier one";
    case "another operation":
      return `${OPERATIONS[conflict.op]} now, and in the plan it ${OPERATIONS[conflict.reviewed]}`;
    case "no longer planned":
      return `in the plan it ${OPERATIONS[conflict.op]}, and the code no longer says so`;
    case "not reviewed field":
      return `${pathText(conflict.path)} would become ${side(conflict.now)}, and the reviewed plan doesn't change it`;
    case "another value":
      return values(conflict, (reviewed, now) => `would become ${now}, and the reviewed plan says ${reviewed}`);
    case "another start":
      return values(conflict, (reviewed, now) => `is ${now} now, and was ${reviewed} when the plan was made`);
    case "changed by hand":
      return values(conflict, (reviewed, now) => `is ${now} in the account, and was ${reviewed} after the last run`);
    case "gone":
      return "somebody has deleted it";
    case "edited in its draft":
      return `${pathText(conflict.path)} is edited in its draft, which nobody reviewed: ${editsText(conflict.edits)}`;
    case "edited since the review":
      return editedText(conflict);
    case "a secret":
      return `the secret ${pathText(conflict.path)} is not the one that was planned with`;
  }
}

function editedText({ path, now, edits }: Extract<Conflict, { code: "edited since the review" }>): string {
  if (path !== undefined) return `${pathText(path)} is ${side(now)} now, and nobody reviewed that`;
  if (edits !== undefined) return `its draft holds edits that nobody reviewed: ${editsText(edits)}`;
  return "it was edited or published again since, and nobody reviewed that";
}

const OPERATIONS: Record<ChangeOp, string> = {
  create: "is created",
  adopt: "is adopted",
  update: "is updated",
  replace: "is replaced",
  delete: "is deleted",
};

const LONGEST = 60;

function values({ path, reviewed, now }: FieldConflict, sentence: (reviewed: string, now: string) => string): string {
  const sides =
    reviewed === undefined || now === undefined
      ? { old: side(reviewed), new: side(now) }
      : valueSides(reviewed, now, LONGEST);
  return `${pathText(path)} ${sentence(sides.old, sides.new)}`;
}

function side(value: Json | undefined): string {
  return value === undefined ? "(none)" : valueText(value, LONGEST);
}

const MOST_NAMED = 20;

/** Today's plan, or its starting values, disagree with the review. */
export class PlanConflictError extends RefusedError {
  readonly conflicts: readonly Conflict[];
  /** The message without its next steps. */
  readonly what: string;
  constructor(about: string, conflicts: readonly Conflict[], next: string) {
    const lines = conflicts.slice(0, MOST_NAMED).map((conflict) => `  ${conflictText(conflict)}`);
    const more = conflicts.length - lines.length;
    const text = [`${about}:`, ...lines, ...(more > 0 ? [`  … and ${more} more`] : [])].join("\n");
    super(`${text}\n${next}`);
    this.conflicts = conflicts;
    this.what = text;
  }
}
