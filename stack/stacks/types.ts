import type { ExportedStack, PendingCall, Unlocked } from "../../engine/index.ts";

export interface StackSummary {
  name: string;
  /** Undefined where the state can't be read; `problem` says why. */
  resources?: number;
  /** When it was written last, ISO-8601. */
  updated?: string;
  /** Who runs on it now. */
  holder?: string;
  problem?: string;
}

export interface Imported {
  /** There was no such stack here. */
  isNew: boolean;
  /** What the export called unfinished. */
  dropped: readonly Pick<PendingCall, "type" | "resource">[];
}

export interface Stacks {
  /** Where they are kept, for people. */
  readonly place: string;
  list(): Promise<StackSummary[]>;
  /** Other projects that have a stack of this name in the same place: `name:` of this one may have been changed. */
  projectsWith(stack: string): Promise<string[]>;
  /** The same as `pulumi stack export`. */
  export(stack: string, options: { showSecrets: boolean }): Promise<ExportedStack>;
  /** With its history; `force` also where it still has resources. Its settings stay in the folder. */
  remove(stack: string, options: { force: boolean }): Promise<void>;
  /** Replaces the state, or makes the stack with it. */
  import(stack: string, exported: unknown): Promise<Imported>;
  /** Of runs that are gone; what they left is taken in. */
  unlock(stack: string): Promise<Unlocking>;
  close(): void;
}

/** Pulumi's service frees a stack without a word about whose lock that was. */
export type Unlocking = Unlocked | "by Pulumi";
