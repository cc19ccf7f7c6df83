/** The {{placeholders}} of a text: translators may move them, and neither lose nor make any. */

const PLACEHOLDER = /\{\{\s*[^{}]+?\s*\}\}/g;

export interface Difference {
  readonly lost: readonly string[];
  readonly made: readonly string[];
}

/** Undefined where both texts have the same ones; how often each stands there is the translator's business. */
export function differenceOf(source: string, target: string): Difference | undefined {
  const [before, after] = [namesIn(source), namesIn(target)];
  const lost = [...before].filter((name) => !after.has(name));
  const made = [...after].filter((name) => !before.has(name));
  return lost.length + made.length === 0 ? undefined : { lost, made };
}

export function differenceText({ lost, made }: Difference): string {
  const parts = [
    ...(lost.length > 0 ? [`has lost ${lost.join(", ")}`] : []),
    ...(made.length > 0 ? [`has ${made.join(", ")}, which the source has not`] : []),
  ];
  return parts.join(", and ");
}

function namesIn(text: string): Set<string> {
  return new Set([...text.matchAll(PLACEHOLDER)].map(([whole]) => `{{${whole.slice(2, -2).trim()}}}`));
}
