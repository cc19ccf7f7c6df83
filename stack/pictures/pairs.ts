/** Takes the pictures of a preview's pages beside those of its base. A page without one is told with the reason, and fails nothing. */
import { availableParallelism } from "node:os";
import type { Browser } from "playwright-core";
import type { PublicPages } from "../../provider/api/public-page.ts";
import { counted, reasonOf } from "../../provider/values/wording.ts";
import type { PagePicture, Pictures } from "../report/shown.ts";
import { beginningOf, differenceOf } from "./compare.ts";
import { type Screen, type Shot, takeShot, WIDTHS } from "./shot.ts";
import { Tab } from "./tab.ts";

export interface PicturedPage {
  readonly type: string;
  readonly name: string;
  readonly urn: string;
  readonly title?: string | undefined;
  readonly url: string;
  readonly baseUrl?: string | undefined;
}

export interface Camera {
  readonly open: () => Promise<Browser | string>;
  readonly rules: Pick<PublicPages, "fault">;
  readonly hides?: string | undefined;
  readonly screens?: readonly Screen[];
}

/** A campaign of twenty pages takes one or two minutes. */
const MOST_MS = 10 * 60_000;

export async function picturesOf(pages: readonly PicturedPage[], camera: Camera): Promise<Omit<Pictures, "unchanged">> {
  if (pages.length === 0) return { alike: 0, taken: [] };
  const deadline = performance.now() + MOST_MS;
  const browser = await camera.open();
  if (typeof browser === "string") return { alike: 0, taken: [], missing: browser };
  try {
    const tabs = Array.from({ length: Math.min(availableParallelism(), pages.length) }, () => new Tab(browser));
    const taken = await inTurn(pages, tabs, (page, tab) => taking(tab, page, camera, deadline));
    const isAlike = (pictures: readonly PagePicture[]): boolean => pictures.every(({ kind }) => kind === "alike");
    return { alike: taken.filter(isAlike).length, taken: taken.flat() };
  } finally {
    await browser.close();
  }
}

async function taking(tab: Tab, page: PicturedPage, camera: Camera, deadline: number): Promise<readonly PagePicture[]> {
  const screens: PagePicture[] = [];
  for (const screen of camera.screens ?? (Object.keys(WIDTHS) as Screen[])) {
    const picture = await pictureOf(tab, page, screen, camera, deadline);
    if (picture !== undefined) screens.push(picture);
  }
  return screens;
}

async function pictureOf(
  tab: Tab,
  { url, baseUrl, ...named }: PicturedPage,
  screen: Screen,
  { rules, hides }: Camera,
  deadline: number,
): Promise<PagePicture | undefined> {
  const about = { ...named, url, ...(baseUrl !== undefined && { baseUrl }), screen };
  const failed = (why: string): PagePicture => ({ ...about, kind: "failed", notes: [why] });
  const shoot = async (address: string): Promise<Shot | string> => {
    if (performance.now() > deadline) return TOO_LATE;
    return rules.fault(address) ?? (await takeShot(tab, address, { screen, hides }));
  };
  try {
    const now = await shoot(url);
    if (typeof now === "string") return failed(now);
    if (baseUrl === undefined) {
      const { png, goesOn, ...size } = beginningOf(now.png);
      const notes = [...now.notes, ...imageNotes(now.brokenImages, now.brokenImages)];
      return { ...about, kind: "new", after: png.toString("base64"), ...size, ...(goesOn && { goesOn }), notes };
    }
    const before = await shoot(baseUrl);
    if (typeof before === "string") return failed(`the public page: ${before}`);
    const broken = imageNotes(before.brokenImages, now.brokenImages);
    const pair = differenceOf(before.png, now.png);
    if (pair === undefined) return broken.length === 0 ? undefined : { ...about, kind: "alike", notes: broken };
    const { goesOn, share, top, ...size } = pair;
    return {
      ...{ ...about, kind: "changed", ...size, top, share, ...(goesOn && { goesOn }) },
      ...{ before: pair.before.toString("base64"), after: pair.after.toString("base64") },
      notes: [...new Set([...before.notes, ...now.notes]), ...broken],
    };
  } catch (error) {
    return failed(reasonOf(error).split("\n")[0] ?? "");
  }
}

const TOO_LATE = `the time for pictures, ${MOST_MS / 60_000} minutes, was over`;

/** More images than these are only counted. */
const MOST_IMAGES = 3;
const MOST_SIGNS = 200;

function imageNotes(before: readonly string[], now: readonly string[]): string[] {
  const all = [...new Set([...before, ...now])];
  const told = all.slice(0, MOST_IMAGES).map((image) => {
    const when = !before.includes(image) ? "after, " : now.includes(image) ? "" : "before, ";
    return `${when}the image ${image.slice(0, MOST_SIGNS)} does not load`;
  });
  const more = all.length - told.length;
  return more === 0 ? told : [...told, `${counted(more, "more image")} ${more === 1 ? "does" : "do"} not load`];
}

async function inTurn<One, Hand, Done>(
  all: readonly One[],
  hands: readonly Hand[],
  work: (one: One, hand: Hand) => Promise<Done>,
): Promise<Done[]> {
  const done: Done[] = [];
  const waiting = all.entries();
  const next = async (hand: Hand): Promise<void> => {
    for (const [index, one] of waiting) done[index] = await work(one, hand);
  };
  await Promise.all(hands.map(next));
  return done;
}
