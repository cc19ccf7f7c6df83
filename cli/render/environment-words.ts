/** Words about preview environments. */
import type { LeftOut } from "../env/types.ts";

export function leftOutText({ why }: LeftOut): string {
  return WHY[why];
}

const WHY: Readonly<Record<LeftOut["why"], string>> = {
  shared: "it would change what the base uses, too",
  hook: "hooks are off in a preview (--hooks makes them)",
  draft: "a preview of drafts publishes nothing",
  protect: "its protect would keep it where the preview goes",
  retainOnDelete: "its retainOnDelete would leave it behind where the preview goes",
};
