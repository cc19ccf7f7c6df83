/** The questions to a code host: one interface for all of them. */

export interface Note {
  readonly id: string;
  readonly body: string;
  /** True if the present token wrote it. Anybody can paste a marker. */
  readonly ours: boolean;
}

/** A merged pull request, for an apply that looks for its plan. */
export interface MergedChange {
  readonly number: number;
  /** The last commit of its branch, which was reviewed. */
  readonly head: string;
  readonly into: string;
  /** True if its merge made the commit. A commit may belong to several requests whose branch contains it. */
  readonly merging: boolean;
}

/** The commit and the request that a plan was made for. */
export interface PlannedChange {
  readonly head: string;
  /** Undefined if only its commit is known. */
  readonly number?: number;
}

/** A place in the code with a message. */
export interface Annotation {
  readonly file: string;
  readonly line: number;
  readonly message: string;
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
  /** True if the environment goes with its change. Then only its last deployment can be visited. */
  readonly passing?: true;
}

/** The answer of a code host. A failed question is no answer, and never a "no". */
export type Asked<Answer> = { readonly answer: Answer } | { readonly unasked: string };

export interface ChangeNow {
  readonly open: boolean;
  readonly head: string;
  readonly branch: string;
  /** The repository that it comes from, if it is another one. */
  readonly fork?: string;
  readonly labels: readonly string[];
  /** The number of commits of its target branch that it lacks, if the code host tells it. */
  readonly behind?: number;
}

export interface Forge {
  readonly kind: "github" | "gitlab";
  /** `pull request #12`, in the code host's own words. */
  nameOf(change: number): string;
  notes(change: number): AsyncIterable<Note>;
  addNote(change: number, body: string): Promise<Note>;
  editNote(change: number, note: Note, body: string): Promise<void>;
  deleteNote(change: number, note: Note): Promise<void>;
  /** Undefined if there is no request of this number. */
  change(number: number): Promise<ChangeNow | undefined>;
  openChanges(): AsyncIterable<number>;
  branches(): AsyncIterable<string>;
  hasBranch(name: string): Promise<boolean>;
  /** The requests that a commit of the main branch came from, even after a squash or a rebase. */
  changesOf(commit: string): Promise<MergedChange[]>;
  openIssues(label: string): AsyncIterable<Issue>;
  openIssue(title: string, body: string, label: string): Promise<{ number: number; url: string }>;
  editIssue(issue: Issue, body: string): Promise<void>;
  closeIssue(issue: Issue, why: string): Promise<void>;
  /** Undefined if the code host has no deployments. */
  deploy?(deployment: Deployment): Promise<void>;
  /** Called after a teardown: nothing of the environment can be visited any more. */
  retire(environment: string, description: string): Promise<void>;
  check?(
    name: string,
    commit: string,
    result: "success" | "failure",
    summary: string,
    on: readonly Annotation[],
  ): Promise<void>;
  /** Returns the latest file of the folder that a job of this repository, not of a fork, has left as an artifact for that commit. */
  artifact(of: PlannedChange, folder: string, file: string): Promise<Uint8Array | undefined>;
  /** Makes a new branch with these files changed, and a request to merge it. */
  propose(proposal: Proposal): Promise<{ url: string }>;
  /** Closes the request of that proposal with the reason, unless people have committed to it. */
  withdraw(proposal: ProposalName, why: string): Promise<void>;
}

/** The branch and the title that find a proposal again. */
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

/** Refuses a branch with commits of people. A branch is made anew for each proposal, but those commits belong to people. */
export function refuseOthers({ branch, title }: ProposalName, last: Proposed): void {
  if (isProposed({ title }, last)) return;
  throw new Error(
    `the branch ${branch} has commits of somebody else, the last one ${last.sha.slice(0, 12)} "${subjectOf(last)}", and is left as it is. ` +
      "Merge its request, or delete the branch for a new one",
  );
}

/** Tells if nobody has committed to it since. */
export function isProposed({ title }: Pick<ProposalName, "title">, last: Pick<Proposed, "message">): boolean {
  return subjectOf(last) === title.trim();
}

function subjectOf({ message }: Pick<Proposed, "message">): string {
  const [subject = ""] = message.split("\n");
  return subject.trim();
}
