/**
 * Texts that came from elsewhere (the service, a page, a program), made fit to be passed on: half of a surrogate pair can't
 * be encoded, and an answer that holds one is never sent.
 */
let graphemes: Intl.Segmenter | undefined;

/** Cut behind a whole character as a reader sees it; a cut text ends in "…". */
export function shortened(text: string, most: number): string {
  const whole = text.toWellFormed();
  if (whole.length <= most) return whole;
  let end = 0;
  // Where its data are read is a good part of a start, and few need them.
  graphemes ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
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

/** JSON as `JSON.parse` reads it, every text of it well-formed: an escape can stand for half of a surrogate pair. */
export function parseWellFormed(json: string): unknown {
  return JSON.parse(json, HALF_PAIR.test(json) ? wellFormed : undefined) as unknown;
}

const HALF_PAIR = /\\ud[89a-f]/i;

function wellFormed(_key: string, value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key.toWellFormed(), item as unknown]));
}

/** Of what was thrown, whatever it is. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
