/** The questions to a code host: one interface for all of them. */

export interface Note {
  readonly id: string;
  readonly body: string;
  /** True if the present token wrote it. Anybody can paste a marker. */
  readonly ours: boolean;
}

export interface MergedChange {
  readonly number: number;
  /** The last commit of its branch, which was reviewed. */
  readonly head: string;
  readonly into: string;
  /** True if its merge made the commit. A commit may belong to several requests whose branch contains it. */
  readonly merging: boolean;
}

export interface PlannedChange {
  readonly head: string;
  readonly number?: number;
}

export interface Issue {
  readonly number: number;
  readonly url: string;
  readonly body: string;
  readonly ours: boolean;
}

/** The answer of a code host. A failed question is no answer, and never a "no". */
export type Asked<Answer> = { readonly answer: Answer } | { readonly unasked: string };

export interface ChangeNow {
  readonly open: boolean;
  readonly head: string;
  readonly branch: string;
  readonly fork?: string;
  readonly labels: readonly string[];
}

export interface PictureFile {
  /** Letters, digits, dots and dashes. Another picture has another name. */
  readonly name: string;
  readonly png: Buffer;
}

export interface KeptPictures {
  readonly urls: readonly string[];
  /** Why earlier pictures are still there. */
  readonly unswept?: string;
}

/** Days until a code host loses the pictures of a preview that nobody has ended. */
export const PICTURE_DAYS = 30;

export interface Forge {
  readonly kind: "github" | "gitlab";
  /** `pull request #12`, in the code host's own words. */
  nameOf(change: number): string;
  notes(change: number): AsyncIterable<Note>;
  addNote(change: number, body: string): Promise<Note>;
  editNote(change: number, note: Note, body: string): Promise<void>;
  deleteNote(change: number, note: Note): Promise<void>;
  change(number: number): Promise<ChangeNow | undefined>;
  openChanges(): AsyncIterable<number>;
  branches(): AsyncIterable<string>;
  headOf(branch: string): Promise<string | undefined>;
  /** The requests that a commit of the main branch came from, even after a squash or a rebase. */
  changesOf(commit: string): Promise<MergedChange[]>;
  /** Keeps the pictures of a preview where the readers of its note see them, and deletes its earlier ones. */
  keepPictures(preview: string, pictures: readonly PictureFile[], now: Date): Promise<KeptPictures>;
  openIssues(label: string): AsyncIterable<Issue>;
  openIssue(title: string, body: string, label: string): Promise<{ number: number; url: string }>;
  editIssue(issue: Issue, body: string): Promise<void>;
  closeIssue(issue: Issue, why: string): Promise<void>;
  /** Returns the latest file of the folder that a job of this repository, not of a fork, has left as an artifact for that commit. */
  artifact(of: PlannedChange, folder: string, file: string): Promise<Uint8Array | undefined>;
}
