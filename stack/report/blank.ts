/** The report of a command that came to no run: it ended before, or had nothing to do. Pure. */
import type { Report } from "./model.ts";

export function blankReport(stack: string): Omit<Report, "command" | "result"> {
  const counts = { create: 0, adopt: 0, update: 0, replace: 0, delete: 0, left: 0, same: 0 };
  return {
    version: 1,
    project: "",
    stack,
    engine: { name: "none", version: "" },
    counts: { ...counts, mayFollow: 0, failed: 0, unfinished: 0, unreached: 0 },
    changes: [],
    outputs: {},
    urls: [],
    pending: [],
    warnings: [],
    notes: [],
    failures: [],
    durationMs: 0,
  };
}
