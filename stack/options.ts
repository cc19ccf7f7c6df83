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
  /** Prints whole values in Markdown. */
  full?: true;
}

export type EngineChoice = "auto" | "pulumi" | "embedded";

export interface StateOptions extends StackOptions {
  engine: EngineChoice;
}

export interface OperationOptions extends StateOptions, ReportOptions {
  parallel?: number;
  continueOnError?: true;
  target: string[];
}

export interface Limit {
  amount: number;
  percent: boolean;
}

export interface SafetyOptions {
  yes?: true;
  maxDeletes?: Limit;
  force?: true;
}

/** Levels of lint's findings, and ids of its rules. */
export type FailOn = readonly string[];

export function parseLimit(text: string): Limit | undefined {
  const found = /^(\d+)(%?)$/.exec(text.trim());
  return found ? { amount: Number(found[1]), percent: found[2] === "%" } : undefined;
}
