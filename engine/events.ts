import type { DiagnosticEvent } from "@pulumi/pulumi/automation/index.js";
import type { ResourceState } from "./model/types.ts";
import { isDefaultProvider } from "./model/urn.ts";
import { maskMap, SHORTEST_SECRET } from "./model/values.ts";
import type { Step, StepOp } from "./plan/types.ts";

/** The engine's events, in the shapes of Pulumi's Automation API: one renderer serves both. `detailedDiff` is always there, with both values. */
export interface EngineEvent {
  sequence: number;
  /** Seconds since 1970. */
  timestamp: number;
  resourcePreEvent?: { metadata: StepEventMetadata; planning?: boolean };
  resOutputsEvent?: { metadata: StepEventMetadata; planning?: boolean };
  resOpFailedEvent?: { metadata: StepEventMetadata; status: number; steps: number };
  diagnosticEvent?: DiagnosticEvent;
  summaryEvent?: { resourceChanges: Record<string, number> };
}

export interface StepEventMetadata extends Pick<
  Step,
  "op" | "urn" | "type" | "keys" | "diffs" | "detailedDiff" | "logical"
> {
  old?: StepEventStateMetadata;
  new?: StepEventStateMetadata;
  provider: string;
}

type Shown = "type" | "urn" | "custom" | "delete" | "id" | "parent" | "protect" | "retainOnDelete";

export interface StepEventStateMetadata extends Required<
  Pick<ResourceState, Shown | "inputs" | "outputs" | "provider" | "initErrors">
> {
  /** By input, the URNs of the resources that its value is made of. */
  propertyDependencies?: Readonly<Record<string, readonly string[]>>;
}

export type Severity = DiagnosticEvent["severity"];

/** The place of a diagnostic, and its kind. */
export type DiagnosticOptions = Pick<DiagnosticEvent, "urn" | "streamID" | "ephemeral">;

export type OperationOutcome = "succeeded" | "failed" | "cancelled";

export type OnEvent = (event: EngineEvent) => void;

/** Numbers the events, hides secrets in their texts and counts the steps. */
export class Events {
  readonly #onEvent: OnEvent;
  readonly #secrets: string[];
  readonly #planning: boolean;
  readonly #counts = new Map<string, number>();
  #sequence = 0;
  #closed = false;

  /** `secrets`: values of the configuration that no text may show. */
  constructor(onEvent: OnEvent, options: { planning: boolean; secrets: readonly string[] }) {
    this.#onEvent = onEvent;
    this.#planning = options.planning;
    this.#secrets = options.secrets.filter((secret) => secret.length >= SHORTEST_SECRET);
  }

  before(step: Step): void {
    if (!isInternal(step)) this.#emit({ resourcePreEvent: { metadata: metadata(step), planning: this.#planning } });
  }

  /** Reports a finished step, with its state if it made one. */
  done(step: Step, state: ResourceState | undefined, options: { op?: StepOp; logical?: boolean } = {}): void {
    if (isInternal(step)) return;
    const op = options.op ?? step.op;
    if (options.logical ?? step.logical) this.#counts.set(op, (this.#counts.get(op) ?? 0) + 1);
    const custom = (step.new ?? step.old)?.custom === true;
    if (!this.#planning && !custom && step.op !== "delete" && step.op !== "refresh") return;
    this.#outputs(step, op, state);
  }

  /** Reports the outputs of a component or of the stack. */
  outputs(step: Step, state: ResourceState): void {
    this.#outputs(step, step.op, state);
  }

  failed(step: Step, status: "refused" | "unknown"): void {
    if (isInternal(step) || this.#planning) return;
    const steps = [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
    this.#emit({ resOpFailedEvent: { metadata: metadata(step), status: status === "unknown" ? 2 : 0, steps } });
  }

  diagnostic(severity: Severity, message: string, options: DiagnosticOptions = {}) {
    const prefix = severity === "error" || severity === "warning" ? `${severity}: ` : "";
    this.#emit({ diagnosticEvent: { ...options, prefix, message: this.redact(message), color: "never", severity } });
  }

  /** Reports a line that a program or provider prints, at once. */
  printed(line: string, stream: "stdout" | "stderr"): void {
    if (line !== "") this.diagnostic(stream === "stdout" ? "info" : "info#err", line);
  }

  summary(): void {
    this.#emit({ summaryEvent: { resourceChanges: this.counts } });
    this.#closed = true;
  }

  get counts(): Record<string, number> {
    return Object.fromEntries(this.#counts);
  }

  redact(text: string): string {
    return this.#secrets.reduce((result, secret) => result.replaceAll(secret, "[secret]"), text);
  }

  #outputs(step: Step, op: StepOp, state: ResourceState | undefined): void {
    const told = { ...metadata(step), op, ...(state === undefined ? {} : { new: stateMetadata(state) }) };
    this.#emit({ resOutputsEvent: { metadata: told, planning: this.#planning } });
  }

  #emit(event: Omit<EngineEvent, "sequence" | "timestamp">): void {
    // After a second interruption calls may still come back, but nobody listens any more.
    if (this.#closed) return;
    this.#onEvent({ sequence: this.#sequence++, timestamp: Math.floor(Date.now() / 1000), ...event });
  }
}

/** Tells if no user asked for the step: the engine carries it out and never shows or counts it. */
function isInternal(step: Step): boolean {
  return step.op === "remove-pending-replace" || isDefaultProvider(step.urn);
}

function metadata({ op, urn, type, keys, diffs, detailedDiff, logical, old, new: next }: Step): StepEventMetadata {
  return {
    ...{ op, urn, type, keys, diffs, detailedDiff, logical },
    provider: (next ?? old)?.provider ?? "",
    old: old && stateMetadata(old),
    new: next && stateMetadata(next),
  };
}

function stateMetadata(state: ResourceState): StepEventStateMetadata {
  const { type, urn, custom, id = "", parent = "", provider = "", initErrors = [], propertyDependencies = {} } = state;
  return {
    ...{ type, urn, custom, id, parent, provider, initErrors, propertyDependencies },
    delete: state.delete === true,
    protect: state.protect === true,
    retainOnDelete: state.retainOnDelete === true,
    inputs: maskMap(state.inputs ?? {}),
    outputs: maskMap(state.outputs ?? {}),
  };
}
