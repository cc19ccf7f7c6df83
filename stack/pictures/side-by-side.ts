/** Makes one picture of a page from the two that were taken: before on the left, after on the right. Pure. */
import { PNG } from "pngjs";
import type { PagePicture } from "../report/shown.ts";

/** Pixels between the two, with a line in the middle that shows on light and dark. */
const GAP = 24;
const LINE = [11, 12];
const GREY = 128;

/** Returns the picture of the screen that changed more. A page that looks as before, or can't be shown, has none. */
export function mostChanged(pictures: readonly PagePicture[]): PagePicture | undefined {
  const shown = pictures.filter(({ after }) => after !== undefined);
  return shown.reduce<PagePicture | undefined>(
    (most, one) => (most === undefined || (one.share ?? 0) > (most.share ?? 0) ? one : most),
    undefined,
  );
}

/** A new page has no picture before. */
export function sideBySide({ before, after = "" }: Pick<PagePicture, "before" | "after">): Buffer {
  const now = Buffer.from(after, "base64");
  if (before === undefined) return now;
  const [left, right] = [PNG.sync.read(Buffer.from(before, "base64")), PNG.sync.read(now)];
  const both = new PNG({ width: left.width + GAP + right.width, height: Math.max(left.height, right.height) });
  PNG.bitblt(left, both, 0, 0, left.width, left.height, 0, 0);
  PNG.bitblt(right, both, 0, 0, right.width, right.height, left.width + GAP, 0);
  const line = Buffer.from([GREY, GREY, GREY, 255]);
  for (let row = 0; row < both.height; row++)
    for (const at of LINE) line.copy(both.data, (row * both.width + left.width + at) * 4);
  return PNG.sync.write(both);
}
