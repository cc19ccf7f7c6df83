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
  readonly state: "queued" | "in_progress" | "success" | "failure" | "inactive";
  readonly url?: string;
  readonly description: string;
}

export interface Forge {
  /** `pull request #12`, as its people call it. */
  nameOf(change: number): string;
  notes(change: number): AsyncIterable<Note>;
  addNote(change: number, body: string): Promise<void>;
  editNote(change: number, note: Note, body: string): Promise<void>;
  /** Those that a commit of the main branch came from, also after a squash or a rebase. */
  changesOf(commit: string): Promise<MergedChange[]>;
  /** Those with the label, open. */
  openIssues(label: string): AsyncIterable<Issue>;
  openIssue(title: string, body: string, label: string): Promise<{ number: number; url: string }>;
  editIssue(issue: Issue, body: string): Promise<void>;
  closeIssue(issue: Issue, why: string): Promise<void>;
  /** Undefined where the code host has no such thing. */
  deploy?(deployment: Deployment): Promise<void>;
  check?(
    name: string,
    commit: string,
    result: "success" | "failure",
    summary: string,
    on: readonly Annotation[],
  ): Promise<void>;
  /** A new branch with these files changed, and a request to merge it. */
  propose(proposal: Proposal): Promise<{ url: string }>;
}

export interface Proposal {
  readonly branch: string;
  readonly base: string;
  readonly title: string;
  readonly body: string;
  readonly files: readonly { readonly path: string; readonly content: string }[];
}
