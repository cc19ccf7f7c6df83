/** What is asked of a code host: one interface for all of them. */

export interface Note {
  readonly id: string;
  readonly body: string;
  /** Whether the token that we have wrote it: anybody can paste a marker. */
  readonly ours: boolean;
}

/** A merged pull request, as an apply looks for its plan. */
export interface MergedChange {
  readonly number: number;
  /** The last commit of its branch: what was reviewed. */
  readonly head: string;
  /** The branch that it was merged into. */
  readonly into: string;
  /** Whether the commit was made by its merge: one belongs to every request whose branch held it. */
  readonly merging: boolean;
}

/** What a plan was made for. */
export interface PlannedChange {
  readonly head: string;
  /** Undefined where only its commit is known. */
  readonly number?: number;
}

/** A place in the code that something is to be said about. */
export interface Annotation {
  readonly file: string;
  readonly line: number;
  readonly message: string;
  readonly level: "failure" | "warning" | "notice";
}

export interface Issue {
  readonly number: number;
  readonly url: string;
  readonly body: string;
  readonly ours: boolean;
}

export interface Deployment {
  readonly environment: string;
  readonly commit: string;
  readonly state: "queued" | "in_progress" | "success" | "failure";
  readonly url?: string;
  /** The page of the job. */
  readonly logUrl?: string | undefined;
  readonly description: string;
  /** The environment goes with its change, and only its last deployment is one that can be visited. */
  readonly passing?: true;
}

/** What was asked of a code host. What could not be asked is no answer, and above all not "no". */
export type Asked<Answer> = { readonly answer: Answer } | { readonly unasked: string };

/** A pull request as it is at this moment. */
export interface ChangeNow {
  readonly open: boolean;
  readonly head: string;
  readonly branch: string;
  /** The repository that it comes from, where that is not this one. */
  readonly fork?: string;
  readonly labels: readonly string[];
  /** How many commits of the branch that it goes into it does not have, where the code host tells. */
  readonly behind?: number;
}

export interface Forge {
  readonly kind: "github" | "gitlab";
  /** `pull request #12`, as its people call it. */
  nameOf(change: number): string;
  notes(change: number): AsyncIterable<Note>;
  addNote(change: number, body: string): Promise<Note>;
  editNote(change: number, note: Note, body: string): Promise<void>;
  deleteNote(change: number, note: Note): Promise<void>;
  /** Undefined where there is none of this number. */
  change(number: number): Promise<ChangeNow | undefined>;
  /** Numbers of all that are open. */
  openChanges(): AsyncIterable<number>;
  branches(): AsyncIterable<string>;
  hasBranch(name: string): Promise<boolean>;
  /** Those that a commit of the main branch came from, also after a squash or a rebase. */
  changesOf(commit: string): Promise<MergedChange[]>;
  /** Those with the label, open. */
  openIssues(label: string): AsyncIterable<Issue>;
  openIssue(title: string, body: string, label: string): Promise<{ number: number; url: string }>;
  editIssue(issue: Issue, body: string): Promise<void>;
  closeIssue(issue: Issue, why: string): Promise<void>;
  /** Undefined where the code host has no such thing. */
  deploy?(deployment: Deployment): Promise<void>;
  /** After a teardown: nothing of the environment can be visited any more. */
  retire(environment: string, description: string): Promise<void>;
  check?(
    name: string,
    commit: string,
    result: "success" | "failure",
    summary: string,
    on: readonly Annotation[],
  ): Promise<void>;
  /** A file of the folder that a job of this repository, and of no fork, has left as an artifact for that commit; the latest. */
  artifact(of: PlannedChange, folder: string, file: string): Promise<Uint8Array | undefined>;
  /** A new branch with these files changed, and a request to merge it. */
  propose(proposal: Proposal): Promise<{ url: string }>;
  /** Closes the request of that proposal, and says why, unless people have committed to it. */
  withdraw(proposal: ProposalName, why: string): Promise<void>;
}

/** What it is found again by. */
export interface ProposalName {
  readonly branch: string;
  readonly title: string;
}

export interface Proposal extends ProposalName {
  readonly base: string;
  readonly body: string;
  readonly files: readonly { readonly path: string; readonly content: string }[];
}

/** The last commit of the branch. */
interface Proposed {
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
