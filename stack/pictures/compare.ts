/** Compares two pictures of a page, and cuts out what differs. Pure. */
import pixelmatch from "pixelmatch";
import { PNG } from "pngjs";

export interface Pair {
  /** The changed part of each, in equal size. */
  readonly before: Buffer;
  readonly after: Buffer;
  readonly width: number;
  readonly height: number;
  /** The first row of the cut in the page. */
  readonly top: number;
  /** The share of the page's pixels that differ, from 0 to 1. */
  readonly share: number;
  /** True if more differs below the cut. */
  readonly goesOn: boolean;
}

/** Rows around a change, so that a reader sees where it stands. */
const MARGIN = 60;
const LEAST_ROWS = 240;
const MOST_ROWS = 1_200;

/** Returns undefined for pictures that look alike. */
export function differenceOf(before: Buffer, after: Buffer): Pair | undefined {
  if (before.equals(after)) return undefined;
  const [old, now] = [PNG.sync.read(before), PNG.sync.read(after)];
  const width = Math.max(old.width, now.width);
  const height = Math.max(old.height, now.height);
  const [left, right] = [widened(old, width, height), widened(now, width, height)];
  const mask = new Uint8Array(width * height * 4);
  const pixels = pixelmatch(left.data, right.data, mask, width, height, { diffMask: true });
  const rows = changedRows(mask, width, height);
  if (pixels === 0 || rows === undefined) return undefined;
  const { top, bottom } = cutAround(rows, height);
  const part = (of: PNG): Buffer => PNG.sync.write(partOf(of, top, bottom));
  return {
    before: part(left),
    after: part(right),
    ...{ width, height: bottom - top, top, share: pixels / (width * height), goesOn: rows.last >= bottom },
  };
}

/** Returns the top of a picture that stands for itself, because its page has no other one. */
export function beginningOf(png: Buffer): Pick<Pair, "width" | "height" | "goesOn"> & { readonly png: Buffer } {
  const whole = PNG.sync.read(png);
  const height = Math.min(whole.height, MOST_ROWS);
  return { png: PNG.sync.write(partOf(whole, 0, height)), width: whole.width, height, goesOn: whole.height > height };
}

const WHITE = 255;

/** Below the end of a page its visitor sees nothing. */
function widened(picture: PNG, width: number, height: number): PNG {
  if (picture.width === width && picture.height === height) return picture;
  const all = new PNG({ width, height });
  all.data.fill(WHITE);
  PNG.bitblt(picture, all, 0, 0, picture.width, picture.height, 0, 0);
  return all;
}

function changedRows(mask: Uint8Array, width: number, height: number): { first: number; last: number } | undefined {
  const isChanged = (row: number): boolean => {
    for (let at = row * width * 4 + 3; at < (row + 1) * width * 4; at += 4) if (mask[at] !== 0) return true;
    return false;
  };
  let first = 0;
  while (first < height && !isChanged(first)) first++;
  if (first === height) return undefined;
  let last = height - 1;
  while (!isChanged(last)) last--;
  return { first, last };
}

function cutAround({ first, last }: { first: number; last: number }, height: number): { top: number; bottom: number } {
  const least = Math.max(0, (LEAST_ROWS - (last - first)) / 2, MARGIN);
  const top = Math.max(0, Math.floor(first - least));
  return { top, bottom: Math.min(height, Math.ceil(last + least) + 1, top + MOST_ROWS) };
}

function partOf(picture: PNG, top: number, bottom: number): PNG {
  const part = new PNG({ width: picture.width, height: bottom - top });
  PNG.bitblt(picture, part, 0, top, picture.width, bottom - top, 0, 0);
  return part;
}
