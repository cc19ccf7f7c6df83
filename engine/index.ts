/**
 * The embedded engine: runs an unmodified Pulumi program in Node with Pulumi's own SDK, keeps the state in Pulumi's own
 * format, and does what Pulumi's engine would do. `runOperation` is all there is to call.
 */
export { runOperation } from "./run.ts";
export type * from "./request.ts";
export type * from "./events.ts";
export type { DetailedDiff, DiffKind, FieldChange } from "./difference.ts";
export type { FailureCause } from "./errors.ts";
export { ProgramError, UnsupportedError } from "./errors.ts";
