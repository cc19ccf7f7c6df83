/** What is chosen for a command, whoever asked for it. */
import type { Report } from "./report/model.ts";
import type { Limit } from "./checks/safety.ts";

export interface StackOptions {
  C: string;
  stack: string;
  verbose?: true;
}

export interface ReportOptions {
  json?: string | true;
  markdown?: string;
  html?: string;
  junit?: string;
  /** Whole values in Markdown. */
  full?: true;
  /** Takes the report of a part of a command, whose end is what is written. */
  later?: (report: Report) => void;
}

export type EngineChoice = "auto" | "pulumi" | "embedded";

export interface OperationOptions extends StackOptions, ReportOptions {
  engine: EngineChoice;
  parallel?: number;
  continueOnError?: true;
  target: string[];
}

export interface SafetyOptions {
  yes?: true;
  maxDeletes?: Limit;
  force?: true;
}
