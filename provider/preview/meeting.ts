/** Pages of several sites that come to one, where their paths may be the same. Pure. */
import { digest } from "../reconcile/identity.ts";
import type { BaseObject } from "./facts.ts";

/** What is added to the path of a page, by its URN without the stack, so that it meets no other; undefined where it meets none. */
export type MarkOf = (page: string, slug: string | undefined) => string | undefined;

const MARK_LENGTH = 8;

/** Each page on a site of its own program's choice meets no other of it. */
export const UNMARKED: MarkOf = () => undefined;

/**
 * For pages that all come to one site. Where two of the base meet there, all are marked, those that only the branch has, too:
 * brands in one language say the same path again with each page that is added.
 */
export function marksOnOneSite(base: Readonly<Record<string, BaseObject>>): MarkOf {
  const at = new Map<string, Set<string>>();
  for (const [page, { url, slug }] of Object.entries(base)) {
    if (url === undefined) continue;
    const path = plain(slug);
    at.set(path, (at.get(path) ?? new Set()).add(page));
  }
  const isCrowded = [...at.values()].some(({ size }) => size > 1);
  return (page, slug) => {
    const there = at.get(plain(slug));
    const meets = isCrowded || (there !== undefined && !there.has(page));
    return meets ? digest(page, MARK_LENGTH) : undefined;
  };
}

function plain(slug: string | undefined): string {
  return (slug ?? "").replace(/^\/+|\/+$/g, "").toLowerCase();
}
