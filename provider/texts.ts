/**
 * Texts that came from elsewhere (the service, a page, a program), made fit to be passed on: half of a surrogate pair can't
 * be encoded, and an answer that holds one is never sent.
 */
const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Cut behind a whole character as a reader sees it; a cut text ends in "…". */
export function shortened(text: string, most: number): string {
  const whole = text.toWellFormed();
  if (whole.length <= most) return whole;
  let end = 0;
  for (const { index, segment } of graphemes.segment(whole.slice(0, most + LONGEST_GRAPHEME))) {
    if (index + segment.length > most) break;
    end = index + segment.length;
  }
  return `${whole.slice(0, end).toWellFormed()}…`;
}

const LONGEST_GRAPHEME = 64;

/** Without line ends and control characters: one line stays one line, and a terminal shows it as text. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
}
