/** Diagnostics for programs. */
import type { Diagnostic } from "./diagnostics.ts";

export interface ValidationReport {
  readonly version: 1;
  readonly valid: boolean;
  readonly diagnostics: readonly Diagnostic<string>[];
}

export function reportJson(diagnostics: readonly Diagnostic<string>[]): ValidationReport {
  return { version: 1, valid: !diagnostics.some(({ severity }) => severity === "error"), diagnostics };
}
