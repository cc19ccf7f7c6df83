/** Tells pages as visitors meet them: those of a preview environment beside the public ones, and the steps of funnels. Pure. */
import { counted } from "../provider/values/wording.ts";
import type { LiveFunnel, LiveFunnels, LiveStep, PagePicture, Pictures, Standing } from "../stack/report/shown.ts";
import { dateText, nameText } from "../stack/report/text.ts";
import { driftState } from "../stack/report/words.ts";
import { ATTENTION, SEEN, type Picture, type Row, type RowMark, type Section } from "./model.ts";

const SCREENS: Record<PagePicture["screen"], string> = { phone: "on a phone", desktop: "on a desktop" };

export function picturesIn(pictures: Pictures): Section {
  const { unchanged, taken } = pictures;
  return {
    id: "pictures",
    title: "How pages look",
    rows: taken.map((one) => ({ ...rowOf(one), fold: foldOf(one, taken) })),
    notes: [
      ...lookNotes(pictures),
      ...(unchanged === 0 ? [] : [`The code does not change ${counted(unchanged, "other page")}.`]),
    ],
    of: "run",
  };
}

const FROM_CODE =
  "The preview is made from the code. A text that somebody published in the app and that the code does not declare looks changed here, and a merge leaves it as it is. A preview that is made anew with --seed has it.";

/** Says what a picture doesn't show, and why a changed page has none. */
export function lookNotes({ alike, missing, fromCode }: Pick<Pictures, "alike" | "missing" | "fromCode">): string[] {
  return [
    ...(fromCode === true ? [FROM_CODE] : []),
    ...(alike === 0 ? [] : [`${counted(alike, "changed page")} ${alike === 1 ? "looks" : "look"} as before.`]),
    ...(missing === undefined ? [] : [`There are no pictures: ${missing}.`]),
  ];
}

function rowOf(picture: PagePicture): Row {
  const { kind, url, baseUrl, notes } = picture;
  const about = { link: url, notes: [...notes, ...(baseUrl === undefined ? [] : [`now: ${baseUrl}`])] };
  const text = pictureText(picture);
  if (kind === "failed") return { ...about, mark: ATTENTION, text: `${text}: no picture` };
  if (kind === "alike") return { ...about, mark: ATTENTION, text: `${text}: ${lookText(picture)}` };
  return { ...about, text: `${text}: ${lookText(picture)}`, pictures: picturesFrom(picture) };
}

/** The most rows of a picture that stands open beside others: a screen. */
const SCREENFUL = 800;

/** Returns the words for a tall picture that has to make room for others. */
export function foldOf(picture: Tall, all: readonly Tall[]): string | undefined {
  const { height = 0 } = picture;
  const isAlone = all.every((one) => one === picture || one.height === undefined);
  return isAlone || height <= SCREENFUL ? undefined : `Picture, ${height} pixels tall`;
}

type Tall = Pick<PagePicture, "height">;

export function pictureText({ title, name, screen }: Pick<PagePicture, "title" | "name" | "screen">): string {
  return `${nameText(title ?? name)}, ${SCREENS[screen]}`;
}

export function screenText({ screen }: Pick<PagePicture, "screen">): string {
  return SCREENS[screen];
}

/** A reader of the text alone learns how much differs. */
export function lookText({ kind, share = 0 }: Pick<PagePicture, "kind" | "share">): string {
  if (kind === "new") return "a new page";
  if (kind === "alike") return "looks as before";
  const percent = share * 100;
  return `${percent < 0.1 ? "less than 0.1" : percent < 10 ? percent.toFixed(1) : Math.round(percent)} % differs`;
}

/** Where there is no picture, this is no news. */
export const GOES_ON = "the page goes on below this part";

function labelled(label: string, { goesOn }: Pick<PagePicture, "goesOn">): string {
  return goesOn === true ? `${label} (${GOES_ON})` : label;
}

function picturesFrom(picture: PagePicture): Picture[] {
  const { before, after, width = 0, height = 0 } = picture;
  return [
    { label: "before", png: before },
    { label: "after", png: after },
  ].flatMap(({ label, png }) => (png === undefined ? [] : [{ label: labelled(label, picture), png, width, height }]));
}

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
      title: stepTitle(step),
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
    text: `${nameText(name)}, step ${at + 1} (${pageType}): ${stepTitle(step)}`,
    link: url,
    notes: [
      ...(changed === undefined ? [] : [`last changed ${dateText(changed.at)} by ${changed.by}, run ${changed.run}`]),
      ...notes,
    ],
    ...(after !== undefined && {
      pictures: [{ label: labelled(SCREENS.phone, picture ?? {}), png: after, width, height }],
    }),
  };
}

function stepTitle({ title, to }: LiveStep): string {
  return nameText(title ?? to ?? "a page that is gone");
}

function markOf(stands: Standing): RowMark {
  return stands === "live" ? { ...SEEN, word: "live" } : { ...ATTENTION, word: standingText(stands) };
}

function standingText(stands: Exclude<Standing, "live">): string {
  if (stands === "edited") return "live, with unpublished edits by somebody else";
  return stands === "draft" ? "a draft: no visitor gets it" : driftState({ kind: stands });
}
