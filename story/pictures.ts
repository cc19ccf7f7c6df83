/** Tells the pages of a preview environment as they look beside the public ones. Pure. */
import { counted } from "../provider/values/wording.ts";
import type { PagePicture, Pictures } from "../stack/report/model.ts";
import { nameText } from "../stack/report/text.ts";
import { ATTENTION, type Picture, type Row, type Section } from "./model.ts";

const SCREENS: Record<PagePicture["screen"], string> = { phone: "on a phone", desktop: "on a desktop" };

export function picturesIn({ unchanged, alike, taken, missing }: Pictures): Section {
  return {
    id: "pictures",
    title: "How pages look",
    rows: taken.map(rowOf),
    notes: [
      ...(alike === 0 ? [] : [`${counted(alike, "changed page")} ${alike === 1 ? "looks" : "look"} as before.`]),
      ...(unchanged === 0 ? [] : [`The code does not change ${counted(unchanged, "other page")}.`]),
      ...(missing === undefined ? [] : [`There are no pictures: ${missing}.`]),
    ],
    of: "run",
  };
}

function rowOf(picture: PagePicture): Row {
  const { title, name, kind, screen, url, baseUrl, notes } = picture;
  const about = { link: url, notes: [...notes, ...(baseUrl === undefined ? [] : [`now: ${baseUrl}`])] };
  const text = `${nameText(title ?? name)}, ${SCREENS[screen]}`;
  if (kind === "failed") return { ...about, mark: ATTENTION, text: `${text}: no picture` };
  return { ...about, text: `${text}: ${lookText(picture)}`, pictures: picturesFrom(picture) };
}

/** A reader of the text alone learns how much differs. */
function lookText({ kind, share = 0 }: PagePicture): string {
  if (kind === "new") return "a new page";
  const percent = share * 100;
  return `${percent < 0.1 ? "less than 0.1" : percent < 10 ? percent.toFixed(1) : Math.round(percent)} % differs`;
}

function picturesFrom({ before, after, width = 0, height = 0 }: PagePicture): Picture[] {
  return [
    { label: "before", png: before },
    { label: "after", png: after },
  ].flatMap(({ label, png }) => (png === undefined ? [] : [{ label, png, width, height }]));
}
