import type { AgreedTo, ExportedStack, PendingCall, Unlocked } from "../../engine/index.ts";

export interface StackSummary {
  name: string;
  /** Undefined if the state can't be read. `problem` says why. */
  resources?: number;
  /** The last time it was written, ISO-8601. */
  updated?: string;
  /** The person or job that runs on it now. */
  holder?: string;
  problem?: string;
}

export interface Imported {
  /** True if there was no such stack. */
  isNew: boolean;
  /** The calls that the export called unfinished. */
  dropped: readonly Pick<PendingCall, "type" | "resource">[];
}

export interface Stacks {
  /** The place where they are kept, for people. */
  readonly place: string;
  list(): Promise<StackSummary[]>;
  has(stack: string): Promise<boolean>;
  /** Other projects that have a stack of this name in the same place. Somebody may have changed this project's `name:`. */
  projectsWith(stack: string): Promise<string[]>;
  /** Exports the same as `pulumi stack export`. */
  export(stack: string, options: { showSecrets: boolean }): Promise<ExportedStack>;
  /** Removes the stack with its history. `force`: even if it still has resources. Its settings stay in the folder. */
  remove(stack: string, options: { force: boolean }): Promise<void>;
  /** Replaces the state, or makes the stack with it. */
  import(stack: string, exported: unknown): Promise<Imported>;
  /** Removes the locks of runs that are gone, and takes in what they left. Returns undefined if the person did not agree. */
  unlock(stack: string, agreed: AgreedTo): Promise<Unlocking | undefined>;
  close(): void;
}

/** Pulumi's service frees a stack without telling whose lock it was. */
export type Unlocking = Unlocked | "by Pulumi";
