/** Words about preview environments. Pure. */
import { oneLine } from "../../provider/messages/wording.ts";
import type { Difference } from "../report/model.ts";
import type { LeftOut, PreviewPage } from "./types.ts";

const WHY: Record<LeftOut["why"], string> = {
  shared: "it would change what is shared",
  hook: "subscriptions are off in a preview; --hooks makes them",
  draft: "nothing is published with --drafts",
  protect: "the option protect, since a preview has to go again",
  retainOnDelete: "the option retainOnDelete, since a preview has to go again",
};

export function leftOutText({ type, name, why }: LeftOut): string {
  return `${type} ${oneLine(name)}: ${WHY[why]}`;
}

export function differencesText(differences: readonly Difference[]): string {
  const counts = (["added", "changed", "removed"] as const).flatMap((kind) => {
    const count = differences.filter((one) => one.kind === kind).length;
    return count === 0 ? [] : [`${count} ${kind}`];
  });
  return counts.length === 0 ? "none" : counts.join(", ");
}

export function pagesText(pages: readonly PreviewPage[]): string {
  const drafts = pages.filter(({ url }) => url === undefined).length;
  const count = pages.length === 1 ? "1 page" : `${pages.length} pages`;
  if (drafts === 0) return count;
  return drafts === pages.length ? `${count}, as drafts` : `${count}, ${drafts} of them drafts`;
}
