/** Tells the funnels of a stack as visitors meet them: each page with its state, the last change and its picture. Pure. */
import type { LiveFunnel, LiveFunnels, LiveStep, Standing } from "../stack/report/shown.ts";
import { dateText, nameText } from "../stack/report/text.ts";
import { driftState } from "../stack/report/words.ts";
import { labelled } from "./pictures.ts";
import { ATTENTION, type Row, type RowMark, SEEN, type Section } from "./model.ts";

export function liveFunnelsIn({ all, missing, unread }: LiveFunnels): Section {
  return {
    id: "live",
    title: "Funnels as visitors meet them",
    rows: all.flatMap((flow) => [flowRow(flow), ...flow.steps.map((step, at) => pageRow(flow, step, at))]),
    notes: [
      ...(missing === undefined ? [] : [`There are no pictures: ${missing}.`]),
      ...(unread === undefined ? [] : [`Nobody knows who changed a page last: ${unread}.`]),
    ],
    of: "run",
  };
}

function flowRow({ name, stands, steps }: LiveFunnel): Row {
  return {
    mark: markOf(stands),
    text: nameText(name),
    steps: steps.map((step) => ({
      title: titleOf(step),
      kind: step.pageType,
      ...(step.stands !== undefined && step.stands !== "live" && { mark: markOf(step.stands) }),
    })),
  };
}

function pageRow({ name }: LiveFunnel, step: LiveStep, at: number): Row {
  const { url, stands, changed, picture, pageType } = step;
  const { after, width = 0, height = 0, notes = [] } = picture ?? {};
  return {
    mark: stands && markOf(stands),
    text: `${nameText(name)}, step ${at + 1} (${pageType}): ${titleOf(step)}`,
    link: url,
    notes: [
      ...(changed === undefined ? [] : [`last changed ${dateText(changed.at)} by ${changed.by}, run ${changed.run}`]),
      ...notes,
    ],
    ...(after !== undefined && {
      pictures: [{ label: labelled("on a phone", picture ?? {}), png: after, width, height }],
    }),
  };
}

function titleOf({ title, to }: LiveStep): string {
  return nameText(title ?? to ?? "a page that is gone");
}

function markOf(stands: Standing): RowMark {
  return stands === "live" ? { ...SEEN, word: "live" } : { ...ATTENTION, word: standingText(stands) };
}

function standingText(stands: Exclude<Standing, "live">): string {
  if (stands === "edited") return "live, with unpublished edits by somebody else";
  return stands === "draft" ? "a draft: no visitor gets it" : driftState({ kind: stands });
}
