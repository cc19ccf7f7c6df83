/** "did you mean": the candidates closest to a misspelt word, by edit distance on folded text. */
import { listed } from "./wording.ts";

export function nearest(word: string, candidates: Iterable<string>, count = 1): string[] {
  const folded = fold(word);
  return likely(word, [...candidates])
    .map((candidate) => ({ candidate, cost: cost(folded, fold(candidate)) }))
    .filter(({ candidate, cost }) => isNear(cost, folded.length, fold(candidate).length))
    .sort((a, b) => a.cost - b.cost || a.candidate.localeCompare(b.candidate))
    .slice(0, count)
    .map(({ candidate }) => candidate);
}

/** The share of its letters that a misspelt word may have wrong. */
const MOST_WRONG = 0.4;

/** A word that shares no letter with the candidate is no misspelling of it, however short both are. */
function isNear(cost: number, ...lengths: [number, number]): boolean {
  return cost === 0 || (cost < Math.min(...lengths) && cost <= Math.max(1, Math.max(...lengths) * MOST_WRONG));
}

/** Ends a sentence that there is no such word: with the one that was probably meant, or with all that there are. */
export function insteadOf(word: string, candidates: readonly string[], heading: string): string {
  const there = candidates.length === 0 ? "There is none yet." : `${heading}: ${listed(candidates)}.`;
  return didYouMean(word, candidates) || `. ${there}`;
}

export function didYouMean(word: string, candidates: Iterable<string>): string {
  const [best] = nearest(word, candidates);
  if (best === undefined) return "";
  return best.normalize() === word.normalize()
    ? `, did you mean "${best}", which looks the same and is written with other characters of Unicode?`
    : `, did you mean "${best}"?`;
}

/**
 * Tells if a word is another one with a letter too many, one too few or two changed round: a slip. A name of its own (`dev2` beside `dev`,
 * `prod-eu` beside `prod-us`) goes on, or differs in what it says.
 */
export function isSlipOf(word: string, other: string): boolean {
  const [short, long] = word.length < other.length ? [word, other] : [other, word];
  if (short.length < SHORTEST_SLIPPED || long.startsWith(short) || /\d/.test(word)) return false;
  const front = sharedFront(short, long);
  if (long.length === short.length + 1) return short.slice(front) === long.slice(front + 1);
  const [a = "", b = ""] = short.slice(front);
  return short.length === long.length && a !== b && long.slice(front) === b + a + short.slice(front + 2);
}

const SHORTEST_SLIPPED = 3;

function sharedFront(a: string, b: string): number {
  let front = 0;
  while (front < a.length && a[front] === b[front]) front++;
  return front;
}

function fold(text: string): string {
  return text
    .normalize()
    .toLowerCase()
    .replace(/[_\-.\s]/g, "");
}

/** If there are very many candidates, returns those that begin and end like the word, as many as can be compared letter by letter in a short time. */
function likely(word: string, candidates: readonly string[]): readonly string[] {
  if (candidates.length <= MOST_COMPARED) return candidates;
  const scored = candidates.map((candidate) => ({ candidate, shared: sharedEnds(word, candidate) }));
  return scored
    .sort((a, b) => b.shared - a.shared)
    .slice(0, MOST_COMPARED)
    .map(({ candidate }) => candidate);
}

const MOST_COMPARED = 200;
/** Nobody misspells longer words, and a comparison takes the product of their lengths. */
const LONGEST_COMPARED = 100;

function sharedEnds(a: string, b: string): number {
  const most = Math.min(a.length, b.length, LONGEST_COMPARED);
  let front = 0;
  while (front < most && a[front] === b[front]) front++;
  let back = 0;
  while (back < most - front && a[a.length - 1 - back] === b[b.length - 1 - back]) back++;
  return front + back;
}

function cost(a: string, b: string): number {
  if (a === b) return 0;
  const distance = Math.max(a.length, b.length) > LONGEST_COMPARED ? Infinity : editDistance(a, b);
  return a.length > 2 && b.length > 2 && (a.includes(b) || b.includes(a)) ? Math.min(distance, 2) : distance;
}

/** Letters that are changed round count as one. */
function editDistance(a: string, b: string): number {
  let earlier: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const substitution = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const isTurned = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const turned = isTurned ? (earlier[column - 2] ?? 0) + 1 : Infinity;
      current.push(Math.min(substitution, turned, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    [earlier, previous] = [previous, current];
  }
  return previous[b.length] ?? 0;
}
