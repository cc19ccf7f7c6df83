/** What is said of what creations have left, before and after it is looked for. Pure. */
import type { Entry } from "../../provider/ledger/entry.ts";
import { noticeText } from "../../provider/messages/notices.ts";
import { perhapsOrphaned } from "../../provider/reconcile/leftovers.ts";

/** Something that a creation left. */
interface Named {
  readonly entry: Entry;
  readonly definition: { readonly kind: string };
  readonly id: string;
  readonly name: string;
}

export function notLookedFor(entries: readonly Entry[], error: unknown): string {
  const names = [...new Set(entries.map(({ name }) => name))].join(", ");
  const why = error instanceof Error ? error.message : String(error);
  return `A killed run was creating ${names}, and what it left could not be looked for: ${why} Look in the app for names that end in "[lf-…]", and delete those.`;
}

export function notSoughtText({ kind, name }: Entry, why: unknown): string {
  const because = why instanceof Error ? why.message : String(why);
  return `An object that a killed run may have made of ${kind} "${name}" could not be looked for: ${because}`;
}

export function unfoundText({ kind, name }: Entry): string {
  return (
    `It is not known whether a former run created ${kind} "${name}" (the answer was lost), and no list shows it. ` +
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

export function orphanedText(entry: Entry): string {
  return noticeText(perhapsOrphaned(entry));
}

export function copyText({ kind }: Entry, id: string, name: string): string {
  return noticeText({ code: "perhaps-a-copy", kind, id, name });
}
