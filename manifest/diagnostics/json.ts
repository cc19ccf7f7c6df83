/** Diagnostics for programs. */
import type { Diagnostic } from "./diagnostics.ts";

export interface ValidationReport {
  readonly version: 1;
  readonly valid: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

export function reportJson(diagnostics: readonly Diagnostic[]): ValidationReport {
  return { version: 1, valid: !diagnostics.some(({ severity }) => severity === "error"), diagnostics };
}
