/** Looks at a public page until it shows the published texts, for a bounded time. Never throws: its finding is a value. */
import { setTimeout as sleep } from "node:timers/promises";
import { MOST_BYTES, type PublicPage, type PublicPages } from "../api/public-page.ts";
import { evidenceOf, wantedOf, wasRead, type Evidence, type WantedText } from "./evidence.ts";
import { isSeen, type SeenLive } from "./seen-live.ts";
import { VisibleText } from "./visible-text.ts";

export const DEFAULT_WAIT_MS = 60_000;
const ONE_LOOK_MS = 10_000;
const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 8_000;
/** Looks at a page that shows a part of its texts before the rest is taken for texts that no visitor reads. */
const LOOKS_AT_A_PART = 3;

/** Undefined if there is nothing before the publication, or nothing that can be read. */
export async function lookBefore(pages: PublicPages, url: string): Promise<VisibleText | undefined> {
  const page = await pages.read(url, ONE_LOOK_MS);
  return page.kind === "html" && page.status < 400 ? new VisibleText(page.html) : undefined;
}

interface Look extends Omit<SeenLive, "url" | "afterMs"> {
  /** No later look could change it. */
  readonly final: boolean;
}

interface Published {
  readonly url: string;
  readonly texts: readonly WantedText[];
  readonly before: VisibleText | undefined;
  /** True if the page was never public: all that answers is this publication. */
  readonly isFirst: boolean;
}

export async function lookUntilSeen(
  pages: PublicPages,
  { url, texts, before, isFirst }: Published,
  waitMs: number,
): Promise<SeenLive> {
  const start = performance.now();
  const wanted = wantedOf(texts, before);
  let delay = FIRST_DELAY_MS;
  for (let inPart = 0; ;) {
    const left = (): number => start + waitMs - performance.now();
    const answer = await pages.read(url, Math.min(ONE_LOOK_MS, Math.max(left(), 1_000)));
    let look = judge(answer, wanted, before);
    const partly = look.outcome === "absent" && look.keys.length < wanted.length;
    if (partly && ++inPart >= LOOKS_AT_A_PART) look = { ...look, outcome: "seen", final: true };
    const { final, ...said } = look;
    const found = isFirst && said.outcome === "answers" ? { ...said, outcome: "seen" as const } : said;
    if (final || left() <= delay) return { ...found, url, afterMs: Math.round(performance.now() - start) };
    await sleep(delay);
    delay = Math.min(delay * 2, LONGEST_DELAY_MS);
  }
}

function judge(answer: PublicPage, wanted: readonly WantedText[], before: VisibleText | undefined): Look {
  const none = { keys: [] } as const;
  if (answer.kind === "refused") return { outcome: "refused", reason: answer.reason, ...none, final: true };
  if (answer.kind === "unreachable") return { outcome: "unreachable", reason: answer.reason, ...none, final: false };
  if (answer.status >= 400)
    return { outcome: "unreachable", reason: `it answers with ${answer.status}`, ...none, final: false };
  const look = judgeText(new VisibleText(answer.html), wanted, before);
  return answer.cut && !isSeen(look)
    ? { ...look, reason: `of its HTML the first ${MOST_BYTES >> 20} MiB were looked at` }
    : look;
}

function judgeText(page: VisibleText, wanted: readonly WantedText[], before: VisibleText | undefined): Look {
  const found = wanted.map((text) => ({ key: text.key, evidence: evidenceOf(text, wanted, page, before) }));
  const keys = (...sorts: Evidence[]) => found.flatMap(({ key, evidence }) => (sorts.includes(evidence) ? [key] : []));
  const [old, absent, shown] = [keys("old"), keys("absent"), keys("shown")];
  if (old.length > 0) return { outcome: "old", keys: old, final: false };
  if (absent.length > 0) {
    const isHidden = absent.length === wanted.length && !page.speaks && !wanted.some((text) => wasRead(text, before));
    return { outcome: isHidden ? "hidden" : "absent", keys: absent, final: false };
  }
  return { outcome: shown.length > 0 ? "seen" : "answers", keys: [], final: true };
}
