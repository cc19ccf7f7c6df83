/** What a person should check before, or after: what failed, what is warned of, and others' work that is in the way. Pure. */
import { editsText, editText, isWrittenOver } from "../provider/messages/foreign-edits.ts";
import { isSeen, outcomeText } from "../provider/seen/seen-live.ts";
import type { AlsoLive, DraftOfOthers, HeldBack } from "../stack/report/going-live.ts";
import type { Report } from "../stack/report/model.ts";
import { nameText } from "../stack/report/text.ts";
import type { Finding } from "./model.ts";
import { valueText } from "../stack/report/short-values.ts";
import { goingLiveText, pendingText, titleOf } from "../stack/report/words.ts";

export function findingsOf(report: Report): Finding[] {
  const { failures, warnings, impact, held = [], public: visited = [], drafts = [] } = report;
  return [
    ...failures.map(({ message, cause, source, guide, urn }) =>
      failed(message, { name: cause, source, guide, of: urn }),
    ),
    ...warnings.map((text) => warning(text)),
    ...(impact?.alsoLive ?? []).flatMap((one) =>
      along(one).map((one) =>
        about(
          one.asItIs === true
            ? `${titleOf(one)} is taken over as it is published, and someone else's unpublished edits stay in its draft`
            : `Would also go live with ${titleOf(one)}, and is not this program's (${goingLiveText(one)})`,
          one,
        ),
      ),
    ),
    ...(impact?.alsoLive ?? []).flatMap((one) =>
      over(one).map((one) =>
        about(`Would be written over on ${titleOf(one)}, where somebody has changed it (${goingLiveText(one)})`, one),
      ),
    ),
    ...(impact?.alsoGoes ?? []).map((one) =>
      about(`Also deleted in the draft of ${titleOf(one)}, and not public (undo brings back its texts)`, one),
    ),
    ...held.map((one) => ({ ...warning(heldText(one)), of: one.urn })),
    ...visited.flatMap((one) =>
      isSeen(one) ? [] : [warning([`${titleOf(one)}: ${outcomeText(one)}  `, { link: one.url }])],
    ),
    ...undoneFindings(report),
    ...pendingFindings(report),
    ...drafts.map((one) => ({
      ...note(`${titleOf(one)} has a draft with edits of others, which no publication has brought out yet`),
      items: one.edits.map(editText),
    })),
    ...(report.unmanaged ?? []).map(note),
    ...report.notes.map((text) => ({ ...note(text), isEarly: true as const })),
  ];
}

function along(one: AlsoLive): AlsoLive[] {
  const edits = one.edits.filter((edit) => !isWrittenOver(edit));
  return edits.length === 0 ? [] : [{ ...one, edits }];
}

function over(one: AlsoLive): AlsoLive[] {
  const edits = one.edits.filter(isWrittenOver);
  return edits.length === 0 ? [] : [{ ...one, edits }];
}

function failed(text: string, more: Pick<Finding, "name" | "source" | "guide" | "of">): Finding {
  const { source, ...rest } = more;
  return { weight: "failure", text, ...rest, ...(source !== undefined && !text.includes(source) && { source }) };
}

function warning(text: Finding["text"]): Finding {
  return { weight: "warning", text };
}

function note(text: string): Finding {
  return { weight: "note", text };
}

function about(text: string, { urn, edits }: DraftOfOthers): Finding {
  return { ...warning(text), items: edits.map(editText), of: urn };
}

function heldText({ heldBy, edits, ...one }: HeldBack): string {
  if (heldBy === undefined)
    return `${titleOf(one)} is not published: its draft has someone else's unpublished edits: ${editsText(edits)}`;
  const names = heldBy.map(nameText).join(", ");
  return `${titleOf(one)} is not published: ${names}, in the same release, ${heldBy.length === 1 ? "has" : "have"} someone else's unpublished edits`;
}

function undoneFindings({ undone }: Report): Finding[] {
  if (undone === undefined) return [];
  const { id, command, by, at, conflicts, lost } = undone;
  const when = `${at.slice(0, 16).replace("T", " ")} UTC`;
  return [
    note(`the changes of run ${id} (${command} by ${by}, ${when}) are taken back`),
    ...conflicts.map(({ field, why, now, ...one }) => {
      const place = field === undefined ? "" : ` ${nameText(field)}`;
      const value = now === undefined ? "" : `; it is ${valueText(now)} now`;
      return warning(`Changed since, left alone: ${titleOf(one)}${place}: ${why}${value}`);
    }),
    ...lost.map((one) => warning(`Can't come back: ${titleOf(one)}: ${one.text}`)),
  ];
}

function pendingFindings({ pending }: Report): Finding[] {
  return pending.map((one) => note(`interrupted earlier: ${one.operation} ${nameText(one.urn)}: ${pendingText(one)}`));
}
