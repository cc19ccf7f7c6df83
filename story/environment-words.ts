/** Words about preview environments. */
import { oneLine } from "../provider/messages/texts.ts";
import type { LeftOut } from "../stack/env/types.ts";

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
