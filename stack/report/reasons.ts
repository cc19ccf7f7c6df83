/** Words why a change is made or held back, and what becomes of it. Pure. */
import { isWrittenOver } from "../../provider/messages/foreign-edits.ts";
import { listed } from "../../provider/values/wording.ts";
import type { AlsoLive, Failure, Pending, Reason, Stay, TouchedFunnel } from "./model.ts";
import { firstLine, nameText } from "./text.ts";
import { pathText } from "./values.ts";
import { markOf, OPS, titleOf } from "./words.ts";

export function reasonText(reason: Reason): string {
  switch (reason.code) {
    case "adopts":
      if (reason.along === true) return "takes over the existing object, and publishes it with the edits in its draft";
      return reason.asItIs === true
        ? "takes over the existing object as it is"
        : "takes over the existing object; the run sends only the fields that differ there";
    case "carries on":
      // The failed run has told the whole message.
      if (reason.after !== undefined) return `carries on after: ${firstLine(reason.after, LONGEST_REASON)}`;
      return reason.inputs === undefined
        ? "an earlier run ended before this was done: the run looks at it again"
        : `applies ${reason.inputs.join(", ")} again: an earlier run ended before that was done`;
    case "deleted in the app":
      return "was deleted in the app; removed from the state";
    case "publishes held":
      return "publishes the page, which an earlier run held back because of edits in the app";
    case "takes edits":
      return `records ${listed(reason.inputs)} as the code has it: somebody made the same edit in the app, and nothing is sent`;
    case "publishes":
      return "publishes the changed pages together, or none of them";
    case "publishes edits":
      return `publishes ${namesText(reason.paths.map(pathText))}, which the draft has already`;
    case "pages stay":
      return reason.some === true ? "its other pages stay public" : "its pages stay public";
    case "stays":
      return STAYS[reason.stay];
    case "old stays":
      return oldText(reason);
    case "adopts instead":
      return `takes over the existing ${reason.id} in its place and gives it all values of the code; ${oldText(reason)}`;
    case "given back":
      return "had been taken over: it gets its old values back, and stays in the account";
    case "reuses":
      return `reuses the retired ${reason.id}, since the service can't delete it`;
    case "left behind by a replacement":
      return "an earlier replacement left it behind";
    case "may follow":
      return `may change with ${namesText(reason.from)}: only the run can tell`;
    case "perhaps replaced":
      return `replaced if ${differing(reason.fields)}: only the run can tell. Everything that refers to it then changes, too`;
    case "perhaps refused":
      return `refused if ${differing(reason.fields)}: only the run can tell`;
  }
}

function oldText({ stay, movesAside, takenBy }: { stay?: Stay; movesAside?: true; takenBy?: string }): string {
  if (takenBy !== undefined) return `${nameText(takenBy)} takes over the old one`;
  if (stay === undefined) return "the old one is deleted";
  return `the old one ${STAYS[stay]}${movesAside ? "; it moves to another address beside the old one" : ""}`;
}

function differing(fields: readonly string[]): string {
  return `${fields.join(", ")} ${fields.length === 1 ? "differs" : "differ"}`;
}

function namesText(names: readonly string[]): string {
  return listed(names.map(nameText), 3);
}

const LONGEST_REASON = 400;

const STAYS: Record<Stay, string> = {
  "in place": "stays in the account, and Landform no longer manages it",
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
  if (one.makesWay === true) return makingWayText(one);
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
  const along = isOver ? "They are written over" : "They are published with it";
  if (policy === "include") return { text: `${found}. ${isBoth ? OVER_AND_ALONG : along}` };
  const ours = noDraft === true ? "write over them" : "publish your text and lose theirs";
  const others = isBoth ? " (their other edits go public, too)" : "";
  const theirs = isOver
    ? `Somebody has edited values in the app that the code changes${beside}`
    : "Somebody has unpublished edits in its draft";
  return {
    text: `${noDraft === true ? `Landform leaves values of ${title} alone` : heldText(one)}. ${theirs}`,
    guide: `To ${isOver ? `${ours}${others}` : "publish their edits and yours"}, use --foreign-edits include`,
  };
}

/** Words the outlook for edits that go with a replaced object. */
function goingText(one: AlsoLive): { text: string; guide?: string } {
  if (one.policy === "include") return { text: alsoDeletedText(one) };
  const [leaves, are] = one.stays === true ? ["leave", "stay behind in"] : ["delete", "be deleted with"];
  const gone = `which would ${are} the old page`;
  if (one.policy === "ask")
    return { text: `Somebody has unpublished edits in ${titleOf(one)}, ${gone}. up asks about them` };
  return {
    text: `${heldText(one)}. Somebody has unpublished edits in its draft, ${gone}`,
    guide: `To replace the page and ${leaves} their edits, use --foreign-edits include`,
  };
}

/** Words the outlook for edits in a page that the plan deletes after another one has come to its address. */
function makingWayText(one: AlsoLive): { text: string } {
  const name = titleOf(one);
  const [publishes, until] =
    one.policy === "include" ? ["publishes", ", and visitors can read them until then"] : ["would publish", ""];
  return {
    text: `Another page takes the address of ${name}. Landform ${publishes} ${name} at another address until it deletes it. Somebody has unpublished edits in its draft${until}`,
  };
}

export function alsoDeletedText({ lost, ...one }: Pick<AlsoLive, "type" | "name" | "lost">): string {
  const undo = lost === undefined ? "undo brings the texts back" : `undo can't make the page again: ${lost}`;
  return `Unpublished edits in the draft of ${titleOf(one)} are deleted, too (${undo})`;
}

const OVER_AND_ALONG = "The first are written over, and the others are published with it";

function heldText({ released, url, ...one }: AlsoLive): string {
  const stays = url === undefined ? "visitors see nothing of its changes" : "visitors keep seeing the current page";
  return `Landform holds back ${titleOf(one)}${released === true ? " and its whole release" : ""}, and ${stays}`;
}

export function pendingText({ outcome }: Pending): string {
  return OUTCOMES[outcome];
}

const OUTCOMES: Record<Pending["outcome"], string> = {
  create: "this run looks for it, and creates it or goes on with it",
  adopt: "this run takes it over",
  update: "this run does that again",
  replace: "this run replaces it",
  delete: "this run deletes it",
  later: "the next up finishes it",
  settled: "it is as it should be",
  "not looked into": "this run does not look into it",
};

/** For a hold that stopped the apply. */
export function allowText({ allowed }: Pick<Failure, "allowed">): string | undefined {
  return allowed && `Nothing was sent. If that is what you want, allow it: ${allowed}.`;
}
