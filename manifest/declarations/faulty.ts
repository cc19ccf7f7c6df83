/** What stands for a value whose fault is told. */
import { UNKNOWN } from "../../provider/values/unknown.ts";
import type { Diagnostics } from "../diagnostics/diagnostics.ts";
import type { At, Tree } from "./model.ts";

/** The schema takes it for one that is not known yet. */
export const FAULTY: Tree = UNKNOWN;

/** Tells the fault at its place. */
export function fault(diagnostics: Diagnostics, message: string, at: At, hint: string | undefined): Tree {
  diagnostics.error("invalid-value", at.place, message, { path: at.path, hint, ...(at.from && { from: at.from }) });
  return FAULTY;
}

export function empty(diagnostics: Diagnostics, at: At, hint = "Give it one, or remove the line."): Tree {
  diagnostics.error("empty-value", at.place, `${at.path} has no value`, { path: at.path, hint });
  return FAULTY;
}
