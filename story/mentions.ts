/** What goes with a plan, and what points to it. Pure. */
import type { Leaving, Mention, MentionsLook } from "../stack/report/going-live.ts";
import type { Report } from "../stack/report/model.ts";
import type { Row } from "./model.ts";
import { ATTENTION, OPS, titleOf } from "../stack/report/words.ts";
import { pathText } from "../stack/report/values.ts";

/** Those that nothing points to are counted; the others are told one by one. */
export function mentionRows({ leaving = [] }: Pick<Report, "leaving">): Row[] {
  return leaving
    .filter(({ mentions }) => mentions.length > 0)
    .map((one) => ({ text: leavingTitle(one), rows: one.mentions.map(mentionRow) }));
}

function leavingTitle({ type, name, url, to, gone }: Leaving): string {
  const what = titleOf({ type, name });
  if (url === undefined) return gone === true ? `${what} goes` : what;
  if (to !== undefined) return `${url} → ${to} (${what})`;
  return gone === true ? `${url} goes away (${what})` : `${url} (${what})`;
}

function mentionRow({ kind, urn, type, name, id, path, text, editUrl }: Mention): Row {
  const place = `${titleOf({ type, name })} ${pathText(path)}`;
  const quoted = text === undefined || kind === "follows" ? "" : `: "${text.replaceAll(/\s+/g, " ")}"`;
  const whose =
    kind === "undeclared"
      ? ` (${[id, urn === undefined ? "not this stack's" : "not declared"].filter(Boolean).join(", ")})`
      : "";
  return {
    mark: kind === "follows" ? OPS.update : ATTENTION,
    text: `${place}${whose} ${KINDS[kind]}${quoted}`,
    edit: kind === "undeclared" ? editUrl : undefined,
  };
}

const KINDS: Record<Mention["kind"], string> = {
  follows: "changes along",
  stays: "stays as the code says it",
  undeclared: "points there",
};

/** What was looked at and what was not: nothing is taken for absent that could not be asked for. */
export function lookedTexts({ leaving = [], looked = [] }: Pick<Report, "leaving" | "looked">): string[] {
  const unmentioned = leaving.filter(({ mentions }) => mentions.length === 0).length;
  const read = looked.filter(({ read: count, failed }) => count > 0 || failed === undefined);
  const where = read.map(({ what, read: count }) => `${count} ${what}`).join(", ");
  const none = unmentioned === 0 ? "" : nothingFound(unmentioned, leaving.length, looked);
  const told = [where === "" ? "" : `looked at in the account: ${where}`, none]
    .filter((text) => text !== "")
    .join("; ");
  return [...(told === "" ? [] : [told]), ...looked.flatMap(unlooked)];
}

function nothingFound(unmentioned: number, all: number, looked: readonly MentionsLook[]): string {
  const which = all === 1 ? "" : ` for ${unmentioned} of ${all}`;
  const isWhole = looked.every((one) => one.left === 0 && one.failed === undefined && one.perhapsMore !== true);
  return isWhole ? `nothing there points to it${which}` : `in that much nothing was found${which}`;
}

function unlooked({ what, left, failed, perhapsMore }: MentionsLook): string[] {
  const subject = what === "" ? "the account" : what;
  return [
    ...(failed === undefined
      ? []
      : [`${subject} could not all be asked, so something there may point to it: ${failed}`]),
    ...(failed === undefined && left > 0 ? [`not looked at: the texts of ${left} more ${what}`] : []),
    ...(perhapsMore === true ? [`there may be more ${what} than the service listed`] : []),
  ];
}
