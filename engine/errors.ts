import type { SourcePosition } from "./model/types.ts";
import { StateError } from "./state/errors.ts";

/** The causes of failures. The command line chooses its exit code and its words by them. */
export type FailureCause =
  | "program"
  | "registration"
  | "check"
  | "unsupported"
  | "protected"
  | "target"
  | "plan-violation"
  | "provider"
  | "host"
  | "state"
  | "internal";

export interface ErrorPlace {
  urn?: string;
  source?: SourcePosition;
}

/** Base of everything the engine reports on purpose. */
export class EngineError extends Error {
  readonly failure: FailureCause = "internal";
  readonly urn: string | undefined;
  readonly source: SourcePosition | undefined;

  constructor(message: string, place: ErrorPlace = {}) {
    super(message);
    this.name = new.target.name;
    this.urn = place.urn;
    this.source = place.source;
  }
}

/** The program threw, did not parse, left early or could not be started. */
export class ProgramError extends EngineError {
  override readonly failure = "program";
}

/** The program asks for something impossible: two resources of one name, or an unknown parent. */
export class RegistrationError extends EngineError {
  override readonly failure = "registration";
}

export class CheckError extends EngineError {
  override readonly failure = "check";
}

export class UnsupportedError extends EngineError {
  override readonly failure = "unsupported";

  constructor(feature: string, place: ErrorPlace = {}) {
    super(`${feature} is not supported by the embedded engine. Run with --engine pulumi, or do without it`, place);
  }
}

export class ProtectedError extends EngineError {
  override readonly failure = "protected";
}

/** A target names nothing, or leaves out something that the targeted resources need. */
export class TargetError extends EngineError {
  override readonly failure = "target";
}

/** The reviewed plan doesn't have this step. The engine made no call for it. */
export class PlanViolationError extends EngineError {
  override readonly failure = "plan-violation";
}

/** A provider answered a call with an error. The call is over. */
export class ProviderError extends EngineError {
  override readonly failure = "provider";
}

/** The provider's process ended during a call: nobody knows if the call took effect. */
export class HostError extends EngineError {
  override readonly failure = "host";
}

export class StateFailedError extends EngineError {
  override readonly failure = "state";
}

export function asEngineError(error: unknown): EngineError {
  if (error instanceof EngineError) return error;
  if (error instanceof StateError) return new StateFailedError(error.message);
  return new EngineError(error instanceof Error ? (error.stack ?? error.message) : String(error));
}

export function at(source: SourcePosition | undefined): string {
  return source === undefined ? "" : ` (${source.file}:${source.line}:${source.column})`;
}
