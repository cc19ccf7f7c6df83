/** Decides about drafts with edits of others: by the option, by the review, or by a person who has just seen them. */
import { covers, type ForeignEditsPolicy } from "../../provider/messages/foreign-edits.ts";
import { identityFor } from "../../provider/ledger/identity.ts";
import type { JsonMap } from "../../provider/values/json.ts";
import type { RunRequest } from "../engines/contract.ts";
import type { AlsoLive, Report } from "../report/model.ts";
import { type Told, wantedOf } from "../report/steps.ts";
import type { Drafts, Intent } from "../review/plan.ts";
import type { Ran, StackSession } from "../run/session.ts";
import { policiesOf } from "./planned.ts";

export function draftsIn(
  { impact }: Pick<Report, "impact">,
  { preview }: Pick<Ran, "preview">,
  intent: Intent,
): Drafts {
  if (intent.foreignEdits !== undefined) return { said: { option: intent.foreignEdits }, asked: {} };
  const { alsoLive: all = [] } = impact ?? {};
  // A yes doesn't cover a draft that has changed since the review.
  const byId = (which: (one: AlsoLive) => boolean): Record<string, string> =>
    Object.fromEntries(all.filter(which).map((one) => [idAsked(one, preview.told.get(one.urn)), one.digest]));
  const reviewed = byId((one) => isReviewed(one, intent));
  return {
    said: Object.keys(reviewed).length === 0 ? {} : { reviewed },
    asked: byId(({ policy }) => policy === "ask"),
  };
}

export function isReviewed(
  { urn, digest }: Pick<AlsoLive, "urn" | "digest">,
  { foreignEdits, saved }: Intent,
): boolean {
  return foreignEdits === undefined && covers(saved?.includes?.[urn], digest);
}

/** Returns the id of the page that the edits are in. */
function idAsked({ goes }: AlsoLive, told: Told | undefined): string {
  if (goes === true) return told?.id ?? "";
  return objectAfter(wantedOf(told)?.inputs ?? {}, told?.id ?? "");
}

/** Returns the id of the object that the resource is to have. It is another one than now if the code takes an object over. */
export function objectAfter({ adoptId }: JsonMap, id: string): string {
  return typeof adoptId === "string" ? adoptId : id;
}

/** Returns the policy of the option, the resource or the stack; undefined if none has one. */
export function policyInForce(
  { folder }: StackSession,
  inputs: JsonMap,
  intent: Intent,
): ForeignEditsPolicy | undefined {
  const own = inputs["onForeignEdits"];
  const { option, stack } = policiesOf(folder, intent);
  return option ?? (own === "hold" || own === "include" ? own : undefined) ?? stack;
}

export function policyFor(session: StackSession, inputs: JsonMap, intent: Intent): AlsoLive["policy"] {
  const policy = policyInForce(session, inputs, intent);
  return policy ?? (asksIn(session, intent) ? "ask" : "hold");
}

function asksIn({ teller }: StackSession, { yes, saved }: Intent): boolean {
  return teller.interactive && yes !== true && saved === undefined;
}

/** Returns the choice for the plan itself. A review tells the resource and not yet the object. */
export function draftsToPlan(session: StackSession, intent: Intent): RunRequest["foreignEdits"] {
  const { foreignEdits: option, saved } = intent;
  const includes = Object.entries(saved?.includes ?? {}).map(([urn, digest]) => [identityFor(urn), digest]);
  return {
    option,
    ...(includes.length > 0 && { reviewed: Object.fromEntries(includes) as Record<string, string> }),
    ...(asksIn(session, intent) && { asking: true }),
  };
}
