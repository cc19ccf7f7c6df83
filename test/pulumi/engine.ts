import type { EngineEvent } from "@pulumi/pulumi/automation/index.js";
import type { Sandbox } from "./sandbox.ts";

export type OperationKind = "up" | "preview" | "refresh" | "destroy";

export interface OperationOptions {
  targets?: string[];
  parallel?: number;
  refresh?: boolean;
  continueOnError?: boolean;
  expectNoChanges?: boolean;
}

export type OperationRequest = { sandbox: Sandbox; kind: OperationKind; options: OperationOptions };

export interface OperationResult {
  result: "succeeded" | "failed";
  events: EngineEvent[];
  /** The lines that a person would have seen, for a failing test's message. */
  output: string;
}

/** One of the two engines, with the same operations. A stack is one sandbox, and its program is the sandbox's `index.js`. */
export interface TestEngine {
  readonly name: "pulumi" | "embedded";
  open(sandbox: Sandbox): Promise<void>;
  /** Takes over a stack that the other engine made. */
  attach(sandbox: Sandbox): Promise<void>;
  run(request: OperationRequest): Promise<OperationResult>;
  close(): Promise<void>;
}
