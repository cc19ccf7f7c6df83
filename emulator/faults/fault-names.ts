/** The phases of a fault, and the changes that it may make to a list. */
export const phases = ["before", "after", "reset", "truncate", "html", "slow", "status", "altered"] as const;
export type Phase = (typeof phases)[number];

export const listFaults = ["empty", "shifted", "endless"] as const;

/** A failure of a call, on purpose. fault-file.ts describes its fields. */
export interface Fault {
  method?: string;
  path?: string;
  scope?: string;
  phase: Phase;
  status?: number;
  retryAfter?: string;
  headers?: Record<string, string>;
  delayMs?: number;
  commit?: boolean;
  /** The number of calls that it affects. Default: 1. `null` or Infinity: all. */
  times?: number | null;
  skip?: number;
  contentType?: string;
  empty?: boolean;
  omit?: string[];
  set?: Record<string, unknown>;
  padTo?: number;
  bytesPerSecond?: number;
  list?: (typeof listFaults)[number];
}
