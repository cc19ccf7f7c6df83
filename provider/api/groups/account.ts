import type { Call } from "../caller.ts";
import { account, counts } from "../records.ts";

export const accountGroup = (call: Call) => ({
  /** The account that owns the key. */
  me: () => call("getAccount", account),
});

export const analyticsGroup = (call: Call) => ({
  counts: () => call("getAccountCounts", counts),
});
