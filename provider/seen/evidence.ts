/**
 * Tells if a public page is the revision that was just published. It compares the page's texts with those that were changed, and with those
 * that the page showed before. Pure.
 */
import { isTelling, type VisibleText } from "./visible-text.ts";

export interface WantedText {
  readonly key: string;
  readonly now: string;
  /** The text that stood there before, if it is known. */
  readonly before: string | undefined;
}

/** `shown`: only the new revision says so. `present`: it says so, and so may the one before. */
export type Evidence = "shown" | "present" | "old" | "absent";

/** A key whose old text was not on the page holds nothing that visitors read. */
export function wantedOf(texts: readonly WantedText[], before: VisibleText | undefined): WantedText[] {
  const telling = texts.filter((text) => isTelling(text.now) || isTakenAway(text, before));
  const readBefore = telling.some((text) => wasRead(text, before));
  return telling.filter((text) => !readBefore || text.before === undefined || wasRead(text, before));
}

export function wasRead({ before }: WantedText, page: VisibleText | undefined): boolean {
  return page !== undefined && before !== undefined && isTelling(before) && page.count(before) > 0;
}

/** Tells if a text is taken away. Nothing comes in its place that could be looked for, so its absence proves the change. */
function isTakenAway(text: WantedText, page: VisibleText | undefined): boolean {
  return !isTelling(text.now) && wasRead(text, page);
}

/** `then`: the page as it was before the publication; undefined if there was none, or if it could not be read. */
export function evidenceOf(
  text: WantedText,
  all: readonly WantedText[],
  page: VisibleText,
  then: VisibleText | undefined,
): Evidence {
  if (then !== undefined && isTakenAway(text, then)) return evidenceOfGoing(text, all, page, then);
  return then !== undefined && isExchanged(text, all) && page.count(text.now) > 0
    ? "present"
    : onItsOwn(text, page, then);
}

function onItsOwn({ now, before }: WantedText, page: VisibleText, then: VisibleText | undefined): Evidence {
  const [count, old] = [page.count(now), before === undefined || before === now ? undefined : page.count(before)];
  if (count === 0) return (old ?? 0) > 0 ? "old" : "absent";
  if (then === undefined) return (old ?? 0) > 0 && before?.includes(now) === true ? "old" : "shown";
  if (count > then.count(now)) return "shown";
  if (old === undefined || before === undefined) return "present";
  return old === 0 || old < then.count(before) ? "shown" : "old";
}

function evidenceOfGoing(
  { before = "" }: WantedText,
  all: readonly WantedText[],
  page: VisibleText,
  then: VisibleText,
): Evidence {
  if (page.count(before) < then.count(before)) return "shown";
  return all.some(({ now }) => now.includes(before)) ? "present" : "old";
}

/** Tells if a text only changes places with others: none of them comes, and none goes. */
function isExchanged({ now, before }: WantedText, all: readonly WantedText[]): boolean {
  return all.some((text) => text.before === now) && all.some((text) => text.now === before);
}
