/** What a proposal's branch holds by now. Pure. */
import type { ProposalName } from "./forge.ts";

/** The last commit of the branch. */
export interface Proposed {
  readonly sha: string;
  readonly message: string;
}

/** A branch is made anew for each proposal, but never over what people have committed to it: that is theirs. */
export function refuseOthers({ branch, title }: ProposalName, last: Proposed): void {
  if (isProposed({ title }, last)) return;
  throw new Error(
    `the branch ${branch} has commits of somebody else, the last one ${last.sha.slice(0, 12)} "${subjectOf(last)}", and is left as it is. ` +
      "Merge its request, or delete the branch for a new one",
  );
}

/** Nobody has committed to it since. */
export function isProposed({ title }: Pick<ProposalName, "title">, last: Pick<Proposed, "message">): boolean {
  return subjectOf(last) === title.trim();
}

function subjectOf({ message }: Pick<Proposed, "message">): string {
  const [subject = ""] = message.split("\n");
  return subject.trim();
}
