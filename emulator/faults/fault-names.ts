/** What a fault is, and what it may do to a call, and to an answer that is a list. */
export const phases = ["before", "after", "reset", "truncate", "html", "slow", "status", "altered"] as const;
export type Phase = (typeof phases)[number];

export const listFaults = ["empty", "shifted", "endless"] as const;

/** Something that goes wrong with a call, on purpose. Its fields are described in fault-file.ts. */
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
  /** How many calls it strikes (1); `null` or Infinity: all. */
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
