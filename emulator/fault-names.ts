/** What a fault may do to a call, and to an answer that is a list. */
export const phases = ["before", "after", "reset", "truncate", "html", "slow", "status", "altered"] as const;
export type Phase = (typeof phases)[number];

export const listFaults = ["empty", "shifted", "endless"] as const;
