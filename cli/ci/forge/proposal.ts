/** What a proposal's branch holds by now. Pure. */
import type { Proposal } from "./forge.ts";

/** The last commit of the branch. */
export interface Proposed {
  readonly sha: string;
  readonly message: string;
}

/** A branch is made anew for each proposal, but never over what people have committed to it: that is theirs. */
export function refuseOthers({ branch, title }: Pick<Proposal, "branch" | "title">, { sha, message }: Proposed): void {
  const [subject = ""] = message.split("\n");
  if (subject.trim() === title.trim()) return;
  throw new Error(
    `the branch ${branch} has commits of somebody else, the last one ${sha.slice(0, 12)} "${subject}", and is left as it is. ` +
      "Merge its request, or delete the branch for a new one",
  );
}
