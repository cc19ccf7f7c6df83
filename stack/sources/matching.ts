/** How well a text answers to what somebody looks for. Pure. */

/** 0: it is the text. 1: the text is in it. 2: the same but for case, blanks or tags. Undefined: it isn't there. */
export function rankOf(text: string, wanted: string): number | undefined {
  if (text === wanted) return 0;
  if (text.includes(wanted)) return 1;
  const [here, there] = [loose(text), loose(wanted)];
  return there !== "" && (here.includes(there) || loose(untagged(text)).includes(there)) ? 2 : undefined;
}

/** As it reads, without tags that stand between its words. */
function untagged(text: string): string {
  return text
    .replaceAll(/<\/?[a-z][^<>]*>/gi, "")
    .replaceAll("&nbsp;", " ")
    .replaceAll("&amp;", "&");
}

function loose(text: string): string {
  return text.normalize("NFKC").replaceAll(/\s+/g, " ").trim().toLowerCase();
}

const MOST_NEAR = 3;
const LEAST_SHARED = 0.3;

/** Texts that share words with what was looked for, the nearest first. */
export function nearestTexts(wanted: string, texts: Iterable<string>): string[] {
  const size = Math.max(1, wordsOf(wanted).size);
  const near = [...new Set(texts)].flatMap((text) => {
    const share = sharedWords(text, wanted) / size;
    return share >= LEAST_SHARED ? [{ text, share }] : [];
  });
  return near
    .sort((a, b) => b.share - a.share)
    .slice(0, MOST_NEAR)
    .map(({ text }) => text);
}

export function sharedWords(text: string, wanted: string): number {
  const words = wordsOf(text);
  return [...wordsOf(wanted)].filter((word) => words.has(word)).length;
}

function wordsOf(text: string): Set<string> {
  return new Set(loose(untagged(text)).match(/[\p{L}\p{N}]{2,}/gu) ?? []);
}
