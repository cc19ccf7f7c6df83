/** The words for the codes of a report. Pure. */
import type { ChangeOp, Pending, Reason, Stay, TouchedFunnel } from "../stack/report/model.ts";
import { firstLine, nameText } from "./text.ts";
import { pathText } from "./path-text.ts";

export function reasonText(reason: Reason): string {
  switch (reason.code) {
    case "adopts":
      return "takes over the existing object; of these fields, only what differs there is sent";
    case "carries on":
      // The whole of it was told by the run that failed.
      if (reason.after !== undefined) return `carries on after: ${firstLine(reason.after, LONGEST_REASON)}`;
      return "carries on with what an earlier run left unfinished";
    case "publishes":
      return "publishes what changes of its pages, all or none";
    case "publishes edits":
      return `publishes ${namesText(reason.paths.map(pathText))}: its draft says so already`;
    case "stays":
      return STAYS[reason.stay];
    case "old stays":
      return oldText(reason);
    case "adopts instead":
      return `takes over the existing ${reason.id} in its place and brings it to all that is declared; ${oldText(reason)}`;
    case "given back":
      return "had been taken over: it gets back what it had, and stays in the account";
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

const MOST_NAMES = 3;

function namesText(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  const told = names.slice(0, MOST_NAMES).map(nameText).join(", ");
  return more > 0 ? `${told} and ${more} more` : told;
}

const LONGEST_REASON = 120;

const STAYS: Record<Stay, string> = {
  "in place": "stays in the account, and is no longer managed",
  retired: "stays in the account, emptied and marked as retired: the API can't delete funnels",
};

export function funnelText({ op, pages }: TouchedFunnel): string {
  if (op !== undefined) return HAPPENS[op];
  return pages.map((page) => `${nameText(page.name)} ${HAPPENS[page.op]}`).join(", ");
}

const HAPPENS: Record<ChangeOp, string> = {
  create: "is new",
  adopt: "is taken over",
  update: "changes",
  replace: "is replaced",
  delete: "goes away",
};

export function outcomeText({ outcome }: Pending): string {
  return OUTCOMES[outcome];
}

const OUTCOMES: Record<Pending["outcome"], string> = {
  create: "looked for, and created or carried on with",
  adopt: "taken over",
  update: "done again",
  replace: "replaced",
  delete: "deleted",
  later: "the next up looks into it",
  settled: "it is as it should be",
  "not looked into": "not looked into by this run",
};

/** Of addresses that change hands. */
export const FOR_A_MOMENT = "each is down for a moment";

/** Of a field that is no longer declared. */
export const STAYS_AS_IT_IS = "stays as it is, and is no longer managed";
