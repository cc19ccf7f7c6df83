/** The commands that help next after a run, by its outcome. Pure. */
import { type IntentKind, verbOf } from "../intents.ts";
import { IntegrityError, JournalCorruptError, JournalMismatchError } from "../../engine/index.ts";
import { LockedError, RefusedImportError } from "../../engine/index.ts";
import { listed } from "../../provider/values/wording.ts";
import { isWrittenOver } from "../../provider/messages/foreign-edits.ts";
import { isContested, whoMoved } from "../report/drift.ts";
import type { Advice, Drift, DriftField, HeldBack, Report } from "../report/model.ts";
import { same } from "../../provider/values/json.ts";
import { isHidden, nameText } from "../report/text.ts";
import { pathText } from "../report/values.ts";

function one(command: string, reason: string, ...given: string[]): Advice {
  return { command, arguments: given, reason };
}

export const UNLOCKS = one("state unlock", "frees the stack, if that run is gone.");

const SETS_ASIDE = [
  one("state unlock", "sets the journal aside in the backups folder."),
  one("refresh", "then shows what the interrupted run had done."),
];

/** The most special errors come first. */
const AFTER_ERRORS: readonly (readonly [abstract new (...args: never[]) => Error, readonly Advice[]])[] = [
  [LockedError, [UNLOCKS]],
  [JournalCorruptError, SETS_ASIDE],
  [JournalMismatchError, SETS_ASIDE],
  [RefusedImportError, [one("state export", "writes a state that can be imported.")]],
  [IntegrityError, [one("state export", "writes it for an editor."), one("state import", "takes it back.")]],
];

/** The engine names no commands: its error tells which ones help. */
export function afterError(error: unknown): readonly Advice[] {
  return AFTER_ERRORS.find(([kind]) => error instanceof kind)?.[1] ?? [];
}

/** A refused plan needs no advice: its finding names the option that allows it. `refresh`: the plan has looked at the account first. */
export function afterPreview(
  { changes, counts, findings }: Report,
  { refresh }: { refresh?: true | undefined } = {},
): Advice[] {
  if (findings.some(({ weight }) => weight === "hold")) return [];
  const { held, same: _, ...others } = counts;
  if (held === 0 || Object.values(others).some((count) => count > 0))
    return [one("up", "applies it.", ...(refresh === true ? ["--refresh"] : []))];
  const isDrafted = changes.some((change) => change.held === "draft");
  const does = isDrafted ? "writes the drafts, and publishes nothing" : "changes nothing";
  return [one("up", `${does} until somebody decides about the edits in the app.`)];
}

/** Somebody's edits may be kept, and the code's values may be put back. */
export function afterDrift({ drift = [] }: Report): Advice[] {
  const isEdited = drift.some(({ kind }) => kind === "changed");
  const isGone = drift.some(({ kind }) => kind === "gone");
  if (!isEdited && !isGone) return [one("up", "applies it.")];
  const fields = drift.flatMap((one) => (one.kind === "changed" ? one.fields : []));
  if (!isGone && fields.length > 0 && fields.every((field) => whoMoved(field) === "both"))
    return [one("up", "writes the code's values over them.", "--refresh", "--foreign-edits", "include")];
  const back = one("up", isEdited ? "writes the code's values back." : "makes it again.", "--refresh");
  return isEdited ? [...taking(drift), back] : [back];
}

/** A value that the report hides, or that code and app changed differently, is written by nobody but a person. */
function taking(drift: readonly Drift[]): Advice[] {
  const edits = drift.flatMap(({ kind, type, name, fields }) =>
    (kind === "changed" ? fields : [])
      .filter((field) => whoMoved(field) !== "code" && !same(field.code, field.live))
      .map((field) => ({ what: `${type} ${nameText(name)} ${pathText(field.path)}`, why: whyLeft(field) })),
  );
  const taken = edits.filter(({ why }) => why === undefined).map(({ what }) => what);
  const left = edits.flatMap(({ what, why }) => (why === undefined ? [] : [`${what} (${why})`]));
  if (left.length === 0) return [one("drift", "takes the edits into the code.", "--write")];
  const says = `takes ${listed(taken, 3)} into the code, and leaves ${listed(left, 3)} to you.`;
  return taken.length === 0 ? [] : [one("drift", says, "--write")];
}

function whyLeft(field: DriftField): string | undefined {
  if (isHidden(field.live)) return "a secret";
  return isContested(field) ? "changed in both" : undefined;
}

/** `kind`: the intent of the plan that was carried out. `drafts`: the pages whose drafts have a person's edits again. */
export function nextSteps(report: Report, kind: IntentKind, drafts: readonly string[] = []): Advice[] {
  // Another run has the stack.
  if (report.failures.some(({ cause }) => cause === "locked")) return [];
  if (kind === "env up") return ofEnvironment(report);
  const verb = verbOf({ kind });
  if (verb === "undo") return ofRun(report, "undo", [one("undo", againAfter(drafts))]);
  return verb === "up" ? ofRun(report, "up", settled(report)) : [];
}

/** An undo refuses as long as a draft has edits that the undone run didn't find. */
function againAfter(drafts: readonly string[]): string {
  if (drafts.length === 0) return "makes the change again.";
  const which = `${drafts.length === 1 ? "draft" : "drafts"} of ${listed(drafts, 3)}`;
  return `makes the change again, once somebody has taken back the edits that this undo put into the ${which}.`;
}

function ofEnvironment({ result, stack }: Report): Advice[] {
  if (result === "succeeded") return [];
  return [
    one("env up", "carries on where this one stopped."),
    one("env down", "takes away what is there.", stack.slice(stack.lastIndexOf("/") + 1)),
  ];
}

function ofRun({ result, failures, held = [] }: Report, again: string, done: Advice[]): Advice[] {
  if (failures.length > 0 && failures.every(({ cause }) => cause === "unseen")) return [];
  if (result !== "succeeded") return [one(again, "carries on where this one stopped.")];
  if (held.length === 0) return done;
  return [published(held, again)];
}

function published(held: readonly HeldBack[], again: string): Advice {
  if (held.every(({ goes }) => goes === true))
    return one(again, "replaces what was held back, once somebody has published or undone those edits.");
  if (!held.every(({ edits }) => edits.every(isWrittenOver)))
    return one(again, "publishes what was held back, once somebody has published or undone those edits.");
  const does = held.every(({ noDraft }) => noDraft === true) ? "writes" : "publishes";
  return one(again, `${does} what was held back, once the code and the app agree on those values.`);
}

/** Its key may have been revoked, and the account may have changed. */
const UNASKED = "Without --refresh, an up that changes nothing does not ask the account.";

function settled({ counts: { same, create, adopt, update, held, replace, delete: deleted, left } }: Report): Advice[] {
  const stand = create + adopt + update + held + replace;
  if (same + stand === 0) return [];
  if (stand + deleted + left === 0) return [one("drift", `compares the account with the code. ${UNASKED}`)];
  return [
    one("drift", "shows what people change in the app from now on."),
    one("undo", "takes this run back; it shows a plan first."),
  ];
}
