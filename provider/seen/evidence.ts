/**
 * Whether a public page is the revision that was just published: its texts held against what was changed, and against what
 * the page showed before. Pure.
 */
import { isTelling, type VisibleText } from "./visible-text.ts";

export interface WantedText {
  readonly key: string;
  readonly now: string;
  /** What stood there before, where that is known. */
  readonly before: string | undefined;
}

/** `shown`: only the new revision says so. `present`: it says so, and so may the one before. */
export type Evidence = "shown" | "present" | "old" | "absent";

/** A key whose old text was not on the page holds nothing that visitors read. */
export function wantedOf(texts: readonly WantedText[], before: VisibleText | undefined): WantedText[] {
  const telling = texts.filter(({ now }) => isTelling(now));
  const readBefore = telling.some((text) => wasRead(text, before));
  return telling.filter((text) => !readBefore || text.before === undefined || wasRead(text, before));
}

/** It shows the old text, so it needs no browser to show the new one. */
export function wasRead({ before }: WantedText, page: VisibleText | undefined): boolean {
  return page !== undefined && before !== undefined && isTelling(before) && page.count(before) > 0;
}

/** `then`: the page as it was before the publication; undefined where it was nowhere, or could not be read. */
export function evidenceOf({ now, before }: WantedText, page: VisibleText, then: VisibleText | undefined): Evidence {
  const [count, old] = [page.count(now), before === undefined || before === now ? undefined : page.count(before)];
  if (count === 0) return (old ?? 0) > 0 ? "old" : "absent";
  if (then === undefined) return (old ?? 0) > 0 && before?.includes(now) === true ? "old" : "shown";
  if (count > then.count(now)) return "shown";
  if (old === undefined || before === undefined) return "present";
  return old === 0 || old < then.count(before) ? "shown" : "old";
}
