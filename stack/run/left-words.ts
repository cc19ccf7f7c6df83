/** What is said of what a killed run may have left, and nobody can show. Pure. */
import { nameOf as urnName } from "../../engine/index.ts";
import type { AnyDefinition } from "../../provider/definition/define.ts";
import type { LostCreation, OpenQuestion, SoughtCreation } from "../../provider/reconcile/creation-record.ts";
import { UnconfirmedAbsenceError } from "../../provider/messages/errors.ts";
import { noticeText } from "../../provider/messages/notices.ts";
import type { StateResource } from "../engines/recorded.ts";

/** What its id no longer shows, and a list does, need not be told. */
export function notSought(one: SoughtCreation | undefined, why: unknown): string[] {
  if (one === undefined || why instanceof UnconfirmedAbsenceError) return [];
  const because = why instanceof Error ? why.message : String(why);
  return [`What a killed run may have made of ${one.kind} "${one.called}" could not be looked for: ${because}`];
}

export function unfound({ kind, called }: LostCreation): string {
  return (
    `It is not known whether a former run created ${kind} "${called}" (the answer was lost), and no list shows it. ` +
    `If the app shows a ${kind} whose name ends in "[lf-…]", delete it there.`
  );
}

export function perhapsOrphaned({ kind }: AnyDefinition, { urn }: StateResource): string {
  return noticeText({ code: "perhaps-orphaned", kind, id: "", name: `${kind} "${urnName(urn)}"` });
}

export function questionText({ kind, called: name, sketch, at }: OpenQuestion): string {
  return noticeText({ code: "perhaps-orphaned", kind, id: "", name, sketch, at });
}

export function perhapsACopy({ definition: { kind }, id, name }: PerhapsLeft): string {
  return noticeText({ code: "perhaps-a-copy", kind, id, name });
}

interface PerhapsLeft {
  readonly definition: AnyDefinition;
  readonly id: string;
  readonly name: string;
}
